#include "report/document.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/base64.hpp"
#include "report/channel_groups.hpp"
#include "report/free_motions.hpp"
#include "report/page_symbols.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;

Json named_places(const std::vector<std::pair<std::string, Triple>>& points) {
  Json list = Json::array();
  for (const auto& [name, at] : points) list.push_back({{"name", name}, {"at", at}});
  return list;
}

std::string packed_places(const std::vector<Triple>& places) {
  std::vector<float> numbers;
  for (const Triple& place : places)
    for (const double x : place) numbers.push_back(static_cast<float>(x));
  return base64_float32(numbers);
}

Json to_json(const ScenePlace& place) { return {{"body", place.body}, {"at", place.at}}; }

Json to_json(const SceneShape& shape) {
  Json json{{"kind", shape.kind}, {"at", shape.at}};
  if (shape.kind == "box") json["sides"] = shape.sides;
  if (shape.radius > 0) json["radius"] = shape.radius;
  if (shape.kind == "rod" || shape.kind == "cylinder") json["from"] = shape.from, json["to"] = shape.to;
  if (shape.kind == "mesh") json["triangles"] = base64_float32(shape.triangles);
  return json;
}

Json to_json(const SceneBody& body) {
  Json shapes = Json::array();
  for (const SceneShape& shape : body.shapes) shapes.push_back(to_json(shape));
  Json json{{"name", body.name}, {"mass", body.mass},    {"center", body.center}, {"points", named_places(body.points)},
            {"shapes", shapes},  {"offset", body.offset}};
  if (!body.touched.empty()) json["touched"] = body.touched;
  if (const auto& beam = body.beam)
    json["beam"] = {{"length", beam->length}, {"offset", beam->offset}, {"nodes", beam->nodes},
                    {"held", beam->held},     {"load", beam->load},     {"unit", beam->is_stress ? "Pa" : "N m"}};
  return json;
}

Json to_json(const SceneJoint& joint) {
  Json json{{"name", joint.name},    {"type", joint.type},    {"glyph", joint.glyph},
            {"a", to_json(joint.a)}, {"b", to_json(joint.b)}, {"axis", joint.axis}};
  if (joint.reaction_axes != "first") json["reaction_axes"] = joint.reaction_axes;
  const auto stop = [&](std::size_t end) { return joint.stops[end] ? Json(*joint.stops[end]) : Json(); };
  if (joint.stops[0] || joint.stops[1]) json["stops"] = {stop(0), stop(1)};
  if (joint.stop_arm)
    json["stop_arm"] = {{"body", joint.stop_arm->body}, {"axis", joint.stop_arm->axis}, {"arm", joint.stop_arm->arm}};
  return json;
}

struct DrawnFrames {
  std::vector<double> times;
  std::vector<float> data;
};
DrawnFrames frames_of(const Scene& scene, const ReportRecorder& rows) {
  DrawnFrames drawn;
  if (rows.frames() && scene.frame_size() > 0) {
    Scene::Frames frames(scene, rows.channels());
    drawn.data.reserve(static_cast<std::size_t>(rows.frames()->rows()) * static_cast<std::size_t>(scene.frame_size()));
    for (int i = 0; i < rows.frames()->rows(); ++i) {
      drawn.times.push_back(rows.frames()->row(i)[0]);
      frames.append(rows.frames()->row(i), drawn.data);
    }
  }
  return drawn;
}

Json series_to_json(const Model& model, const ReportRecorder& rows) {
  Json channels = Json::array();
  const Envelope* envelope = rows.envelope();
  for (std::size_t k = 1; envelope && k < rows.channels().size(); ++k) {
    const Channel& channel = rows.channels()[k];
    channels.push_back({{"name", channel.name},
                        {"unit", channel.unit},
                        {"group", group_of(channel, model)},
                        {"data", base64_float32(envelope->channel(static_cast<int>(k)))}});
  }
  const std::vector<double> times = envelope ? envelope->times() : std::vector<double>{};
  return {{"rows", times.size()},
          {"recorded", envelope ? envelope->recorded() : 0},
          {"t", base64_float64(times)},
          {"channels", channels}};
}

}  // namespace

Json to_json(const Scene& scene, const std::vector<float>& frames) {
  Json json{{"plane", scene.plane},
            {"gravity", scene.gravity ? Json(*scene.gravity) : Json()},
            {"ground", named_places(scene.ground)},
            {"bodies", Json::array()},
            {"joints", Json::array()},
            {"links", Json::array()},
            {"drawings", Json::array()},
            {"notes", scene.notes}};
  for (const SceneBody& body : scene.bodies) json["bodies"].push_back(to_json(body));
  for (const SceneJoint& joint : scene.joints) json["joints"].push_back(to_json(joint));
  for (const SceneLink& link : scene.links)
    json["links"].push_back({{"name", link.name}, {"kind", link.kind}, {"a", to_json(link.a)}, {"b", to_json(link.b)}});
  for (const SceneProfile& profile : scene.profiles)
    json["profiles"].push_back({{"name", profile.name},
                                {"kind", profile.kind},
                                {"body", profile.body},
                                {"outline", packed_places(profile.outline)}});
  for (const SceneLoad& load : scene.loads)
    json["loads"].push_back({{"name", load.name},
                             {"kind", load.kind},
                             {"at", to_json(load.at)},
                             {"offset", load.offset},
                             {"in_body", load.in_body}});
  for (const SceneDrawing& drawing : scene.drawings) {
    json["drawings"].push_back(
        {{"name", drawing.name}, {"offset", drawing.offset}, {"points", drawing.points}, {"outline", drawing.outline}});
    if (drawing.fixed) json["drawings"].back()["fixed"] = true;
  }
  json["symbols"] = plot::page_symbols(scene, frames);
  return json;
}

Json run_document(const Model& model, const RunRecord& record, const ReportRecorder& rows, const PageRun* computed,
                  const Prepared* prepared) {
  const Scene scene(model);
  const DrawnFrames drawn = frames_of(scene, rows);
  Json json{{"run", to_json(record)},
            {"scene", to_json(scene, drawn.data)},
            {"frames",
             {{"count", drawn.times.size()},
              {"stride", scene.frame_size()},
              {"t", base64_float64(drawn.times)},
              {"data", base64_float32(drawn.data)}}},
            {"series", series_to_json(model, rows)}};
  if (prepared)
    if (Json free = free_motions(model, *prepared, scene, record, rows); !free.empty()) json["free"] = std::move(free);
  if (!computed) return json;
  PageRun run = *computed;
  const auto steps = std::ranges::find(record.statistics, "steps", &RunRecord::Numbers::value_type::first);
  if (steps != record.statistics.end() && std::isfinite(steps->second)) run.steps = static_cast<long>(steps->second);
  if (Json compute = page_model(model, run, scene, rows); !compute.is_null()) json["compute"] = std::move(compute);
  return json;
}

}  // namespace armature::internal
