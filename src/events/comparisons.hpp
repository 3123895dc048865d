// The comparisons of a model while a run goes on. Between events every comparison has one outcome, and the right-hand side is
// smooth. The step kernel finds where an outcome has to change (step/event_search.hpp) and what it changes to
// (step/comparison_changes.hpp); here the run's engine and memory are given to it, and what happened is put into words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "events/comparison_engine.hpp"
#include "step/comparison_changes.hpp"

namespace armature::internal {

class Comparisons {
 public:
  // Keeps references: dynamics evaluates, state holds the outcomes.
  Comparisons(Dynamics& dynamics, State& state, double rtol);
  Comparisons(const Comparisons&) = delete;
  bool any() const { return !memory_.empty(); }
  bool sliding() const { return changes_.sliding(); }

  // Outcomes at the start, from the roots; a root that is zero is settled as at an event.
  void begin();

  // What is held changes at the state, by change(), and is given to the dynamics; or velocities jump. Roots that jump with them set their
  // outcomes, which is no event of its own.
  template <class Change>
  void change_held(const Change& change) {
    jump([&](const auto& given) { changes_.change_held(state_.t, state_.x.data(), given); }, change);
  }
  template <class Change>
  void jump_with(const Change& change) {
    jump([&](const auto& given) { changes_.jump_with(state_.t, state_.x.data(), given); }, change);
  }

  // The first time in the integrator's last step at which an outcome has to change; and where roots and weights are known already.
  using Known = step::ComparisonChanges<ComparisonEngine>::Known;
  std::optional<double> find_change(const Integrator& integrator);
  std::optional<double> find_change(const Integrator& integrator, const Known& known);
  void forget_beginning() { engine_.forget_beginning(); }                 // of the next step: roots have jumped
  long range_evaluations() const { return engine_.range_evaluations(); }  // of all roots, so far

  // For a host that integrates by itself. margins: how far each comparison is from its change at (t, x), negative where it has to
  // change. arrives: whether one has to change at the state; if not, a step of the host ends there.
  void margins(double t, const double* x, double* margins);
  bool arrives() { return any() && changes_.arrive(state_.t, state_.x.data()); }

  // At the state (which is at the change): settles the outcomes that change there, and says what happened (quiet: nothing).
  std::vector<RunEvent> change();
  void be_quiet() { engine_.be_quiet(); }
  std::string last_settled() const { return engine_.name(std::max(changes_.fired(), 0)); }  // in words
  // One that has changed so often in a row although what it compares was nothing but round-off, in words.
  std::optional<std::string> fluttering(int changes) const;

 private:
  step::EventMemory memory();
  template <class Jump, class Change>
  void jump(const Jump& jump, const Change& change) {
    const auto given = [&] { change(), engine_.take_outcomes(); };
    any() ? jump(given) : given();
    engine_.take_events();
  }

  State& state_;
  ComparisonEngine engine_;
  std::vector<step::Comparison> memory_;
  std::vector<step::Guard> guards_;
  std::vector<step::Flutter> flutters_;
  std::vector<double> numbers_;
  Eigen::VectorXd x_;  // between both ends of a step
  step::ComparisonChanges<ComparisonEngine> changes_;
};

}  // namespace armature::internal
