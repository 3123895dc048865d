#include "expression/program.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "expression/batch.hpp"
#include "expression/interruption.hpp"
#include "expression/machine_code.hpp"

namespace armature::internal {

namespace {

// The nodes that the outputs need, operands first, each with its level: one more than its highest operand.
struct Schedule {
  std::vector<std::int32_t> operations;  // in order of level, kind, id
  std::vector<std::int32_t> levels;      // of the operations
  std::vector<std::int32_t> leaves, constants;
};

// Within a loop over nodes or operations: some milliseconds of them pass between two questions.
void ask_at(std::int64_t k) {
  if (k % (1 << 18) == 0) stop_if_interrupted();
}

// Sorted by level and kind, and within them by id. Counted: comparing nodes takes longer than all the rest.
void sort_operations(const Graph& graph, const std::vector<std::int32_t>& level, Schedule& schedule) {
  constexpr std::size_t kinds = static_cast<std::size_t>(Op::table) + 1;
  const auto key = [&](std::int32_t id) {
    return static_cast<std::size_t>(level[id]) * kinds + static_cast<std::size_t>(graph[id].op);
  };
  std::size_t highest = 0;
  for (const std::int32_t id : schedule.operations) highest = std::max(highest, key(id));
  std::vector<std::int32_t> first(highest + 2, 0);
  for (const std::int32_t id : schedule.operations) ++first[key(id) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  stop_if_interrupted();
  std::vector<std::int32_t> sorted(schedule.operations.size());
  for (const std::int32_t id : schedule.operations) sorted[first[key(id)]++] = id;
  schedule.operations = std::move(sorted);
  for (const std::int32_t id : schedule.operations) schedule.levels.push_back(level[id]);
}

std::int32_t highest_of(std::span<const Expression> outputs) {
  std::int32_t highest = -1;
  for (const Expression& output : outputs)
    if (!output.is_constant()) highest = std::max(highest, output.id());
  return highest;
}

// Node ids grow from operands to results, so one sweep down marks what is needed and one sweep up gives the levels.
Schedule make_schedule(const Graph& graph, std::span<const Expression> outputs) {
  const std::int32_t highest = highest_of(outputs);
  std::vector<std::int32_t> level(highest + 1, -1);
  for (const Expression& output : outputs)
    if (!output.is_constant()) level[output.id()] = 0;
  // down: what the outputs need
  Schedule schedule;
  for (std::int32_t id = highest; id >= 0; --id) {
    ask_at(id);
    if (level[id] < 0) continue;
    const Node& node = graph[id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) level[operands[k]] = 0;
  }
  // up: the level of each, one more than that of its highest operand
  for (std::int32_t id = 0; id <= highest; ++id) {
    ask_at(id);
    if (level[id] < 0) continue;
    const Node& node = graph[id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) level[id] = std::max(level[id], level[operands[k]] + 1);
    if (node.op == Op::constant)
      schedule.constants.push_back(id);
    else if (level[id] == 0)
      schedule.leaves.push_back(id);
    else
      schedule.operations.push_back(id);
  }
  sort_operations(graph, level, schedule);
  stop_if_interrupted();
  return schedule;
}

// Functions are called for many arguments at once, so none of a run may wait for another: f(f(x)).
bool goes_on(const Schedule& schedule, std::size_t i, Op op) {
  const auto is_call = [&] { return unary_batch(op) || binary_batch(op); };
  return !is_call() || schedule.levels[i] == schedule.levels[i - 1];
}

// Those packs of which all members are needed, by their places among the operations.
std::vector<std::array<std::int32_t, pack_width>> scheduled_packs(const std::vector<std::int32_t>& operations,
                                                                  std::span<const Pack> packs, std::int32_t nodes) {
  std::vector<std::array<std::int32_t, pack_width>> result;
  if (packs.empty()) return result;
  std::vector<std::int32_t> place(nodes, -1);
  for (std::size_t i = 0; i < operations.size(); ++i) place[operations[i]] = static_cast<std::int32_t>(i);
  for (const Pack& pack : packs) {
    std::array<std::int32_t, pack_width> places{};
    for (int k = 0; k < pack_width; ++k) places[k] = pack[k].is_constant() ? -1 : place[pack[k].id()];
    if (std::find(places.begin(), places.end(), -1) == places.end()) result.push_back(places);
  }
  return result;
}

}  // namespace

// Machine code that has been made, by the number of lanes.
struct Program::CodeCache {
  std::mutex mutex;
  std::map<int, std::shared_ptr<const MachineCode>> by_lanes;
};

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs, std::span<const Pack> packs,
                 int common)
    : input_count_(static_cast<int>(inputs.size())), common_count_(common) {
  stop_if_interrupted();
  Graph* graph = nullptr;
  for (const Expression& output : outputs)
    if (!output.is_constant()) graph = output.graph();
  std::vector<std::int32_t> slot;  // by node id; -1: none
  std::int32_t slots = input_count_;
  if (graph) {
    const std::int32_t highest = highest_of(outputs);
    slot.assign(highest + 1, -1);
    tables_ = graph->tables();
    Schedule schedule = make_schedule(*graph, outputs);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!inputs[i].is_constant() && inputs[i].id() <= highest) slot[inputs[i].id()] = static_cast<std::int32_t>(i);
    for (std::int32_t id : schedule.leaves)
      if (slot[id] < 0) {
        const Node& node = (*graph)[id];
        throw std::logic_error("a program's output depends on a leaf that is not among its inputs: " +
                               (node.op == Op::input ? graph->inputs()[node.a] : graph->comparisons()[node.a].label));
      }
    for (std::int32_t id : schedule.constants) {
      constants_.push_back((*graph)[id].value);
      slot[id] = slots++;
    }

    // last use of every value: an output lives to the end
    std::vector<std::int32_t> last_use(highest + 1, 0);
    for (std::size_t i = 0; i < schedule.operations.size(); ++i) {
      ask_at(static_cast<std::int64_t>(i));
      const Node& node = (*graph)[schedule.operations[i]];
      const std::int32_t operands[] = {node.a, node.b, node.c};
      for (int k = 0; k < operand_count(node.op); ++k) last_use[operands[k]] = static_cast<std::int32_t>(i);
    }
    for (const Expression& output : outputs)
      if (!output.is_constant()) last_use[output.id()] = static_cast<std::int32_t>(schedule.operations.size());

    operations_.reserve(schedule.operations.size());
    std::vector<std::int32_t> free_slots;
    for (std::size_t i = 0; i < schedule.operations.size(); ++i) {
      ask_at(static_cast<std::int64_t>(i));
      const std::int32_t id = schedule.operations[i];
      const Node& node = (*graph)[id];
      Operation operation{slot[node.a], node.b, node.c, 0};
      const int count = operand_count(node.op);
      if (count >= 2) operation.b = slot[node.b];
      if (count == 3) operation.c = slot[node.c];
      std::int32_t operands[] = {node.a, node.b, node.c};
      for (int k = 0; k < count; ++k) {
        const bool repeated = std::find(operands, operands + k, operands[k]) != operands + k;
        const Op op = (*graph)[operands[k]].op;
        if (!repeated && last_use[operands[k]] == static_cast<std::int32_t>(i) && operand_count(op) > 0)
          free_slots.push_back(slot[operands[k]]);
      }
      if (free_slots.empty()) {
        operation.result = slots++;
      } else {
        operation.result = free_slots.back();
        free_slots.pop_back();
      }
      slot[id] = operation.result;
      operations_.push_back(operation);
      if (runs_.empty() || runs_.back().op != node.op || !goes_on(schedule, i, node.op)) runs_.push_back({node.op, 0});
      ++runs_.back().count;
    }
    packs_ = scheduled_packs(schedule.operations, packs, graph->size());
  }
  // Outputs that are plain numbers get constants of their own, behind everything else: their slots are prepared once.
  std::vector<std::pair<std::size_t, double>> plain;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].is_constant()) {
      plain.emplace_back(i, outputs[i].value());
      output_slots_.push_back(-1);
    } else {
      output_slots_.push_back(slot[outputs[i].id()]);
    }
  }
  for (auto [index, value] : plain) {
    output_slots_[index] = slots++;
    output_constants_.push_back({output_slots_[index], value});
  }
  slot_count_ = slots;
  code_ = std::make_shared<CodeCache>();
}

void Program::prepare(double* work) const { prepare_lanes(1, work); }

void Program::prepare_lanes(int W, double* work) const {
  for (std::size_t i = 0; i < constants_.size(); ++i) std::fill_n(work + (input_count_ + i) * W, W, constants_[i]);
  for (auto [slot, value] : output_constants_) std::fill_n(work + static_cast<std::size_t>(slot) * W, W, value);
}

// One loop a run of equal operations; the lanes of a slot lie next to each other.
template <int W>
void Program::run(double* r) const {
  const Operation* o = operations_.data();
  // one operand, lane by lane
  auto each = [&](int count, auto f) {
    for (const Operation* end = o + count; o != end; ++o)
      for (int k = 0; k < W; ++k) f(r[o->result * W + k], r[o->a * W + k], k);
  };
  // two operands: a loop that the compiler turns into vector instructions
  auto pairs = [&](int count, auto f) {
    for (const Operation* end = o + count; o != end; ++o) {
      const double* a = r + o->a * W;
      const double* b = r + o->b * W;
      double* result = r + o->result * W;
      for (int k = 0; k < W; ++k) result[k] = f(a[k], b[k]);
    }
  };
  // Arguments are gathered, many at a time, for functions that work on arrays.
  auto batches = [&](int count, auto f) {
    constexpr int room = 64 / W;
    double x1[room * W], x2[room * W], y[room * W];
    for (const Operation* end = o + count; o != end;) {
      const int n = std::min<int>(room, static_cast<int>(end - o));
      for (int i = 0; i < n; ++i) std::copy_n(r + o[i].a * W, W, x1 + i * W);
      f(o, n, x1, x2, y);
      for (int i = 0; i < n; ++i) std::copy_n(y + i * W, W, r + o[i].result * W);
      o += n;
    }
  };
  for (const Run& group : runs_) {
    const int n = group.count;
    switch (group.op) {
      case Op::add: pairs(n, [](double a, double b) { return a + b; }); break;
      case Op::sub: pairs(n, [](double a, double b) { return a - b; }); break;
      case Op::mul: pairs(n, [](double a, double b) { return a * b; }); break;
      case Op::div: pairs(n, [](double a, double b) { return a / b; }); break;
      case Op::kept_above: pairs(n, [](double a, double b) { return a > b ? a : b; }); break;
      case Op::kept_below: pairs(n, [](double a, double b) { return a < b ? a : b; }); break;
      case Op::neg: each(n, [](double& y, double x, int) { y = -x; }); break;
      case Op::sqrt: each(n, [](double& y, double x, int) { y = std::sqrt(x); }); break;
      case Op::table: each(n, [&](double& y, double x, int) { y = tables_[o->b]->evaluate(x, o->c); }); break;
      case Op::select:
        each(n, [&](double& y, double w, int k) {
          const double a = r[o->b * W + k], b = r[o->c * W + k];
          y = w == 1 ? a : w == 0 ? b : w * a + (1 - w) * b;
        });
        break;
      case Op::atan2:
      case Op::pow:
        batches(n, [&](const Operation* first, int count, const double* x1, double* x2, double* y) {
          for (int i = 0; i < count; ++i) std::copy_n(r + first[i].b * W, W, x2 + i * W);
          binary_batch(group.op)(x1, x2, y, count * W);
        });
        break;
      case Op::constant:
      case Op::input:
      case Op::outcome: break;  // never scheduled
      default:
        batches(n, [&](const Operation*, int count, const double* x1, double*, double* y) {
          unary_batch(group.op)(x1, y, count * W);
        });
    }
  }
}

void Program::evaluate(const double* in, double* out, double* work) const {
  std::copy_n(in, input_count_, work);
  run<1>(work);
  for (std::size_t i = 0; i < output_slots_.size(); ++i) out[i] = work[output_slots_[i]];
}

void Program::evaluate_lanes(int W, const double* in, double* out, double* work, const double* common) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(common_count_); ++i)
    std::fill_n(work + i * W, W, common[i * lane_count]);
  std::copy_n(in, static_cast<std::size_t>(input_count_ - common_count_) * W,
              work + static_cast<std::size_t>(common_count_) * W);
  switch (W) {
    case 2: run<2>(work); break;
    case 4: run<4>(work); break;
    case 8: run<8>(work); break;
    case 16: run<16>(work); break;
    default: throw std::logic_error("a program runs on 2, 4, 8 or 16 lanes");
  }
  for (std::size_t i = 0; i < output_slots_.size(); ++i)
    std::copy_n(work + static_cast<std::size_t>(output_slots_[i]) * W, W, out + i * W);
}

std::shared_ptr<const MachineCode> Program::machine_code(int lanes) const {
  if (!code_ || !machine_code_allowed()) return nullptr;
  const std::lock_guard lock(code_->mutex);
  const auto known = code_->by_lanes.find(lanes);
  if (known != code_->by_lanes.end()) return known->second;
  return code_->by_lanes[lanes] = MachineCode::translate(*this, lanes);
}

bool Program::has_machine_code(int lanes) const {
  if (!code_ || !machine_code_allowed()) return true;
  const std::lock_guard lock(code_->mutex);
  return code_->by_lanes.contains(lanes);
}

namespace {

// Assembling costs as much as some hundred evaluations; what is evaluated that often is worth it.
constexpr int worth_translating = 50;
constexpr int worth_a_thread = 500;  // operations to translate, at about a microsecond each

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Program> program, int lanes) : program_(std::move(program)), lanes_(lanes) {
  allocate(program_->work_size() * static_cast<std::size_t>(lanes));
  program_->prepare_lanes(lanes_, work());
}

void Evaluator::allocate(std::size_t numbers) { work_.assign((numbers + lane_count - 1) / lane_count, LaneRow{}); }

void Evaluator::operator()(const double* in, double* out, const double* common) {
  if (code_) return (*code_)(in, out, work(), common);
  interpret(in, out, common);
  if (++evaluations_ == worth_translating) translate();
}

void Evaluator::translate() {
  if (!program_ || code_) return;
  code_ = program_->machine_code(lanes_);
  if (code_) allocate(code_->work_size());
}

void translate(std::span<Evaluator* const> evaluators) {
  // programs that have no machine code yet
  std::vector<const Evaluator*> open;
  int operations = 0;
  for (const Evaluator* evaluator : evaluators) {
    if (!evaluator->program_ || evaluator->program_->has_machine_code(evaluator->lanes_)) continue;
    open.push_back(evaluator);
    operations += evaluator->program_->operation_count();
  }
  // on two threads, the longest first; the second one can be interrupted as this one can
  if (operations >= worth_a_thread && std::thread::hardware_concurrency() > 1) {
    std::sort(open.begin(), open.end(), [](const Evaluator* a, const Evaluator* b) {
      return a->program_->operation_count() > b->program_->operation_count();
    });
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t k = next++; k < open.size(); k = next++) {
        stop_if_interrupted();
        open[k]->program_->machine_code(open[k]->lanes_);
      }
    };
    const bool may_stop = Abandonable::now();
    auto other = std::async(std::launch::async, [&, stop = Interruption::current()] {
      const Interruption interruption(stop);
      if (!may_stop) return work();
      const Abandonable abandonable;
      work();
    });
    work();
    other.get();
  }
  // the code is there: take it
  for (Evaluator* evaluator : evaluators) evaluator->translate();
}

void Evaluator::interpret(const double* in, double* out, const double* common) {
  if (lanes_ == 1)
    program_->evaluate(in, out, work());
  else
    program_->evaluate_lanes(lanes_, in, out, work(), common);
}

}  // namespace armature::internal
