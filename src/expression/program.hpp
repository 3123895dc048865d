// A Program is the flat form of some expressions: operations on numbered slots, inputs first, then constants, then
// intermediate values. It evaluates one state, or W states ("lanes") that share the dispatch; nothing is allocated.
//
// Operations are ordered by level (all operands are ready) and kind, so that one dispatch serves a run of equal
// operations; slots are reused as soon as their value is dead, so that W lanes stay in cache. A lane's result has the same
// bits whatever the number of lanes, and whether it is interpreted or translated to machine code (see machine_code.hpp).
//
// The first inputs may be common to all lanes: each is one number, which the lanes share. They stand in rows of lane_count, as the
// outputs of another program on lanes stand: a lane of that program's state is what all lanes here have in common.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expression/graph.hpp"
#include "expression/pack.hpp"
#include "step/lanes.hpp"

namespace armature::internal {

class MachineCode;

class Program {
 public:
  struct Operation {
    std::int32_t a, b, c, result;  // slots; for a table b is the table and c the order of derivative
  };
  struct Run {
    Op op;
    std::int32_t count;  // operations of this kind that follow one another
  };

  Program() = default;

  // inputs: the leaves (inputs and outcomes) in the order in which evaluate() takes them; outputs may be constants.
  // Packs are a hint. common: so many of the inputs, the first, are common to all lanes. Throws std::logic_error if an output depends
  // on a leaf that is not among the inputs.
  Program(std::span<const Expression> inputs, std::span<const Expression> outputs, std::span<const Pack> packs = {},
          int common = 0);

  // in: inputs, out: outputs, work: at least work_size() numbers, prepared once by prepare(). For programs without common inputs.
  void evaluate(const double* in, double* out, double* work) const;
  void prepare(double* work) const;  // writes the constants

  // The same for W lanes, lane by lane next to each other: in[i*W + lane], out[i*W + lane], work of W*work_size().
  // W is 2, 4, 8 or 16. common: the common inputs, number i at common[i*lane_count]; in holds the others.
  void evaluate_lanes(int W, const double* in, double* out, double* work, const double* common = nullptr) const;
  void prepare_lanes(int W, double* work) const;

  // The program as machine code for so many lanes, made on the first call and shared; null: interpret it.
  std::shared_ptr<const MachineCode> machine_code(int lanes) const;
  bool has_machine_code(int lanes) const;  // that call is over

  int input_count() const { return input_count_; }    // the common ones included
  int common_count() const { return common_count_; }  // of them
  int output_count() const { return static_cast<int>(output_slots_.size()); }
  int work_size() const { return slot_count_; }
  int operation_count() const { return static_cast<int>(operations_.size()); }

  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Operation>& operations() const { return operations_; }
  const std::vector<double>& constants() const { return constants_; }  // in slots input_count() …
  const std::vector<std::pair<std::int32_t, double>>& output_constants() const { return output_constants_; }
  const std::vector<std::int32_t>& output_slots() const { return output_slots_; }
  const std::vector<std::array<std::int32_t, pack_width>>& packs() const { return packs_; }  // numbers of operations
  const std::vector<std::shared_ptr<const Table>>& tables() const { return tables_; }

 private:
  struct CodeCache;

  template <int W>
  void run(double* slots) const;

  int input_count_ = 0, common_count_ = 0;
  int slot_count_ = 0;
  std::vector<double> constants_;
  std::vector<std::pair<std::int32_t, double>> output_constants_;  // slots of outputs that are plain numbers
  std::vector<Run> runs_;
  std::vector<Operation> operations_;
  std::vector<std::int32_t> output_slots_;
  std::vector<std::array<std::int32_t, pack_width>> packs_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::shared_ptr<CodeCache> code_;
};

// A program with its own memory, for one thread, on one lane or several. The first evaluations are interpreted; a program
// that is evaluated again and again is translated to machine code.
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(std::shared_ptr<const Program> program, int lanes = 1);
  void operator()(const double* in, double* out, const double* common = nullptr);
  void translate();  // now, for a program that will be evaluated often by code that must not allocate
  const Program& program() const { return *program_; }

 private:
  friend void translate(std::span<Evaluator* const> evaluators);
  void interpret(const double* in, double* out, const double* common);
  void allocate(std::size_t numbers);  // zeros
  double* work() { return reinterpret_cast<double*>(work_.data()); }

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const MachineCode> code_;
  int lanes_ = 1, evaluations_ = 0;
  std::vector<LaneRow> work_;  // rows of cache lines: no vector lies across two
};

// All of them now, by two threads where there is much to do.
void translate(std::span<Evaluator* const> evaluators);

}  // namespace armature::internal
