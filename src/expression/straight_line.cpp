#include "expression/straight_line.hpp"

#include <algorithm>
#include <limits>

#include "expression/batch.hpp"

namespace armature::internal {

namespace {

using LineValue = StraightLine::Value;

// The program writes to slots that it uses again and again; here every value gets a number of its own.
void number_values(const Program& program, std::vector<LineValue>& values, std::vector<int>& outputs) {
  std::vector<int> in_slot(program.work_size(), -1);
  auto add = [&](LineValue value, int slot) {
    in_slot[slot] = static_cast<int>(values.size());
    values.push_back(value);
  };
  // inputs and constants have their slots from the start
  const int inputs = program.input_count();
  for (int i = 0; i < inputs; ++i) add({Op::input, i}, i);
  int slot = inputs;
  for (double number : program.constants()) add({Op::constant, -1, -1, -1, number}, slot++);
  for (auto [place, number] : program.output_constants()) add({Op::constant, -1, -1, -1, number}, place);
  // each operation reads the values that its slots hold at that time
  const Program::Operation* operation = program.operations().data();
  for (const Program::Run& run : program.runs())
    for (int k = 0; k < run.count; ++k, ++operation) {
      LineValue value{run.op, in_slot[operation->a], operation->b, operation->c};
      if (operand_count(run.op) >= 2) value.b = in_slot[operation->b];
      if (operand_count(run.op) == 3) value.c = in_slot[operation->c];
      add(value, operation->result);
    }
  for (int place : program.output_slots()) outputs.push_back(in_slot[place]);
}

// Depth first: operands that take the longest chain of operations come first.
class DepthFirst {
 public:
  // units: all of them, operands first
  DepthFirst(const StraightLine& line, const std::vector<int>& units)
      : line_(line), done_(line.values.size()), height_(line.values.size()) {
    for (int unit : units)
      line.for_operands_of_unit(unit,
                                [&](int operand) { height_[unit] = std::max(height_[unit], height_[operand] + 1); });
  }

  // Appends root and what it needs of its own stage to order.
  void visit(int root, std::vector<int>& order) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      const int unit = stack_.back();
      const int next = done_[unit] ? -1 : highest_open_operand(unit);
      if (next >= 0) {
        stack_.push_back(next);
        continue;
      }
      stack_.pop_back();
      if (!done_[unit]) order.push_back(unit);
      done_[unit] = true;
    }
  }

 private:
  int highest_open_operand(int unit) const {
    int best = -1;
    line_.for_operands_of_unit(unit, [&](int operand) {
      const LineValue& v = line_.values[operand];
      if (done_[operand] || operand_count(v.op) == 0 || StraightLine::is_call(v.op)) return;
      if (v.stage != line_.values[unit].stage) return;
      if (best < 0 || height_[operand] > height_[best]) best = operand;
    });
    return best;
  }

  const StraightLine& line_;
  std::vector<bool> done_;
  std::vector<int> height_, stack_;
};

// The same values in an order that keeps the processor busy. Depth first, most operations wait for the one before them; here
// the next one is that of the next few whose operands are ready first, as on a machine that starts three in a cycle. More
// than a few would need more registers than there are.
class Interleaving {
 public:
  explicit Interleaving(const StraightLine& line) : line_(line), ready_(line.values.size()) {}

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
      ready_[value] = cycle + latency(line_.values[value].op);
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
    line_.for_operands_of_unit(value, [&](int operand) { cycle = std::max(cycle, ready_[operand]); });
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

  const StraightLine& line_;
  std::vector<int> ready_;  // cycle at which a value is known; those of other blocks: at once
};

// Longer blocks wait for memory more than for operations, and depth first spares it (measured: 2 to 4 % from 6000 on).
constexpr std::size_t limited_by_memory = 4000;

}  // namespace

bool StraightLine::is_call(Op op) { return unary_batch(op) || binary_batch(op) || op == Op::table; }

StraightLine::StraightLine(const Program& program, bool with_packs) {
  // values in an order that packs allow; where packs wait for one another, there are none
  number_values(program, values, outputs);
  pack_of.assign(values.size(), -1);
  if (with_packs) take_packs(program);
  std::vector<int> units = units_in_order();
  const auto members = packs.size() * (pack_width - 1);
  if (units.size() + members < values.size()) {  // packs that wait for one another
    packs.clear(), pack_of.assign(values.size(), -1);
    units = units_in_order();
  }
  find_stages(units);

  // roots of each block: values that nothing of the same block uses
  std::vector<bool> used_in_block(values.size());
  for (int unit : units)
    for_operands_of_unit(unit, [&](int operand) {
      if (!is_call(values[unit].op) && values[operand].stage == values[unit].stage) used_in_block[operand] = true;
    });
  // blocks stage by stage: calls first, then arithmetic, depth first from the roots
  DepthFirst order(*this, units);
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    const LineValue& value = values[i];
    if (is_call(value.op))
      blocks[value.stage].calls.push_back(i);
    else if (operand_count(value.op) > 0 && unit(i) == i && !used_in_block[i])
      order.visit(i, blocks[value.stage].arithmetic);
  }
  // operations that wait for nothing are moved between those that do
  Interleaving interleave(*this);
  for (Block& block : blocks)
    if (block.arithmetic.size() < limited_by_memory) block.arithmetic = interleave(block.arithmetic);
}

// Of one kind of operation, each value in one pack only. Factors and summands change places so that those of the first
// member stand where its own stand.
void StraightLine::take_packs(const Program& program) {
  const int first = static_cast<int>(values.size()) - program.operation_count();
  for (const auto& places : program.packs()) {
    Members members;
    for (int k = 0; k < pack_width; ++k) members[k] = first + places[k];
    const LineValue& head = values[members[0]];
    // all members the same operation, each once and in no other pack
    bool fits = head.op == Op::add || head.op == Op::sub || head.op == Op::mul;
    for (int k = 0; k < pack_width; ++k) {
      fits &= values[members[k]].op == head.op && pack_of[members[k]] < 0;
      fits &= std::find(members.begin(), members.begin() + k, members[k]) == members.begin() + k;
    }
    if (!fits) continue;
    for (int member : members) {
      LineValue& value = values[member];
      if (head.op != Op::sub && (value.b == head.a || value.a == head.b)) std::swap(value.a, value.b);
      pack_of[member] = static_cast<int>(packs.size());
    }
    packs.push_back(members);
  }
}

std::vector<int> StraightLine::units_in_order() const {
  std::vector<int> waits_for(values.size()), order;
  std::vector<std::vector<int>> waiting(packs.empty() ? 0 : values.size());
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    if (packs.empty()) order.push_back(i);  // values are numbered that way
    if (packs.empty() || unit(i) != i) continue;
    for_operands_of_unit(i, [&](int operand) { ++waits_for[i], waiting[operand].push_back(i); });
    if (waits_for[i] == 0) order.push_back(i);
  }
  if (packs.empty()) return order;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (int unit : waiting[order[k]])
      if (--waits_for[unit] == 0) order.push_back(unit);
  return order;
}

void StraightLine::find_stages(const std::vector<int>& units) {
  int stages = 1;
  for (int unit : units) {
    int stage = 0;
    for_operands_of_unit(unit, [&](int operand) { stage = std::max(stage, values[operand].stage); });
    if (is_call(values[unit].op)) ++stage;
    stages = std::max(stages, stage + 1);
    values[unit].stage = stage;
    if (pack_of[unit] >= 0)
      for (int member : packs[pack_of[unit]]) values[member].stage = stage;
  }
  blocks.resize(stages);
}

}  // namespace armature::internal
