// Run: one motion, which the host program advances. simulate(): a whole motion at once.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "armature/machine.hpp"

namespace armature {

struct Event {
  double t = 0;      // s
  std::string what;  // "joint theta1: sticks", "condition 'x > 5' (line 7) is now true"
};

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0;
  double smallest_step = 0, largest_step = 0;     // s
  int smallest_rank = -1;                         // of Phi along the motion; -1: unknown
  double constraint_error = 0, energy_error = 0;  // largest |phi| of a recorded row; largest energy error, J
  double seconds = 0;                             // computing time
};

// A warning, or the reason of a failure: a row of the table in docs/trust.md.
struct Finding {
  std::string code, severity, sentence;
};

struct Outcome {
  enum class Status { running, finished, stopped, failed };
  Status status = Status::running;
  std::string sentence;  // how and when it ended, and what to try
  std::vector<std::string> warnings;
  std::vector<Event> events;
  Statistics statistics;
  std::vector<Finding> findings = {};  // the warnings and the reason of a failure, by code
};

// Recorded rows, with one value for each channel. The first channel is t.
class ARMATURE_API Trajectory {
 public:
  const std::vector<Channel>& channels() const { return channels_; }
  std::size_t rows() const { return channels_.empty() ? 0 : values_.size() / channels_.size(); }
  std::span<const double> row(std::size_t k) const { return {values_.data() + k * channels_.size(), channels_.size()}; }
  const std::vector<double>& values() const { return values_; }  // row by row
  std::vector<double> column(const std::string& name) const;     // throws Error if there is no such channel

  Trajectory() = default;

 private:
  friend struct internal::Access;
  std::vector<Channel> channels_;
  std::vector<double> values_;
};

struct RunOptions {
  bool record = false;          // record rows at the machine's interval, for Run::trajectory()
  const State* from = nullptr;  // start from this state instead; see Run::set_state()
};

// The state of a run at one time, with its inputs. Restored runs continue with the same bits.
struct Snapshot {
  State state;
  std::vector<double> inputs;
};

// Use a run from one thread at a time. An input keeps its value until it is set again.
class ARMATURE_API Run {
 public:
  explicit Run(Machine machine, const RunOptions& options = {});
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  const Machine& machine() const;
  double t() const;
  State state() const;

  // Inputs, by number in Machine::inputs() or by name. Values are in SI units.
  int input(const std::string& name) const;  // throws Error if there is no such input
  void set_input(int input, double value);
  void set_input(const std::string& name, double value) { set_input(input(name), value); }
  double get_input(int input) const;

  // Each throws Error if the motion cannot continue; everything up to that time is kept.
  void advance(double t);  // to exactly t
  void step(double length) { advance(t() + length); }
  void step();  // one step of the integrator, which chooses the length

  // Channels at the present time with the present inputs: coordinates, points, currents, multipliers, energies, … as in
  // trajectory.csv. A new input takes effect immediately, except in controllers that sample at this time: they take their samples
  // when the run continues.
  const std::vector<Channel>& channels() const;
  int channel(const std::string& name) const;  // throws Error if there is no such channel
  double value(int channel) const;
  double value(const std::string& name) const { return value(channel(name)); }
  std::span<const double> values() const;

  // Continues from this state, including its t. A state that satisfies the constraints is used unchanged; one that nearly does is
  // projected onto them; one that is too far off is an Error (see Machine::assemble). Recording restarts.
  void set_state(const State& state);
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);
  // Events so far: changes of comparisons, and events of the file (`record: events:`).
  std::vector<Event> events() const;
  Outcome finish();                      // ends and checks the run; trajectory() is then complete
  Outcome stop(const std::string& why);  // ends the run early: the status is stopped, the sentence tells when and why
  Outcome outcome() const;               // the outcome so far, or the final one
  Trajectory trajectory() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct Motion {
  Trajectory trajectory;
  Outcome outcome;
  State last;
};

// Simulates from the start to Machine::end(), with the rows and checks of `armature run`, bit for bit. progress is called after
// every step and may return false to stop; its exceptions propagate. A motion that fails is returned up to the failure.
using Progress = std::function<bool(double t, long steps)>;
ARMATURE_API Motion simulate(const Machine& machine, const Progress& progress = {});
// Simulates from another state, including its t; see Run::set_state(). A state from Machine::branches() gives the same bits as
// `armature run --branch`, the last state of a motion the same bits as --from.
ARMATURE_API Motion simulate(const Machine& machine, const State& from, const Progress& progress = {});

}  // namespace armature
