#include "couple/coupled_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "couple/foreign_fmu.hpp"
#include "model/findings.hpp"
#include "model/limits.hpp"
#include "model/request_error.hpp"
#include "read/fmu_uses.hpp"
#include "run/paused_run.hpp"
#include "step/sample_clock.hpp"

namespace armature::internal {

namespace {

// The reader has looked for it in the file as it was then.
const FmuPort& port_named(const FmuUse& use, const std::vector<FmuPort>& ports, const std::string& name) {
  const auto found = std::ranges::find(ports, name, &FmuPort::name);
  if (found != ports.end()) return *found;
  throw RequestError(
      fmt::format("{}: the file has changed while the model was read: the FMU has no '{}' any more", use.file, name));
}

// One FMU with its clock, and the places of its signals in the run.
class CoupledFmu {
 public:
  CoupledFmu(const FmuArchive& archive, PausedRun& run, FmuProcess::Wanted wanted)
      : run_(run),
        name_(archive.use.name),
        fmu_(archive, std::move(wanted)),
        clock_{archive.use.step, run.state().t, 0} {
    const FmuUse& use = archive.use;
    const FmuInterface& interface = fmu_.interface();
    std::vector<FmuValue> parameters;
    for (const auto& [name, value] : use.parameters)
      parameters.push_back({port_named(use, interface.parameters, name), value});
    fmu_.exchange(parameters);
    for (const std::string& name : use.connected) {
      const auto channel = std::ranges::find(run.channels(), use.name + "." + name, &Channel::name);
      channels_.push_back(static_cast<std::size_t>(channel - run.channels().begin()));
      given_.push_back({port_named(use, interface.inputs, name)});
    }
    const std::vector<std::string>& inputs = run.prepared().system->equations().p_name;
    for (const FmuPort& port : interface.outputs) {
      const auto input = std::ranges::find(inputs, use.name + "." + port.name);
      if (input == inputs.end()) continue;
      places_.push_back(static_cast<int>(input - inputs.begin()));
      taken_.push_back({port});
    }
  }

  void initialize(double end) {
    read_inputs();
    fmu_.exchange(given_);
    fmu_.initialize(run_.state().t, end);
  }
  double next() const { return clock_.time(); }
  bool due(double t) const { return clock_.due(t); }

  void exchange() {
    read_inputs();
    fmu_.exchange(given_, taken_);
    for (std::size_t k = 0; k < taken_.size(); ++k) run_.set_parameter(places_[k], taken_[k].number);
  }
  void step() {
    const double t = clock_.time();
    clock_.tick();
    fmu_.step(t, clock_.time() - t);
  }

  void end(Findings& findings) {
    for (const std::string& deed : fmu_.end())
      findings.push_back(finding<FindingCode::fmu>("fmu"_a = name_, "deed"_a = deed));
  }

 private:
  void read_inputs() {
    const std::vector<double>& values = run_.values();
    for (std::size_t k = 0; k < given_.size(); ++k) {
      given_[k].number = values[channels_[k]];
      if (!std::isfinite(given_[k].number))
        throw ComputationError(
            fmt::format("fmus.{}.connect.{} has no finite value; change its formula, or end the run before that time",
                        name_, given_[k].port.name));
    }
  }

  PausedRun& run_;
  std::string name_;
  ForeignFmu fmu_;
  step::SampleClock clock_;
  std::vector<FmuValue> given_, taken_;
  std::vector<std::size_t> channels_;  // of what is given
  std::vector<int> places_;            // among the inputs of the machine, of what is taken
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

namespace {

Outcome follow(const std::vector<FmuArchive>& archives, PausedRun& run, CoupledFmus& fmus, double end,
               const FmuProcess::Wanted& wanted) {
  double last = end;  // an FMU may step beyond the end of the run
  for (const FmuArchive& archive : archives) {
    fmus.push_back(std::make_unique<CoupledFmu>(archive, run, wanted));
    last = std::max(last, end + archive.use.step);
  }
  for (const auto& fmu : fmus) fmu->initialize(last);
  while (run.state().t < end) {
    communicate(fmus, run.state().t);
    if (!run.advance(next_time(fmus, end))) return *run.outcome();
    if (!wanted()) throw FmuUnwanted();
  }
  return run.finish();
}

}  // namespace

// Where an FMU fails, what was computed is kept.
Outcome simulate_coupled(const Model& model, const std::vector<FmuArchive>& archives, const Prepared& prepared,
                         Recorder& recorder, const Progress& progress, const Warn& warn) {
  refuse_exchanges(model, prepared.options.end);
  Prepared hosted = prepared;
  hosted.options.open_ended = true;
  PausedRun run(hosted, &recorder);
  run.warn_with(warn);
  const FmuProcess::Wanted wanted = [&] { return !progress || progress(run.state().t, run.statistics().steps); };
  CoupledFmus fmus;
  Outcome outcome;
  try {
    outcome = follow(archives, run, fmus, prepared.options.end, wanted);
  } catch (const FmuUnwanted& unwanted) {
    outcome = run.stop(unwanted.what());
  } catch (const ComputationError& error) {
    outcome = run.fail(error.what());
  }
  for (const auto& fmu : fmus) fmu->end(outcome.findings);
  return outcome;
}

}  // namespace armature::internal
