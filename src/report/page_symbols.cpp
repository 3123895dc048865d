#include "report/page_symbols.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "expression/number_text.hpp"
#include "report/display_list.hpp"
#include "report/machine_extent.hpp"
#include "report/motion_poses.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using Json = nlohmann::ordered_json;

constexpr std::size_t sampled_frames = 200;  // that say how far sliders go
constexpr std::size_t roomy = 20;            // one of so many says how much room the machine takes
constexpr double unit_in_points = 3;         // as of a picture

double rounded_number(double x) { return std::round(1e4 * x) / 1e4; }

// Six digits are finer than any picture.
double in_meters(double x) { return read_number(fmt::format("{:.6g}", x)).value_or(x); }

Json to_json(const Vector3d& x) { return {rounded_number(x.x()), rounded_number(x.y()), rounded_number(x.z())}; }

Json to_json(const Corner& corner) {
  Json numbers{rounded_number(corner.share), rounded_number(corner.along), rounded_number(corner.across),
               in_meters(corner.along_m), in_meters(corner.across_m)};
  while (!numbers.empty() && numbers.back() == 0.0) numbers.erase(numbers.size() - 1);
  return numbers;
}

Json to_json(const SymbolPart& part) {
  constexpr const char* kinds[] = {"line", "area", "circle", "hatch", "rod", "ball", "letter"};
  Json json{{"kind", kinds[part.kind]}, {"color", part.color}};
  if (!part.edge.empty()) json["edge"] = part.edge;
  if (part.size > 0) json["size"] = rounded_number(part.size);
  if (part.dashed) json["dashed"] = true;
  if (part.turns > 0) json["turns"] = part.turns;
  for (const Corner& corner : part.corners) json["at"].push_back(to_json(corner));
  return json;
}

Json to_json(const SymbolShift& shift) {
  const SymbolLength& length = shift.length;
  Json json{{"along", to_json(shift.along)}};
  const auto add = [&](const char* name, double x) {
    if (x != 0) json[name] = x;
  };
  add("m", length.m), add("u", length.u), add("low", length.low), add("high", length.high);
  add("reach", length.reach), add("least", length.least);
  if (length.stop >= 0) json["stop"] = length.stop;
  return json;
}

Json to_json(const Anchor& place) {
  Json json{
      {"of", place.of_joint ? "joints" : "links"}, {"k", place.index}, {"end", place.side == Anchor::a ? "a" : "b"}};
  for (const SymbolShift& shift : place.shifts)
    if (Json by = to_json(shift); by.size() > 1) json["by"].push_back(std::move(by));
  return json;
}

Json to_json(const SymbolDirection& direction) { return {direction.body, to_json(direction.along)}; }

Json to_json(const Symbol& symbol, std::size_t shape) {
  constexpr const char* layers[] = {"paths", "behind", "ground", "machine", "elements", "joints", "marks"};
  Json json{{"kind", symbol.kind}, {"layer", layers[symbol.layer]}, {"shape", shape}, {"at", to_json(symbol.at)}};
  if (symbol.to) json["to"] = to_json(*symbol.to);
  if (symbol.along) json["along"] = to_json(*symbol.along);
  if (symbol.across) json["across"] = to_json(*symbol.across);
  if (symbol.depth != 0) json["depth"] = symbol.depth;
  if (symbol.lift != 0) json["lift"] = symbol.lift;
  if (symbol.about >= 0) json["about"] = symbol.about;
  if (symbol.stop >= 0) json["stop"] = symbol.stop;
  if (symbol.over) json["over"] = true;
  if (symbol.base) json["base"] = true;
  return json;
}

// As a page looks at a machine in space (viewer/src/view.ts: fromAside).
Projection from_aside(const Scene& scene) {
  const Vector3d up = projection_of(scene, "front").up;
  const Vector3d side = std::abs(up.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  const Vector3d forward = side.cross(up).normalized();
  const Vector3d towards = (0.55 * side + 0.78 * forward + 0.42 * up).normalized();
  const Vector3d right = up.cross(towards).normalized();
  return {right, towards.cross(right), towards};
}

}  // namespace

Json page_symbols(const Scene& scene, const std::vector<float>& frames) {
  const auto stride = static_cast<std::size_t>(scene.frame_size());
  if (frames.empty() || stride == 0) return {{"shapes", Json::array()}, {"list", Json::array()}};
  const auto pose = [&](std::size_t frame) {
    const auto begin = frames.begin() + static_cast<std::ptrdiff_t>(frame * stride);
    return PosedScene(scene, {begin, begin + static_cast<std::ptrdiff_t>(stride)});
  };
  const Projection projection = scene.plane.empty() ? from_aside(scene) : projection_of(scene, "front");
  MotionRange range(scene, projection, false);
  const std::size_t count = frames.size() / stride, every = std::max<std::size_t>(1, count / sampled_frames);
  for (std::size_t frame = 0; frame < count; frame += every)
    frame / every % roomy == 0 ? range.include(pose(frame)) : range.include_motion(pose(frame));

  const PosedScene start = pose(0);
  Placement placement;
  placement.projection = projection;
  placement.unit = unit_in_points;
  placement.scale = unit_in_points / page_unit(start, length_of(range.high - range.low));
  Sketch sketch(placement);
  MachineSketch machine(start, range.look, sketch);
  Json shapes = Json::array(), list = Json::array();
  for (const Symbol& symbol : symbols_of(machine)) {
    Json shape = Json::array();
    for (const SymbolPart& part : symbol.shape) shape.push_back(to_json(part));
    auto known = std::ranges::find(shapes, shape);
    if (known == shapes.end()) shapes.push_back(std::move(shape)), known = std::prev(shapes.end());
    list.push_back(to_json(symbol, static_cast<std::size_t>(known - shapes.begin())));
  }
  return {{"shapes", shapes}, {"list", list}};
}

}  // namespace armature::internal::plot
