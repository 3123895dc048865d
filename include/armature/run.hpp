// Run: one motion, moved forward by its host. simulate(): a whole motion at once.
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
  std::string what;  // "theta1: sticks", "x > 5: becomes true"
};

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0;
  double smallest_step = 0, largest_step = 0;        // s
  int smallest_rank = -1;                            // of Phi along the motion; -1: not known
  double constraint_error = 0, energy_error = 0;     // largest |phi| of a recorded row; J
  double seconds = 0;                                // of computing
};

struct Outcome {
  enum class Status { running, finished, stopped, failed };
  Status status = Status::running;
  std::string sentence;  // how it ended, where, and what to try
  std::vector<std::string> warnings;
  std::vector<Event> events;
  Statistics statistics;
};

// Recorded rows: one value for each channel, the first of which is t.
class ARMATURE_API Trajectory {
 public:
  const std::vector<Channel>& channels() const { return channels_; }
  std::size_t rows() const { return channels_.empty() ? 0 : values_.size() / channels_.size(); }
  std::span<const double> row(std::size_t k) const { return {values_.data() + k * channels_.size(), channels_.size()}; }
  const std::vector<double>& values() const { return values_; }  // row by row
  std::vector<double> column(const std::string& name) const;     // throws Error: there is no such channel

  Trajectory() = default;

 private:
  friend struct internal::Access;
  std::vector<Channel> channels_;
  std::vector<double> values_;
};

struct RunOptions {
  bool record = false;         // rows at the machine's interval, for Run::trajectory()
  const State* from = nullptr;  // in place of the machine's start; see Run::set_state()
};

// A run at one time: where it is, and its inputs. Restored runs continue with the same bits.
struct Snapshot {
  State state;
  std::vector<double> inputs;
};

// Use a run from one thread at a time. Inputs hold from when they are set until they are set again.
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
  int input(const std::string& name) const;  // throws Error: there is no such input
  void set_input(int input, double value);
  void set_input(const std::string& name, double value) { set_input(input(name), value); }
  double get_input(int input) const;

  // Each throws Error if the motion cannot go on; everything up to there is kept.
  void advance(double t);                // to exactly t
  void step(double length) { advance(t() + length); }
  void step();                           // one step of the integrator, of the length that it chooses

  // Channels at the present time with the present inputs: coordinates, points, currents, multipliers, energies, … as in
  // trajectory.csv. A new input shows at once in all of them but those of controllers that sample at this time: they take their samples
  // when the run goes on.
  const std::vector<Channel>& channels() const;
  int channel(const std::string& name) const;  // throws Error: there is no such channel
  double value(int channel) const;
  double value(const std::string& name) const { return value(channel(name)); }
  std::span<const double> values() const;

  // Goes on from there, t included. A state that satisfies the constraints is taken as it is, one that nearly does is projected onto
  // them; Error: it is too far off (Machine::assemble). Recording restarts.
  void set_state(const State& state);
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);
  // So far: changes of comparisons, and events of the file (`record: events:`).
  std::vector<Event> events() const;
  Outcome finish();                    // ends the run and judges it; trajectory() is complete then
  Outcome stop(const std::string& why);  // the same before its time: the status is stopped, the sentence says when and why
  Outcome outcome() const;             // so far, or how it ended
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

// From the start to Machine::end(), with the rows and the judgement of `armature run`: the same bits. progress is called after
// every step and may return false to stop; what it throws is passed on. A motion that fails is returned as far as it got.
using Progress = std::function<bool(double t, long steps)>;
ARMATURE_API Motion simulate(const Machine& machine, const Progress& progress = {});
// From another state, t included; see Run::set_state(). One of Machine::branches() gives the bits of `armature run --branch`, the last
// state of a motion those of --from.
ARMATURE_API Motion simulate(const Machine& machine, const State& from, const Progress& progress = {});

}  // namespace armature
