#include "simulate/kinematics.hpp"

#include <fmt/format.h>

#include <chrono>

#include "dynamics/assembly.hpp"
#include "dynamics/redundancy.hpp"
#include "simulate/rows.hpp"
#include "simulate/setup.hpp"

namespace armature {

Model driven(Model model, const std::string& name, const std::string& formula) {
  const std::string text = fmt::format("{} - ({})", name, formula);
  PrescribedConstraint drive{"--move " + name, {}, "prescribed", {}};
  try {
    drive.zero = parse_formula(text, {});
  } catch (const FormulaError& error) {
    throw ModelError(model.file, {{{}, "--move " + name, error.what()}});
  }
  model.prescribed.push_back(drive);
  // the drive decides: what the file keeps of this coordinate becomes a guess
  std::erase_if(model.start.keep, [&](const StartEntry& entry) { return entry.name == name; });
  std::erase_if(model.start.speed_keep, [&](const StartEntry& entry) { return entry.name == name; });
  return model;
}

namespace {

void take_modes(SystemEvaluator& evaluator, State& state) {
  evaluator.set(state.t, state.x.data());
  evaluator.take_modes(state.w);
  const std::vector<Graph::Mode>& modes = evaluator.system().equations().graph->modes();
  for (std::size_t k = 0; k < modes.size(); ++k) state.mode[k] = status_of(modes[k], state.w[Eigen::Index(k)]);
}

}  // namespace

Outcome move(const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  const RunOptions& options = prepared.options;
  auto dynamics = make_dynamics(prepared);
  SystemEvaluator& evaluator = dynamics->evaluator();
  Rows rows(*dynamics, recorder, Rows::Known::positions);
  State state = prepared.start;
  rows.begin(state);
  Outcome outcome;
  const auto began = std::chrono::steady_clock::now();
  auto end = [&](RunStatus status, std::string sentence) {
    outcome.status = status;
    outcome.sentence = std::move(sentence);
    outcome.last = state;
    outcome.statistics.constraints = prepared.system->layout().m;
    outcome.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    rows.report(outcome.statistics);
    return outcome;
  };
  const long count = std::max(1L, std::lround((options.end - prepared.start.t) / options.record));
  for (long k = 0; k <= count; ++k) {
    State next = state;
    next.t = k == count ? options.end : prepared.start.t + k * options.record;
    // predict along the last velocity, then close the loops again
    Configuration(prepared.system->equations())
        .advance(next.x.data(), Eigen::VectorXd((next.t - state.t) * state.x.segment(prepared.system->layout().nq,
                                                                                     prepared.system->layout().nv))
                                    .data());
    take_modes(evaluator, next);
    if (!correct(evaluator, next))
      return end(RunStatus::failed,
                 fmt::format("the loops cannot close at t = {:.6g} s; they did at t = {:.6g} s", next.t, state.t));
    state = next;
    evaluator.set(state.t, state.x.data());
    evaluator.next_discrete(state.d);
    dynamics->set_state(state);
    rows.write(state.t, state.x);
    if (progress && !progress(state.t, k))
      return end(RunStatus::stopped, fmt::format("stopped at t = {:.6g} s", state.t));
  }
  return end(RunStatus::finished, fmt::format("reached t = {:g} s", options.end));
}

}  // namespace armature
