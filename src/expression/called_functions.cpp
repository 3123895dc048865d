#include "expression/called_functions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "expression/batch.hpp"

namespace armature::internal {

namespace {

using LineValue = StraightLine::Value;

bool is_turn(Op op) { return op == Op::sin || op == Op::cos; }

bool serves(const FunctionCall& call, const LineValue& value) {
  if (is_turn(value.op)) return is_turn(call.op);
  if (call.op != value.op) return false;
  return value.op != Op::table || (call.table == value.b && call.derivative == value.c);
}

FunctionCall call_of(const LineValue& value) {
  FunctionCall call;
  call.op = is_turn(value.op) ? Op::sin : value.op;
  if (value.op == Op::table) call.table = value.b, call.derivative = value.c;
  return call;
}

// Puts the values of one stage into calls; each gets its call and its place in that call's arrays.
class Gathering {
 public:
  struct Seat {
    std::size_t call, place;
  };

  Seat seat(const LineValue& value) {
    auto call = std::find_if(calls.begin(), calls.end(), [&](const FunctionCall& c) { return serves(c, value); });
    if (call == calls.end()) {
      calls.push_back(call_of(value));
      places_.emplace_back();
      call = calls.end() - 1;
    }
    const auto index = static_cast<std::size_t>(call - calls.begin());
    const bool two = binary_batch(value.op) != nullptr;
    const auto [place, is_new] =
        places_[index].try_emplace({value.a, two ? value.b : -1}, static_cast<int>(call->arguments.size()));
    if (is_new) {
      call->arguments.push_back(value.a);
      if (two) call->second.push_back(value.b);
    }
    return {index, static_cast<std::size_t>(place->second)};
  }

  std::vector<FunctionCall> calls;

 private:
  std::vector<std::map<std::pair<int, int>, int>> places_;  // by arguments
};

}  // namespace

CalledFunctions::CalledFunctions(const StraightLine& line, int width)
    : calls_(line.blocks.size()), argument_entries_(line.values.size()), result_entry_(line.values.size(), -1) {
  for (std::size_t stage = 0; stage < line.blocks.size(); ++stage) {
    Gathering gathering;
    std::vector<Gathering::Seat> seats;
    for (int value : line.blocks[stage].calls) seats.push_back(gathering.seat(line.values[value]));
    for (FunctionCall& call : gathering.calls) place(call, width);
    for (std::size_t k = 0; k < seats.size(); ++k) {
      const int value = line.blocks[stage].calls[k];
      const FunctionCall& call = gathering.calls[seats[k].call];
      const int shift = line.values[value].op == Op::cos ? call.entries : 0;
      result_entry_[value] = call.first_result + shift + static_cast<int>(seats[k].place);
    }
    calls_[stage] = std::move(gathering.calls);
  }
}

void CalledFunctions::place(FunctionCall& call, int width) {
  const bool by_eights = call.op == Op::sin || call.op == Op::exp;
  const int full = by_eights ? std::max(1, 8 / width) : 1, count = static_cast<int>(call.arguments.size());
  call.entries = (count + full - 1) / full * full;
  call.first_argument = reserve(call.entries);
  if (!call.second.empty()) call.first_second = reserve(call.entries);
  call.first_result = reserve(call.op == Op::sin ? 2 * call.entries : call.entries);
  for (int k = 0; k < count; ++k) {
    argument_entries_[call.arguments[k]].push_back(call.first_argument + k);
    if (!call.second.empty()) argument_entries_[call.second[k]].push_back(call.first_second + k);
  }
}

int CalledFunctions::reserve(int entries) {
  entries_ += entries;
  return entries_ - entries;
}

}  // namespace armature::internal
