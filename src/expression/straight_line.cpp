#include "expression/straight_line.hpp"

#include <algorithm>
#include <limits>

#include "expression/batch.hpp"

namespace armature {

namespace {

using Value = StraightLine::Value;

// The program writes to slots that it uses again and again; here every value gets a number of its own.
void number_values(const Program& program, std::vector<Value>& values, std::vector<int>& outputs) {
  std::vector<int> in_slot(program.work_size(), -1);
  auto add = [&](Value value, int slot) {
    in_slot[slot] = static_cast<int>(values.size());
    values.push_back(value);
  };
  const int inputs = program.input_count();
  for (int i = 0; i < inputs; ++i) add({Op::input, i}, i);
  int slot = inputs;
  for (double number : program.constants()) add({Op::constant, -1, -1, -1, number}, slot++);
  for (auto [place, number] : program.output_constants()) add({Op::constant, -1, -1, -1, number}, place);
  const Program::Operation* operation = program.operations().data();
  for (const Program::Run& run : program.runs())
    for (int k = 0; k < run.count; ++k, ++operation) {
      Value value{run.op, in_slot[operation->a], operation->b, operation->c};
      if (operand_count(run.op) >= 2) value.b = in_slot[operation->b];
      if (operand_count(run.op) == 3) value.c = in_slot[operation->c];
      add(value, operation->result);
    }
  for (int place : program.output_slots()) outputs.push_back(in_slot[place]);
}

template <class Visit>
void for_operands(const Value& value, Visit visit) {
  const int operands[] = {value.a, value.b, value.c};
  for (int k = 0; k < operand_count(value.op); ++k) visit(operands[k]);
}

// Depth first: operands that take the longest chain of operations come first.
class DepthFirst {
 public:
  explicit DepthFirst(const std::vector<Value>& values)
      : values_(values), done_(values.size()), height_(values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      for_operands(values[i], [&](int operand) { height_[i] = std::max(height_[i], height_[operand] + 1); });
  }

  // Appends root and what it needs of its own stage to order.
  void visit(int root, std::vector<int>& order) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      const int value = stack_.back();
      const int next = done_[value] ? -1 : highest_open_operand(value);
      if (next >= 0) {
        stack_.push_back(next);
        continue;
      }
      stack_.pop_back();
      if (!done_[value]) order.push_back(value);
      done_[value] = true;
    }
  }

 private:
  int highest_open_operand(int value) const {
    int best = -1;
    for_operands(values_[value], [&](int operand) {
      const Value& v = values_[operand];
      if (done_[operand] || operand_count(v.op) == 0 || StraightLine::is_call(v.op)) return;
      if (v.stage != values_[value].stage) return;
      if (best < 0 || height_[operand] > height_[best]) best = operand;
    });
    return best;
  }

  const std::vector<Value>& values_;
  std::vector<bool> done_;
  std::vector<int> height_, stack_;
};

// The same values in an order that keeps the processor busy. Depth first, most operations wait for the one before them; here
// the next one is that of the next few whose operands are ready first, as on a machine that starts three in a cycle. More
// than a few would need more registers than there are.
class Interleaving {
 public:
  explicit Interleaving(const std::vector<Value>& values) : values_(values), ready_(values.size()) {}

  std::vector<int> operator()(const std::vector<int>& order) {
    constexpr int issue_width = 3;
    constexpr std::size_t few = 32;
    for (int value : order) ready_[value] = not_yet;
    std::vector<int> next, result;
    std::size_t taken = 0;
    for (int cycle = 0; result.size() < order.size();) {
      while (next.size() < few && taken < order.size()) next.push_back(order[taken++]);
      const std::size_t place = earliest(next, cycle);
      const int value = next[place];
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(place));
      cycle = std::max(cycle, start(value));
      ready_[value] = cycle + latency(values_[value].op);
      result.push_back(value);
      if (result.size() % issue_width == 0) ++cycle;
    }
    return result;
  }

 private:
  static constexpr int not_yet = std::numeric_limits<int>::max();
  static int latency(Op op) { return op == Op::div || op == Op::sqrt ? 14 : 3; }  // cycles

  int start(int value) const {
    int cycle = 0;
    for_operands(values_[value], [&](int operand) { cycle = std::max(cycle, ready_[operand]); });
    return cycle;
  }
  // The first in order of those that can start at the cycle, or else of those that can start soonest.
  std::size_t earliest(const std::vector<int>& values, int cycle) const {
    std::size_t best = 0;
    int soonest = not_yet;
    for (std::size_t k = 0; k < values.size() && soonest > cycle; ++k)
      if (const int at = start(values[k]); at < soonest) soonest = at, best = k;
    return best;
  }

  const std::vector<Value>& values_;
  std::vector<int> ready_;  // cycle at which a value is known; those of other blocks: at once
};

// Longer blocks wait for memory more than for operations, and depth first spares it (measured: 2 to 4 % from 6000 on).
constexpr std::size_t limited_by_memory = 4000;

}  // namespace

bool StraightLine::is_call(Op op) { return unary_batch(op) || binary_batch(op) || op == Op::table; }

StraightLine::StraightLine(const Program& program) {
  number_values(program, values, outputs);
  int stages = 1;
  for (Value& value : values) {
    for_operands(value, [&](int operand) { value.stage = std::max(value.stage, values[operand].stage); });
    if (is_call(value.op)) ++value.stage;
    stages = std::max(stages, value.stage + 1);
  }
  blocks.resize(stages);

  std::vector<bool> used_in_block(values.size());
  for (const Value& value : values)
    for_operands(value, [&](int operand) {
      if (!is_call(value.op) && values[operand].stage == value.stage) used_in_block[operand] = true;
    });
  DepthFirst order(values);
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    const Value& value = values[i];
    if (is_call(value.op))
      blocks[value.stage].calls.push_back(i);
    else if (operand_count(value.op) > 0 && !used_in_block[i])
      order.visit(i, blocks[value.stage].arithmetic);
  }
  Interleaving interleave(values);
  for (Block& block : blocks)
    if (block.arithmetic.size() < limited_by_memory) block.arithmetic = interleave(block.arithmetic);
}

}  // namespace armature
