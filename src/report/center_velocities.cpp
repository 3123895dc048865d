#include "report/center_velocities.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "mechanics/build.hpp"
#include "mechanics/mechanism.hpp"

namespace armature::internal::plot {
namespace {

// Three for each body.
std::vector<Expression> rates_of_centers(const Model& model, Mechanism& mechanism) {
  std::vector<Expression> rates;
  for (const Body& body : model.bodies)
    for (const Expression& x : mechanism.bodies().pose_of({body.name, body.center, {}}).p)
      rates.push_back(mechanism.builder().time_derivative(x));
  return rates;
}

}  // namespace

CenterVelocities::CenterVelocities(const Model& model, const std::vector<Channel>& channels) {
  if (model.bodies.empty()) return;
  const auto equations = begin_equations(model, {});
  Mechanism mechanism(model, *equations);
  mechanism.place_joints();
  std::vector<Expression> inputs;
  const auto add = [&](Expression input, const std::string& name) {
    const auto found = std::ranges::find(channels, name, &Channel::name);
    inputs.push_back(input),
        columns_.push_back(found == channels.end() ? -1 : static_cast<int>(found - channels.begin()));
  };
  add(equations->t, "t");
  for (std::size_t i = 0; i < equations->q.size(); ++i) add(equations->q[i], equations->positions[i].name);
  for (std::size_t i = 0; i < equations->v.size(); ++i) add(equations->v[i], equations->velocities[i].name);
  evaluate_ = Evaluator(std::make_shared<const Program>(inputs, rates_of_centers(model, mechanism)));
  in_.resize(columns_.size()), out_.resize(3 * model.bodies.size());
}

std::vector<Eigen::Vector3d> CenterVelocities::at(std::span<const double> row) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    in_[i] = columns_[i] < 0 ? std::numeric_limits<double>::quiet_NaN() : row[static_cast<std::size_t>(columns_[i])];
  if (!out_.empty()) evaluate_(in_.data(), out_.data());
  std::vector<Eigen::Vector3d> velocities;
  for (std::size_t k = 0; k + 3 <= out_.size(); k += 3) velocities.emplace_back(out_[k], out_[k + 1], out_[k + 2]);
  return velocities;
}

}  // namespace armature::internal::plot
