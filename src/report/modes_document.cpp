#include "report/modes_document.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "dynamics/projection.hpp"
#include "record/version.hpp"
#include "report/base64.hpp"
#include "report/document.hpp"
#include "report/input_units.hpp"
#include "report/scene.hpp"

namespace armature::internal {

namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;

constexpr int phases = 32;              // pictures of a period
constexpr std::size_t most_drawn = 60;  // modes that are drawn: those of the lowest frequencies
constexpr double share_of_size = 0.07;  // how far the machine moves in the picture
constexpr double largest_angle = 0.35;  // rad
constexpr std::size_t most_coordinates = 8;

Vector3d vector_of(const Triple& at) { return {at[0], at[1], at[2]}; }

// Pictures of the machine at coordinates near the state.
class ModePictures {
 public:
  ModePictures(const Scene& scene, const ModesResult& result)
      : scene_(scene),
        state_(result.state),
        e_(result.prepared.system->equations()),
        evaluator_(result.prepared.system),
        projection_(evaluator_),
        channels_(channels_of(e_)),
        frames_(scene, channels_) {
    evaluator_.set_parameters(result.prepared.parameters);
    evaluator_.set(state_);
    projection_.begin(state_.t, state_.x.data());
    add_places();
    rest_ = places_at(state_.x);
  }

  std::vector<float> rest() {
    std::vector<float> frame;
    append(state_.x, frame);
    return frame;
  }

  // One period, or, where it does not oscillate, the way back to rest; nothing: the machine does not move in it.
  Json frames(const Eigenmode& mode) {
    const double amplitude = amplitude_of(mode);
    if (!(amplitude > 0)) return nullptr;
    std::vector<float> list;
    for (int k = 0; k < phases; ++k) {
      const double share = static_cast<double>(k) / (phases - 1);
      const std::complex<double> factor = mode.oscillates() ? std::exp(std::complex<double>(0, 2 * M_PI * share))
                                                            : std::complex<double>(std::exp(-4 * share));
      append(displaced(mode, amplitude * factor), list);
    }
    return base64_float32(list);
  }

 private:
  static std::vector<Channel> channels_of(const Equations& e) {
    std::vector<Channel> channels{{"t", "s"}};
    for (const auto* list : {&e.positions, &e.velocities})
      for (const Coordinate& coordinate : *list) channels.push_back({coordinate.name, coordinate.unit});
    return channels;
  }

  void append(const Eigen::VectorXd& x, std::vector<float>& frames) { frames_.append(row_of(x), frames); }
  std::vector<double> row_of(const Eigen::VectorXd& x) const {
    std::vector<double> row{state_.t};
    row.insert(row.end(), x.begin(), x.begin() + static_cast<Eigen::Index>(channels_.size()) - 1);
    return row;
  }

  // Positions move by Re(factor shape), and on to where the loops close; quaternions have length one.
  Eigen::VectorXd displaced(const Eigenmode& mode, std::complex<double> factor) {
    Eigen::VectorXd x = state_.x;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(e_.q.size()); ++i) x[i] += (factor * mode.shape[i]).real();
    for (const auto& [q, v] : e_.quaternions) x.segment<4>(q).normalize();
    const Eigen::VectorXd straight = x;
    return e_.rows.empty() || projection_.position(state_.t, x.data()) ? x : straight;
  }

  // So that the machine moves by some of its size.
  double amplitude_of(const Eigenmode& mode) {
    constexpr double little = 1e-5;
    Eigen::VectorXd x = state_.x;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(e_.q.size()); ++i) x[i] += little * std::abs(mode.shape[i]);
    for (const auto& [q, v] : e_.quaternions) x.segment<4>(q).normalize();
    const std::vector<Vector3d> moved = places_at(x);
    double farthest = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) farthest = std::max(farthest, (moved[i] - rest_[i]).norm() / little);
    double angle = 0;
    for (std::size_t i = 0; i < e_.q.size(); ++i)
      if (e_.positions[i].unit != "m") angle = std::max(angle, std::abs(mode.shape[static_cast<Eigen::Index>(i)]));
    if (!(farthest > 1e-9 * size())) return 0;
    const double wanted = share_of_size * size() / farthest;
    return angle > 0 ? std::min(wanted, largest_angle / angle) : wanted;
  }

  // ---- places that the machine is measured by

  void add_places() {
    const auto add = [&](const ScenePlace& place) { places_.push_back(place); };
    for (int i = 0; i < static_cast<int>(scene_.bodies.size()); ++i) {
      const SceneBody& body = scene_.bodies[static_cast<std::size_t>(i)];
      add({i, body.center});
      for (const auto& [name, at] : body.points) add({i, at});
      if (body.beam) add({i, {body.beam->length, 0, 0}});
    }
    for (const SceneJoint& joint : scene_.joints) add(joint.a), add(joint.b);
    for (const SceneLink& link : scene_.links) add(link.a), add(link.b);
  }
  // With the points of beams and of drawn lines.
  std::vector<Vector3d> places_at(const Eigen::VectorXd& x) {
    std::vector<double> in, out(static_cast<std::size_t>(scene_.program()->output_count()));
    const std::vector<double> row = row_of(x);
    for (const std::string& name : scene_.inputs()) {
      const auto found = std::ranges::find(channels_, name, &Channel::name);
      in.push_back(found == channels_.end() ? 0 : row[static_cast<std::size_t>(found - channels_.begin())]);
    }
    Evaluator(scene_.program())(in.data(), out.data());
    std::vector<Vector3d> list;
    for (const ScenePlace& place : places_) {
      if (place.body < 0) {
        list.push_back(vector_of(place.at));
        continue;
      }
      const double* pose = out.data() + 12 * (scene_.bodies[static_cast<std::size_t>(place.body)].offset / 7);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(pose + 3);
      list.push_back(Vector3d(pose[0], pose[1], pose[2]) + R * vector_of(place.at));
    }
    const double* point = out.data() + 12 * scene_.poses();
    for (int i = 0; i < scene_.points(); ++i, point += 3) list.emplace_back(point[0], point[1], point[2]);
    return list;
  }
  double size() const {
    Eigen::AlignedBox3d box;
    for (const Vector3d& place : rest_) box.extend(place);
    return rest_.empty() ? 1 : std::max(box.sizes().norm(), 1e-9);
  }

  const Scene& scene_;
  const State& state_;
  const Equations& e_;
  SystemEvaluator evaluator_;
  Projection projection_;
  std::vector<Channel> channels_;
  Scene::Frames frames_;
  std::vector<ScenePlace> places_;
  std::vector<Vector3d> rest_;
};

Json pair_of(std::complex<double> x) { return Json::array({x.real(), x.imag()}); }

// The coordinates that move most.
Json coordinates_of(const ModesResult& result, const Eigenmode& mode) {
  const Equations& e = result.prepared.system->equations();
  const std::vector<std::string> names = entry_names(e);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < e.q.size(); ++i) order.push_back(i);
  const auto amount = [&](std::size_t i) { return std::abs(mode.shape[static_cast<Eigen::Index>(i)]); };
  std::ranges::stable_sort(order, std::greater{}, amount);
  Json list = Json::array();
  for (std::size_t k = 0; k < std::min(order.size(), most_coordinates) && amount(order[k]) >= 1e-3; ++k)
    list.push_back({{"name", names[order[k]]}, {"value", pair_of(mode.shape[static_cast<Eigen::Index>(order[k])])}});
  return list;
}

Json matrix(const Eigen::MatrixXd& M) {
  std::vector<double> rows;
  for (Eigen::Index r = 0; r < M.rows(); ++r) rows.insert(rows.end(), M.row(r).begin(), M.row(r).end());
  return base64_float64(rows);
}

Json mode_to_json(const ModesResult& result, std::size_t k, ModePictures* pictures) {
  const Eigenmode& mode = result.modes[k];
  Json json{{"eigenvalue", pair_of(mode.eigenvalue)},
            {"frequency", mode.frequency()},
            {"damping", mode.damping()},
            {"coordinates", coordinates_of(result, mode)},
            {"frames", pictures && k < most_drawn ? pictures->frames(mode) : Json()}};
  for (std::size_t p = 0; p < result.parameters.size(); ++p)
    json["sensitivity"].push_back(
        pair_of(result.sensitivity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p))));
  return json;
}

std::string unit_of_output(const Equations& e, const std::string& name) {
  for (const Coordinate& coordinate : e.positions)
    if (coordinate.name == name) return coordinate.unit;
  const auto found = std::ranges::find(e.quantities, name, &Quantity::name);
  return found == e.quantities.end() ? "" : found->unit;
}

}  // namespace

Json modes_document(const Model& model, const Settings& settings, const ModesResult& result) {
  const Scene scene(model);
  const Equations& e = result.prepared.system->equations();
  const bool drawn = scene.frame_size() > 0;
  std::optional<ModePictures> pictures;
  if (drawn) pictures.emplace(scene, result);
  const std::vector<float> rest = drawn ? pictures->rest() : std::vector<float>{};
  Json given = Json::object(), state = Json::array(), modes = Json::array();
  for (const auto& [name, value] : settings) given[name] = value;
  for (std::size_t i = 0; i < e.q.size(); ++i)
    state.push_back({{"name", e.positions[i].name},
                     {"unit", e.positions[i].unit},
                     {"value", result.state.x[static_cast<Eigen::Index>(i)]}});
  for (std::size_t k = 0; k < result.modes.size(); ++k)
    modes.push_back(mode_to_json(result, k, drawn ? &*pictures : nullptr));
  const Linearization& linear = result.linear;
  Json input_units = Json::array(), output_units = Json::array();
  for (const std::string& name : linear.inputs)
    input_units.push_back(unit_of_input(model, name.starts_with("u.") ? name.substr(2) : name));
  for (const std::string& name : linear.outputs) output_units.push_back(unit_of_output(e, name));
  return {{"armature", version()},
          {"model", {{"name", model.name}, {"file", model.file}, {"text", model.text}}},
          {"settings", given},
          {"equilibrium", result.equilibrium.has_value()},
          {"notes", result.notes},
          {"warnings", result.warnings},
          {"state", state},
          {"scene", to_json(scene, rest)},
          {"stride", scene.frame_size()},
          {"phases", phases},
          {"rest", base64_float32(rest)},
          {"parameters", result.parameters},
          {"modes", modes},
          {"linear",
           {{"states", linear.states},
            {"inputs", linear.inputs},
            {"outputs", linear.outputs},
            {"inputUnits", input_units},
            {"outputUnits", output_units},
            {"A", matrix(linear.A)},
            {"B", matrix(linear.B)},
            {"C", matrix(linear.C)},
            {"D", matrix(linear.D)}}}};
}

}  // namespace armature::internal
