#include "singular/singular_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "system/state_program.hpp"

namespace armature::internal {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const std::array<std::string, 3> marker_names{"marker 0", "marker 1", "marker 2"};
const std::array<std::string, 3> marker_places{"[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]"};
constexpr double negligible = 1e-5;  // of the largest: does not move
constexpr int most_bodies = 3;

std::string number(double x) { return fmt::format("{:.4g}", std::abs(x) < 5e-5 ? 0.0 : x); }

// x, y or z where the direction is one of them.
std::string axis_words(Vector3d direction) {
  direction.normalize();
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(direction[i]) - 1) < 1e-9) return std::string(1, "xyz"[i]);
  Eigen::Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction[largest] < 0) direction = -direction;
  return fmt::format("({}, {}, {})", number(direction[0]), number(direction[1]), number(direction[2]));
}

}  // namespace

Model with_body_markers(Model model) {
  for (Body& body : model.bodies)
    if (!body.beam)
      for (int k = 0; k < 3; ++k) body.points.push_back({marker_names[k], parse_formula(marker_places[k], {}), {}});
  return model;
}

bool is_body_marker(const std::string& quantity) { return quantity.find(".marker ") != std::string::npos; }

struct MotionWords::Body {
  std::string name;
  int joints = 0;
  std::array<std::array<int, 3>, 3> markers;  // outputs of Markers, -1: constant zero
};

// Places of the markers and their rates along a velocity.
class MotionWords::Markers {
 public:
  Markers(const Equations& e, const std::vector<Expression>& places) : nq_(e.q.size()), program_(make(e, places)) {}
  void evaluate(State state, const VectorXd& v, VectorXd& places, VectorXd& rates) {
    state.x.segment(nq_, v.size()) = v;
    program_.set(state);
    const VectorXd& out = program_.evaluate();
    places = out.head(out.size() / 2), rates = out.tail(out.size() / 2);
  }

 private:
  static StateProgram make(const Equations& e, const std::vector<Expression>& places) {
    LeafMap flow = flow_of_positions(e);
    flow.erase(e.t.id());  // what moves with t is not part of the velocity
    Derivative along(flow);
    std::vector<Expression> outputs = places;
    for (const Expression& place : places) outputs.push_back(along(place));
    return StateProgram(e, outputs);
  }
  std::size_t nq_;
  StateProgram program_;
};

MotionWords::MotionWords(const Model& marked, const Equations& equations) : e_(equations) {
  std::vector<Expression> places;
  std::map<std::string, int> index;
  for (const Quantity& quantity : e_.quantities)
    if (is_body_marker(quantity.name)) {
      index[quantity.name] = static_cast<int>(places.size());
      places.push_back(quantity.value);
    }
  for (const armature::internal::Body& body : marked.bodies) {
    if (body.beam) continue;
    Body entry{body.name, 0, {}};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        const auto found = index.find(body.name + "." + marker_names[k] + "." + "xyz"[i]);
        entry.markers[k][i] = found == index.end() ? -1 : found->second;
      }
    for (const Joint& joint : marked.joints) entry.joints += joint.a.body == body.name || joint.b.body == body.name;
    bodies_.push_back(entry);
  }
  // the most connected body says most about a machine: its platform
  std::stable_sort(bodies_.begin(), bodies_.end(), [](const Body& a, const Body& b) { return a.joints > b.joints; });
  markers_ = std::make_unique<Markers>(e_, places);
}

MotionWords::~MotionWords() = default;

std::string MotionWords::describe(const State& state, const VectorXd& v, const std::vector<std::string>& standing) {
  VectorXd places, rates;
  markers_->evaluate(state, v, places, rates);
  std::vector<std::string> parts;
  const double largest = rates.size() > 0 ? rates.cwiseAbs().maxCoeff() : 0;
  int more = 0;
  // The bodies that move noticeably, the first few of them in words.
  for (const Body& body : bodies_) {
    double moves = 0;
    for (const auto& marker : body.markers)
      for (int k : marker) moves = std::max(moves, k < 0 ? 0 : std::abs(rates[k]));
    if (!(moves > negligible * largest)) continue;
    if (static_cast<int>(parts.size()) == most_bodies)
      ++more;
    else
      parts.push_back(describe_body(body, places, rates));
  }
  // Where no body moves, coordinates may, such as the angles of a massless joint.
  if (parts.empty())
    for (const std::string& name : moving_coordinates(v)) parts.push_back(name + " can move");
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (more > 0) text += fmt::format(" and {} more {}", more, more == 1 ? "body moves" : "bodies move");
  if (!standing.empty())
    text += fmt::format(" while {} {}", fmt::join(standing, ", "), standing.size() == 1 ? "is at rest" : "are at rest");
  return text;
}

// The body's screw: angular velocity from its two axes, and the line that it turns about.
std::string MotionWords::describe_body(const Body& body, const VectorXd& places, const VectorXd& rates) const {
  // Three material points and their velocities: the origin and the ends of two axes.
  std::array<Vector3d, 3> p, u;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      const int at = body.markers[k][i];
      p[k][i] = at < 0 ? 0 : places[at], u[k][i] = at < 0 ? 0 : rates[at];
    }
  // w from the rates of three axes that are perpendicular to each other: w = sum of e x e'/2.
  const Vector3d e1 = p[1] - p[0], e2 = p[2] - p[0], d1 = u[1] - u[0], d2 = u[2] - u[0];
  const Vector3d e3 = e1.cross(e2), d3 = d1.cross(e2) + e1.cross(d2);
  const Vector3d w = 0.5 * (e1.cross(d1) + e2.cross(d2) + e3.cross(d3));
  if (!(w.norm() > negligible * u[0].norm())) return fmt::format("{} can move along {}", body.name, axis_words(u[0]));
  // The point of the axis nearest to the origin of the body, and the advance along it per radian.
  const Vector3d center = p[0] + w.cross(u[0]) / w.squaredNorm();
  const double pitch = w.dot(u[0]) / w.squaredNorm();
  std::string text = fmt::format("{} can turn about {} through ({}, {}, {})", body.name, axis_words(w),
                                 number(center[0]), number(center[1]), number(center[2]));
  if (std::abs(pitch) > negligible) text += fmt::format(" and slide along it by {} m/rad", number(pitch));
  return text;
}

std::vector<std::string> MotionWords::moving_coordinates(const VectorXd& v) const {
  std::vector<int> order;
  const double largest = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0;
  for (int k = 0; k < v.size(); ++k)
    if (std::abs(v[k]) > negligible * largest) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return std::abs(v[a]) > std::abs(v[b]); });
  std::vector<std::string> names;
  for (int k : order) {
    const std::string& rate = e_.velocities[k].name;
    names.push_back(rate.ends_with("'") ? rate.substr(0, rate.size() - 1) : rate);
  }
  return names;
}

std::vector<std::string> involved_loops(const Equations& e, const std::vector<int>& rows, const VectorXd& weights) {
  std::map<std::string, double> shares;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double& share = shares[e.rows[rows[k]].owner];
    share = std::max(share, weights[static_cast<Eigen::Index>(k)]);
  }
  for (const auto& [name, share] : shares)
    if (share > 1e-3) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return shares[a] > shares[b]; });
  return names;
}

}  // namespace armature::internal
