#include "sensitivity/transposed.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

using Eigen::VectorXd;
using List = std::vector<Expression>;

// In the order of a direction.
List moving_leaves(const Equations& e) {
  List leaves;
  for (const List* list : {&e.q, &e.v, &e.z}) leaves.insert(leaves.end(), list->begin(), list->end());
  for (const Discrete& value : e.discrete) leaves.push_back(value.leaf);
  leaves.push_back(e.t);
  leaves.insert(leaves.end(), e.p.begin(), e.p.end());
  return leaves;
}

}  // namespace

TransposedExpressions::TransposedExpressions(const System& system, const List& y,
                                             const std::vector<int>& moving_sliders, const List& by_further,
                                             const std::vector<int>& moving_tables) {
  const Equations& e = system.equations();
  Expression sum = 0.0;
  for (const Expression& value : y) {
    weights.push_back(e.graph->input("weight"));
    sum += weights.back() * value;
  }
  List leaves = moving_leaves(e);
  const std::size_t first_slider = leaves.size(), first_further = first_slider + moving_sliders.size();
  for (const int slider : moving_sliders) leaves.push_back(e.graph->outcome(slider));
  leaves.insert(leaves.end(), by_further.begin(), by_further.end());
  const List gradient = reverse_gradient(sum, leaves, tables);
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    if (gradient[k].is(0)) continue;
    outputs.push_back(gradient[k]);
    const bool row = k < first_slider, slider = !row && k < first_further;
    (row      ? rows
     : slider ? sliders
              : further)
        .push_back(static_cast<int>(k - (row      ? 0
                                         : slider ? first_slider
                                                  : first_further)));
  }
  std::erase_if(tables, [&](const TableUse& use) {
    return std::ranges::count(moving_tables, use.table) == 0 || use.adjoint.is(0);
  });
  for (const TableUse& use : tables) outputs.push_back(use.argument), outputs.push_back(use.adjoint);
}

Transposed::Transposed(const System& system, const List& y, const List& further, const std::vector<int>& sliders,
                       const std::vector<int>& tables)
    : n_(system.layout()), size_(static_cast<int>(y.size())) {
  const TransposedExpressions all(system, y, sliders, further, tables);
  rows_ = all.rows, sliders_ = all.sliders, further_ = all.further;
  for (const TableUse& use : all.tables) look_ups_.push_back({use.table, use.derivative});
  List inputs = further;
  inputs.insert(inputs.end(), all.weights.begin(), all.weights.end());
  program_ = Evaluator(system.make_program(all.outputs, inputs));
  in_.setZero(program_.program().input_count());
  out_.setZero(std::max(1, program_.program().output_count()));
  one_.setZero(size_);
  by_slider_.setZero(static_cast<Eigen::Index>(sliders.size()));
  by_further_.setZero(static_cast<Eigen::Index>(further.size()));
  set_parameters(Eigen::Map<const VectorXd>(system.equations().p_value.data(), n_.np));
}

void Transposed::set(const State& state) {
  if (size_ == 0) return;
  in_[0] = state.t;
  in_.segment(n_.q(), n_.nx()) = state.x;
  in_.segment(n_.d(), n_.nd) = state.d;
  in_.segment(n_.w(), n_.nw) = state.w;
}

void Transposed::set_parameters(const VectorXd& parameters) {
  if (size_ > 0) in_.segment(n_.p(), n_.np) = parameters;
}

void Transposed::set_further(const VectorXd& values) { in_.segment(n_.size(), values.size()) = values; }

void Transposed::add(const VectorXd& weights, Eigen::Ref<VectorXd> lambda) {
  if (size_ == 0) return;
  in_.tail(size_) = weights;
  program_(in_.data(), out_.data());
  const double* next = out_.data();
  for (const int row : rows_) lambda[row] += *next++;
  for (const int slider : sliders_) by_slider_[slider] = *next++;
  for (const int leaf : further_) by_further_[leaf] = *next++;
  for (TableLookUp& use : look_ups_) use.argument = next[0], use.adjoint = next[1], next += 2;
}

void Transposed::add_one(int k, double weight, Eigen::Ref<VectorXd> lambda) {
  one_[k] = weight;
  add(one_, lambda);
  one_[k] = 0;
}

}  // namespace armature::internal
