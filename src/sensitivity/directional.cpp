#include "sensitivity/directional.hpp"

#include <algorithm>
#include <cassert>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

constexpr int few = 2;  // so many directions are evaluated one by one: eight lanes cost two or three times one

// A leaf for each number of a direction, in its order.
List direction_leaves(const Equations& e, LeafMap& direction) {
  List moving, leaves;
  for (const List* list : {&e.q, &e.v, &e.z}) moving.insert(moving.end(), list->begin(), list->end());
  for (const Discrete& value : e.discrete) moving.push_back(value.leaf);
  moving.push_back(e.t);
  moving.insert(moving.end(), e.p.begin(), e.p.end());
  for (const Expression& leaf : moving) {
    leaves.push_back(e.graph->input("d"));
    direction[leaf.id()] = leaves.back();
  }
  return leaves;
}

}  // namespace

Directional::Directional(const System& system, const List& y, const List& further, const std::vector<int>& sliders)
    : n_(system.layout()) {
  LeafMap direction;
  List inputs = further;
  const List leaves = direction_leaves(system.equations(), direction);
  inputs.insert(inputs.end(), leaves.begin(), leaves.end());
  Derivative along(direction);
  List outputs;
  for (const Expression& value : y) outputs.push_back(along(value));
  const auto program = system.make_program(outputs, inputs);
  one_ = Evaluator(program);
  lanes_ = Evaluator(program, lane_count);
  further_ = n_.size();
  direction_ = further_ + static_cast<int>(further.size());
  in_.setZero(program->input_count());
  out_.setZero(std::max(1, program->output_count()));
  in_lanes_.resize(static_cast<std::size_t>(in_.size()));
  out_lanes_.resize(static_cast<std::size_t>(out_.size()));
  for (const int slider : sliders) {
    Derivative by_weight({{system.equations().graph->outcome(slider).id(), 1.0}});
    List effects;
    for (const Expression& value : y) effects.push_back(by_weight(value));
    const bool none = std::ranges::all_of(effects, [](const Expression& x) { return x.is(0); });
    by_weight_.push_back(none ? std::nullopt : std::optional(Evaluator(system.make_program(effects, inputs))));
  }
  const std::vector<double>& values = system.equations().p_value;
  std::copy(values.begin(), values.end(), in_.data() + n_.p());
}

void Directional::set(const State& state) {
  in_[0] = state.t;
  in_.segment(n_.q(), n_.nx()) = state.x;
  in_.segment(n_.d(), n_.nd) = state.d;
  in_.segment(n_.w(), n_.nw) = state.w;
}

void Directional::set_parameters(const Eigen::VectorXd& parameters) { in_.segment(n_.p(), n_.np) = parameters; }

void Directional::set_further(const Eigen::VectorXd& values) { in_.segment(further_, values.size()) = values; }

void Directional::by_weight(int k, Eigen::VectorXd& derivatives) {
  derivatives.setZero(one_.program().output_count());
  if (auto& effect = by_weight_[static_cast<std::size_t>(k)]; effect && derivatives.size() > 0)
    (*effect)(in_.data(), derivatives.data());
}

void Directional::operator()(const Eigen::MatrixXd& directions, Eigen::MatrixXd& derivatives) {
  assert(directions.rows() == rows(n_));
  derivatives.resize(one_.program().output_count(), directions.cols());
  if (directions.cols() > few)  // what all lanes have in common
    for (int i = 0; i < direction_; ++i) std::fill_n(in_lanes_[static_cast<std::size_t>(i)].lane, lane_count, in_[i]);
  for (Eigen::Index column = 0; column < directions.cols();) {
    const Eigen::Index left = directions.cols() - column;
    if (left <= few) {
      evaluate_one(directions, column++, derivatives);
      continue;
    }
    const int count = static_cast<int>(std::min<Eigen::Index>(left, lane_count));
    evaluate_lanes(directions, column, count, derivatives);
    column += count;
  }
}

void Directional::evaluate_one(const Eigen::MatrixXd& directions, Eigen::Index column, Eigen::MatrixXd& derivatives) {
  in_.tail(directions.rows()) = directions.col(column);
  one_(in_.data(), out_.data());
  derivatives.col(column) = out_.head(derivatives.rows());
}

// Lanes that are left over repeat the last direction.
void Directional::evaluate_lanes(const Eigen::MatrixXd& directions, Eigen::Index first, int count,
                                 Eigen::MatrixXd& derivatives) {
  for (Eigen::Index i = 0; i < directions.rows(); ++i)
    for (int lane = 0; lane < lane_count; ++lane)
      in_lanes_[static_cast<std::size_t>(direction_ + i)][lane] = directions(i, first + std::min(lane, count - 1));
  lanes_(in_lanes_.data()->lane, out_lanes_.data()->lane);
  for (Eigen::Index i = 0; i < derivatives.rows(); ++i)
    for (int lane = 0; lane < count; ++lane)
      derivatives(i, first + lane) = out_lanes_[static_cast<std::size_t>(i)][lane];
}

}  // namespace armature::internal
