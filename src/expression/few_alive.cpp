#include "expression/few_alive.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace armature::internal {

namespace {

// Operands that are computed, each once.
std::vector<int> operands_of(const StraightLine& line, int value) {
  std::vector<int> operands;
  line.for_operands(value, [&](int operand) {
    if (operand_count(line.values[operand].op) > 0 && std::ranges::count(operands, operand) == 0)
      operands.push_back(operand);
  });
  return operands;
}

// Of each value, how many others and outputs take it.
std::vector<int> uses_of(const StraightLine& line) {
  std::vector<int> uses(line.values.size());
  for (int value = 0; value < static_cast<int>(line.values.size()); ++value)
    for (const int operand : operands_of(line, value)) ++uses[operand];
  for (const int output : line.outputs) ++uses[output];
  return uses;
}

class FewAlive {
 public:
  explicit FewAlive(const StraightLine& line)
      : line_(line),
        uses_(uses_of(line)),
        need_(line.values.size()),
        waits_for_(line.values.size()),
        place_(line.values.size()) {
    for (int value = 0; value < static_cast<int>(line.values.size()); ++value) {
      operands_.push_back(operands_of(line, value));
      std::ranges::sort(operands_.back(), std::greater(), [&](int operand) { return need_[operand]; });
      need_[value] = 1;
      for (int k = 0; k < static_cast<int>(operands_.back().size()); ++k)
        need_[value] = std::max(need_[value], need_[operands_.back()[k]] + k);
    }
  }

  std::vector<StraightLine::Block> blocks() {
    std::vector<StraightLine::Block> blocks = line_.blocks;
    for (StraightLine::Block& block : blocks) {
      for (const int call : block.calls) end_lives(call);
      block.arithmetic = ordered(block.arithmetic);
    }
    return blocks;
  }

 private:
  void end_lives(int value) {
    for (const int operand : operands_[value]) --uses_[operand];
  }

  std::vector<int> ordered(const std::vector<int>& values) {
    take_places(values);
    // How many operands of this group each value waits for, and who uses it.
    std::vector<std::vector<int>> users(line_.values.size());
    std::vector<int> ready, order;
    for (const int value : values) {
      waits_for_[value] = 0;
      for (const int operand : operands_[value])
        if (place_[operand] >= 0) ++waits_for_[value], users[operand].push_back(value);
      if (waits_for_[value] == 0) ready.push_back(value);
    }
    // Of those that are ready the one that leaves the fewest values alive; of equals the first.
    while (!ready.empty()) {
      const auto next =
          std::ranges::min_element(ready, {}, [&](int value) { return std::pair(more_alive(value), place_[value]); });
      const int value = *next;
      *next = ready.back(), ready.pop_back();
      order.push_back(value);
      end_lives(value);
      for (const int user : users[value])
        if (--waits_for_[user] == 0) ready.push_back(user);
    }
    for (const int value : values) place_[value] = -1;
    return order;
  }

  // By how many there are more once it is computed.
  int more_alive(int value) const {
    int more = uses_[value] > 0;
    for (const int operand : operands_[value]) more -= uses_[operand] == 1;
    return more;
  }

  // Where the values of a block stand depth first; -1: a value of another block.
  void take_places(const std::vector<int>& values) {
    std::ranges::fill(place_, -1);
    std::vector<bool> open(line_.values.size());
    for (const int value : values) open[value] = true;
    int place = 0;
    std::vector<int> stack;
    for (auto root = values.rbegin(); root != values.rend(); ++root) stack.push_back(*root);
    while (!stack.empty()) {
      const int value = stack.back();
      const auto next = std::ranges::find_if(operands_[value], [&](int operand) { return open[operand]; });
      if (open[value] && next != operands_[value].end()) {
        stack.push_back(*next);
        continue;
      }
      stack.pop_back();
      if (open[value]) place_[value] = place++, open[value] = false;
    }
  }

  const StraightLine& line_;
  std::vector<std::vector<int>> operands_;  // those that need most registers first
  std::vector<int> uses_, need_, waits_for_,
      place_;  // uses that are to come; registers; operands of the block that are
};

}  // namespace

double mean_alive(const StraightLine& line) {
  std::vector<int> uses = uses_of(line);
  double sum = 0;
  long alive = 0, count = 0;
  const auto take = [&](int value) {
    alive += uses[value] > 0;
    sum += static_cast<double>(alive), ++count;
    for (const int operand : operands_of(line, value)) alive -= --uses[operand] == 0;
  };
  for (const StraightLine::Block& block : line.blocks)
    for (const auto* values : {&block.calls, &block.arithmetic}) std::ranges::for_each(*values, take);
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

void keep_few_alive(StraightLine& line, double most) {
  const double before = mean_alive(line);
  if (before <= most) return;
  StraightLine other = line;
  other.blocks = FewAlive(line).blocks();
  if (mean_alive(other) < before) line = std::move(other);
}

}  // namespace armature::internal
