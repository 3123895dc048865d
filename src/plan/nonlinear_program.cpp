#include "plan/nonlinear_program.hpp"

#include <algorithm>

namespace armature::internal {

bool NonlinearProgram::Block::adds_to_cost() const {
  return std::ranges::any_of(
      outputs, [](const std::vector<Term>& to) { return std::ranges::count(to, cost, &Term::place) > 0; });
}

int NonlinearProgram::add_variable(double lower, double upper, double guess) {
  lower_.push_back(lower), upper_.push_back(upper), guess_.push_back(guess);
  return variables() - 1;
}

int NonlinearProgram::add_row(double low, double high) {
  low_.push_back(low), high_.push_back(high);
  return rows() - 1;
}

void NonlinearProgram::add_block(Block block) {
  const auto grow = [](std::vector<double>& list, std::size_t size) { list.resize(std::max(list.size(), size)); };
  grow(in_, block.inputs.size() + block.outputs.size());
  grow(out_, std::max({block.outputs.size(), block.function->jacobian_entries().size(),
                       block.function->hessian_entries().size()}));
  blocks_.push_back(std::move(block));
}

void NonlinearProgram::gather(const Block& block, const double* x) const {
  for (std::size_t k = 0; k < block.inputs.size(); ++k) {
    double sum = 0;
    for (const Term& term : block.inputs[k]) sum += term.factor * x[term.place];
    in_[k] = sum;
  }
}

// use(output row or cost, factor, variable, number of the entry)
template <class Use>
void NonlinearProgram::each_jacobian_entry(const Block& block, Use use) const {
  const auto& entries = block.function->jacobian_entries();
  for (std::size_t k = 0; k < entries.size(); ++k)
    for (const Term& to : block.outputs[static_cast<std::size_t>(entries[k].row)])
      for (const Term& from : block.inputs[static_cast<std::size_t>(entries[k].column)])
        use(to.place, to.factor * from.factor, from.place, k);
}

// use(row, column, factor, number of the entry), in the lower half. Both (i, j) and (j, i) of the local matrix count.
template <class Use>
void NonlinearProgram::each_hessian_entry(const Block& block, Use use) const {
  const auto& entries = block.function->hessian_entries();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto& rows = block.inputs[static_cast<std::size_t>(entries[k].row)];
    const auto& columns = block.inputs[static_cast<std::size_t>(entries[k].column)];
    const bool diagonal = entries[k].row == entries[k].column;
    for (const Term& a : rows)
      for (const Term& b : columns) {
        const double factor = a.factor * b.factor;
        if (a.place >= b.place) use(a.place, b.place, factor, k);
        if (!diagonal && b.place >= a.place) use(b.place, a.place, factor, k);
      }
  }
}

double NonlinearProgram::cost_at(const double* x) const {
  double sum = 0;
  for (const Linear& term : linear_)
    if (term.row == cost) sum += term.factor * x[term.variable];
  for (const Block& block : blocks_) {
    if (!block.adds_to_cost()) continue;
    gather(block, x);
    block.function->values(in_.data(), out_.data());
    for (std::size_t k = 0; k < block.outputs.size(); ++k)
      for (const Term& to : block.outputs[k])
        if (to.place == cost) sum += to.factor * out_[k];
  }
  return sum;
}

void NonlinearProgram::gradient(const double* x, double* out) const {
  std::fill_n(out, variables(), 0.0);
  for (const Linear& term : linear_)
    if (term.row == cost) out[term.variable] += term.factor;
  for (const Block& block : blocks_) {
    if (!block.adds_to_cost()) continue;
    gather(block, x);
    block.function->jacobian(in_.data(), out_.data());
    each_jacobian_entry(block, [&](int row, double factor, int variable, std::size_t k) {
      if (row == cost) out[variable] += factor * out_[k];
    });
  }
}

void NonlinearProgram::rows_at(const double* x, double* out) const {
  std::fill_n(out, rows(), 0.0);
  for (const Linear& term : linear_)
    if (term.row != cost) out[term.row] += term.factor * x[term.variable];
  for (const Block& block : blocks_) {
    gather(block, x);
    block.function->values(in_.data(), out_.data());
    for (std::size_t k = 0; k < block.outputs.size(); ++k)
      for (const Term& to : block.outputs[k])
        if (to.place != cost) out[to.place] += to.factor * out_[k];
  }
}

std::vector<NonlinearProgram::Triplet> NonlinearProgram::jacobian_structure() const {
  std::vector<Triplet> structure;
  for (const Linear& term : linear_)
    if (term.row != cost) structure.push_back({term.row, term.variable});
  for (const Block& block : blocks_)
    each_jacobian_entry(block, [&](int row, double, int variable, std::size_t) {
      if (row != cost) structure.push_back({row, variable});
    });
  return structure;
}

void NonlinearProgram::jacobian(const double* x, double* out) const {
  for (const Linear& term : linear_)
    if (term.row != cost) *out++ = term.factor;
  for (const Block& block : blocks_) {
    gather(block, x);
    block.function->jacobian(in_.data(), out_.data());
    each_jacobian_entry(block, [&](int row, double factor, int, std::size_t k) {
      if (row != cost) *out++ = factor * out_[k];
    });
  }
}

std::vector<NonlinearProgram::Triplet> NonlinearProgram::hessian_structure() const {
  std::vector<Triplet> structure;
  for (const Block& block : blocks_)
    each_hessian_entry(block, [&](int row, int column, double, std::size_t) { structure.push_back({row, column}); });
  return structure;
}

void NonlinearProgram::hessian(const double* x, double cost_factor, const double* multipliers, double* out) const {
  for (const Block& block : blocks_) {
    gather(block, x);
    for (std::size_t k = 0; k < block.outputs.size(); ++k) {
      double weight = 0;
      for (const Term& to : block.outputs[k])
        weight += to.factor * (to.place == cost ? cost_factor : multipliers[to.place]);
      in_[block.inputs.size() + k] = weight;
    }
    block.function->hessian(in_.data(), out_.data());
    each_hessian_entry(block, [&](int, int, double factor, std::size_t k) { *out++ = factor * out_[k]; });
  }
}

}  // namespace armature::internal
