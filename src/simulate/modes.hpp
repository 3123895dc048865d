// The comparisons of a model while a run goes on. Between events every comparison has one outcome, its mode, and the
// right-hand side is smooth. Where its root becomes zero both outcomes are tried:
//
//   d(root)/dt has one sign for both           the root passes through zero: the mode changes
//   each outcome pushes the root back to zero  the mode slides (stiction): a weight between, with d(root)/dt = 0
//
// and sliding ends when the weight that would be needed leaves its range. Where a root jumps, since another mode or a sampled
// value has changed, its sign gives the mode. A floor changes where its argument leaves [n, n + 1).
//
// A mode that was settled at a zero holds until its root is clearly on its side (it is armed from then on), or on the other one.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "simulate/outcome.hpp"
#include "simulate/root_noise.hpp"
#include "simulate/zero_crossings.hpp"
#include "simulate/zero_search.hpp"
#include "system/state.hpp"

namespace armature {

class Modes {
 public:
  // Keeps references: dynamics evaluates, state holds the modes.
  Modes(Dynamics& dynamics, State& state, double rtol);
  bool any() const { return !state_.mode.empty(); }

  // Outcomes at the start, from the roots; a root that is zero is settled as at an event.
  void begin();

  // What a sample at the state sees, given to the evaluator: where a root is zero but for round-off, its formula's outcome at
  // equality. The modes stay.
  void show_equalities();

  // Before and after discrete values change at a sample: roots that jump set their modes.
  void before_jump();
  void jump();

  bool sliding() const;

  // The first time in the integrator's last step at which a mode has to change.
  std::optional<double> find_change(const Integrator& integrator);
  // The same where roots and weights of all modes at the end of the step are known, and while modes slide those in the middle.
  struct Known {
    const double *roots, *weights;
  };
  std::optional<double> find_change(const Integrator& integrator, const Known& middle, const Known& end);

  // At the state (which is at the change): settles the modes that change there, and says what happened (quiet: nothing).
  std::vector<RunEvent> change();
  void be_quiet() { quiet_ = true; }
  std::string last_settled() const;  // the comparison that change() was asked for last, in words

 private:
  const Graph::Mode& mode(int k) const { return dynamics_.system().equations().graph->modes()[std::size_t(k)]; }
  bool is_floor(int k) const { return mode(k).kind == Graph::ModeKind::floor; }
  bool slides(int k) const { return state_.mode[std::size_t(k)] == ModeStatus::sliding; }

  // Margins: how far a mode is from its change; negative: it must change. Of sliding ones by their weights.
  void evaluate_roots(double t, const Eigen::VectorXd& x);
  void evaluate_margins(double t, const Eigen::VectorXd& x);
  void evaluate_roots_on(const Integrator& integrator, double t);
  void take_root_margins();
  double weight_margin(const double* weights, int k) const;
  double weight_margin(const double* weights) const;  // the least of those that slide
  double weight_margin_on(const Integrator& integrator, double t);

  std::optional<double> search(const Integrator& integrator, std::optional<double> middle_weight);
  void put_guards();
  std::optional<double> find_zero(const Integrator& integrator);
  double first_zero(const Integrator& integrator, const ZeroCrossings::Part& part);
  bool arm_between(const Integrator& integrator, int mode, double half, double t);
  std::optional<double> find_slip(const Integrator& integrator, double until, std::optional<double> middle_weight);
  std::optional<double> walk_to_slip(const Integrator& integrator, double until, std::optional<double> middle_weight);
  std::optional<double> slip_between(const Integrator& integrator, SearchPoint from, SearchPoint to,
                                     std::optional<double> middle, int depth);
  template <class Margin>
  double locate(const Margin& margin, SearchPoint before, SearchPoint after);
  void note_end();

  std::optional<double> edge(int mode) const;     // the root's value at equality, if it is there but for round-off
  double rate_with(int mode, ModeStatus status);  // d(root)/dt at the state
  void cross(int mode, ModeStatus status);
  void settle(int mode);
  void settle_floor(int mode);
  void leave_zero(int mode);
  void release(int mode, double weight);
  bool stick_together(std::vector<RunEvent>& events);
  void follow_jumps(std::vector<RunEvent>& events);
  bool follow_jump(int mode, double root);
  void set(int mode, ModeStatus status);
  void set_outcome(int mode, double outcome);
  double tolerance(int mode) const;  // by which a root may be on the other side until it is armed
  std::string name(int mode) const;
  void tell(int mode, double before, ModeStatus status_before, std::vector<RunEvent>& events) const;

  Dynamics& dynamics_;
  State& state_;
  double relative_noise_;  // of a root, against the largest it has been
  RootNoise noise_;        // taken where modes were set last
  PathRanges ranges_;
  ZeroCrossings crossings_;
  std::vector<Guard> guards_;
  Eigen::VectorXd seen_;  // outcomes that a sample sees
  Eigen::VectorXd root_, rates_, margin_, end_root_, end_margin_, before_jump_, x_, xdot_;
  Eigen::VectorXd scale_;                     // largest |root| seen
  Eigen::VectorXd slack_;                     // twice as far as the root was on the other side when its mode was set
  std::optional<double> last_weight_margin_;  // at the end of the last step
  double pace_ = 0;                           // of the walk along weights, s; 0: not known yet
  int fired_ = 0;                             // the mode that the last change was found for
  bool quiet_ = false;
  std::vector<char> armed_;    // the root has been clearly on its mode's side since the mode was set
  std::vector<char> crosses_;  // the mode was set where its root passes through zero at a rate that is no round-off
};

}  // namespace armature
