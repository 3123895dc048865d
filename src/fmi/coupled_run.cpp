#include "fmi/coupled_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fmi/foreign_fmu.hpp"
#include "model/file_kind.hpp"
#include "model/limits.hpp"
#include "model/request_error.hpp"
#include "read/fmu_uses.hpp"
#include "run/paused_run.hpp"
#include "step/sample_clock.hpp"

namespace armature::internal {

namespace {

std::string archive_of(const FmuUse& use) {
  std::optional<std::string> bytes = read_file(use.file);
  if (!bytes) throw RequestError(fmt::format("{}: the file cannot be read", use.file));
  return *std::move(bytes);
}

const FmuPort& port_named(const std::vector<FmuPort>& ports, const std::string& name) {
  return *std::ranges::find(ports, name, &FmuPort::name);  // the reader has looked for it
}

// One FMU with its clock, and the places of its signals in the run.
class CoupledFmu {
 public:
  CoupledFmu(const FmuUse& use, PausedRun& run)
      : run_(run), name_(use.name), fmu_(use.name, archive_of(use)), clock_{use.step, run.state().t, 0} {
    for (const auto& [name, value] : use.parameters) fmu_.set(port_named(fmu_.interface().parameters, name), value);
    const std::vector<std::string>& inputs = run.prepared().system->equations().p_name;
    for (const std::string& name : use.connected) {
      const auto channel =
          std::ranges::find(run.channels(), use.name + "." + name, &Channel::name) - run.channels().begin();
      inputs_.push_back({port_named(fmu_.interface().inputs, name), static_cast<int>(channel)});
    }
    for (const FmuPort& port : fmu_.interface().outputs) {
      const auto input = std::ranges::find(inputs, use.name + "." + port.name);
      if (input != inputs.end()) outputs_.push_back({port, static_cast<int>(input - inputs.begin())});
    }
  }

  void initialize(double end) {
    give_inputs();
    fmu_.initialize(run_.state().t, end);
  }
  double next() const { return clock_.time(); }
  bool due(double t) const { return clock_.due(t); }

  void exchange() {
    give_inputs();
    for (const Signal& output : outputs_) run_.set_parameter(output.place, fmu_.get(output.port));
  }
  void step() {
    const double t = clock_.time();
    clock_.tick();
    fmu_.step(t, clock_.time() - t);
  }

 private:
  struct Signal {
    FmuPort port;
    int place;  // of an input: its channel; of an output: the input of the machine
  };
  void give_inputs() {
    for (const Signal& input : inputs_) {
      const double value = run_.values()[static_cast<std::size_t>(input.place)];
      if (!std::isfinite(value))
        throw ComputationError(
            fmt::format("fmus.{}.connect.{} has no finite value; change its formula, or end the run before that time",
                        name_, input.port.name));
      fmu_.set(input.port, value);
    }
  }

  PausedRun& run_;
  std::string name_;
  ForeignFmu fmu_;
  step::SampleClock clock_;
  std::vector<Signal> inputs_, outputs_;
};

using CoupledFmus = std::vector<std::unique_ptr<CoupledFmu>>;

void communicate(CoupledFmus& fmus, double t) {
  for (const auto& fmu : fmus)
    if (fmu->due(t)) fmu->exchange();
  for (const auto& fmu : fmus)
    if (fmu->due(t)) fmu->step();
}

double next_time(const CoupledFmus& fmus, double end) {
  double next = end;
  for (const auto& fmu : fmus) next = std::min(next, fmu->next());
  return next;
}

}  // namespace

void refuse_exchanges(const Model& model, double end) {
  for (const FmuUse& use : fmu_uses(model))
    if (end / use.step > limits::steps)
      throw ModelError(
          model, {{use.where, fmt::format("fmus.{}.step", use.name),
                   fmt::format("{:g} s makes {:.3g} exchanges until the end at {:g} s, more than the limit of {:g}; "
                               "exchange less often, or end earlier",
                               use.step, end / use.step, end, limits::steps)}});
}

Outcome simulate_coupled(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  const double end = prepared.options.end;
  refuse_exchanges(model, end);
  double last = end;  // an FMU may step beyond the end of the run
  Prepared hosted = prepared;
  hosted.options.open_ended = true;
  PausedRun run(hosted, &recorder);
  CoupledFmus fmus;
  for (const FmuUse& use : fmu_uses(model)) {
    fmus.push_back(std::make_unique<CoupledFmu>(use, run));
    last = std::max(last, end + use.step);
  }
  try {
    for (const auto& fmu : fmus) fmu->initialize(last);
    while (run.state().t < end) {
      communicate(fmus, run.state().t);
      if (!run.advance(next_time(fmus, end))) return *run.outcome();
      if (progress && !progress(run.state().t, run.statistics().steps)) return run.stop("the run was interrupted");
    }
  } catch (const ComputationError& error) {  // an FMU has failed; what was computed is kept
    return run.fail(error.what());
  }
  return run.finish();
}

}  // namespace armature::internal
