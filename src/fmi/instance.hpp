// One instance of an FMU, whatever the version of the standard: the state machine, the values, the motion. The functions of binary/ say
// the same in the words of FMI 2.0 and 3.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi/host_values.hpp"
#include "fmi/hosted_motion.hpp"
#include "fmi/sensitivities.hpp"
#include "fmi/variables.hpp"
#include "run/paused_run.hpp"

namespace armature::internal {

// As both standards number them.
enum class FmuStatus { ok, warning, discard, error, fatal };

class FmuInstance {
 public:
  enum class Interface { model_exchange, co_simulation };
  // In which an instance is; `failed`: an error has ended the simulation.
  enum Mode : unsigned {
    instantiated = 1,
    initialization = 2,
    event = 4,
    continuous = 8,
    step = 16,
    terminated = 32,
    failed = 64
  };
  static constexpr unsigned running = event | continuous | step;
  static constexpr unsigned any_mode = 127;
  using Log = std::function<void(FmuStatus status, const char* category, const std::string& sentence)>;

  struct Options {
    Interface interface = Interface::co_simulation;
    bool event_mode = false;    // co-simulation with event mode (FMI 3.0)
    bool early_return = false;  // and a step may end at an event
  };
  // Throws what reading and compiling throw.
  FmuInstance(const std::filesystem::path& resources, const std::string& token, const Options& options, Log log);

  const Options& options() const { return options_; }
  Mode mode() const { return mode_; }
  void set_logging(bool on, std::vector<std::string> categories);
  void say(FmuStatus status, const char* category, const std::string& sentence) const;
  // Runs f() in one of the modes. Otherwise, and where f throws, a sentence is logged and the status is `error`.
  template <class F>
  FmuStatus call(const char* function, unsigned modes, const F& f);

  // What the C functions do, one by one. They throw where they fail.
  void setup(std::optional<double> tolerance, double start, std::optional<double> stop);
  void enter_initialization() { mode_ = initialization; }
  void exit_initialization();
  void enter_event_mode() { mode_ = event; }
  void enter_continuous_mode() { mode_ = continuous; }
  void enter_step_mode();
  void terminate();
  void reset();

  double get(std::uint32_t reference);
  void set(std::uint32_t reference, double value);

  int states() const { return variables_.states; }
  int indicators() const { return variables_.indicators; }
  double t() const;
  void set_time(double t);
  void set_states(const double* x, std::size_t count);
  void get_states(double* x, std::size_t count);
  void get_nominals(double* nominals, std::size_t count) const;
  void get_rates(double* rates, std::size_t count);  // FmuDiscard where they cannot be evaluated
  void get_indicators(double* indicators, std::size_t count);
  bool complete_step() { return motion_->complete_step(); }
  struct Update {
    bool again = false, state_changed = false;
    std::optional<double> next_event;
  };
  Update update();

  struct Step {
    bool event = false, early = false;
    double last = 0;
  };
  Step do_step(double t, double length);
  double last_time() const { return t(); }

  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              const double* seed, double* sensitivity);
  void adjoint_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                          const double* seed, double* sensitivity);
  std::vector<std::uint32_t> dependencies(std::uint32_t reference) const;  // of an output, a rate or an indicator

  // Everything needed to go on from here, with the same bits every time.
  struct Saved {
    Mode mode;
    HostValues values;
    std::optional<double> stop;
    State state;
    Eigen::VectorXd inputs;
    bool sampled = false;
  };
  std::unique_ptr<Saved> save();
  void restore(const Saved& saved);
  std::vector<std::uint8_t> bytes_of(const Saved& saved) const;
  std::unique_ptr<Saved> saved_of(std::span<const std::uint8_t> bytes) const;  // throws RequestError

 private:
  const FmuVariable& variable(std::uint32_t reference) const;
  void set_parameter(const FmuVariable& variable, double value);
  void set_input(const FmuVariable& variable, double value);
  void set_start(const FmuVariable& variable, double value);
  void require_count(std::size_t count, int wanted, const char* what) const;
  void rebuild();          // the machine, with what the host has set
  void make_motion();      // at the start of the machine
  void refresh();          // so that values are those of what was set
  void take_parameters();  // while it runs: the machine anew, its state kept
  const State& state() const;
  const Eigen::VectorXd& inputs() const;
  HostedMotion& view();  // the motion, or one at the state of the run
  Sensitivities& sensitivities_here();
  void log_events();
  void log_findings(const Findings& findings) const;
  void refuse_other_structure(const HostMachine& other) const;

  Options options_;
  Log log_;
  bool logging_ = false;
  std::vector<std::string> categories_;
  std::string token_;
  FmuModel source_;
  HostValues values_;
  std::optional<double> stop_;
  Mode mode_ = instantiated;
  std::unique_ptr<HostMachine> machine_;
  FmuVariables variables_;
  bool is_stale_ = false;                 // the machine is older than what was set
  bool parameters_wait_ = false;          // for the machine to be made anew while it runs
  std::unique_ptr<PausedRun> run_;        // of a co-simulation
  std::unique_ptr<HostedMotion> motion_;  // of a model exchange
  std::unique_ptr<HostedMotion> view_;
  std::unique_ptr<Sensitivities> sensitivities_;
  std::size_t logged_ = 0;           // events of the run
  std::vector<std::string> warned_;  // what the run has said before its end
};

// A result that the standard knows besides success and failure: the values cannot be evaluated here.
struct FmuDiscard : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class F>
FmuStatus FmuInstance::call(const char* function, unsigned modes, const F& f) {
  if (!(mode_ & modes)) {
    static constexpr const char* names[] = {
        "instantiated", "in initialization mode", "in event mode", "in continuous-time mode", "in step mode",
        "terminated",   "in its error state"};
    int k = 0;
    while ((1u << k) != mode_) ++k;
    say(FmuStatus::error, "logStatusError",
        std::string(function) + " must not be called while the instance is " + names[k]);
    return FmuStatus::error;
  }
  try {
    f();
    return FmuStatus::ok;
  } catch (const FmuDiscard& discard) {
    say(FmuStatus::discard, "logStatusDiscard", std::string(function) + ": " + discard.what());
    return FmuStatus::discard;
  } catch (const std::exception& error) {
    say(FmuStatus::error, "logStatusError", std::string(function) + ": " + error.what());
    return FmuStatus::error;
  }
}

}  // namespace armature::internal
