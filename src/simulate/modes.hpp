// The comparisons of a model while a run goes on. Between events every comparison has one outcome, its mode, and the
// right-hand side is smooth. At an event both outcomes are tried:
//
//   d(root)/dt has one sign for both           the root passes through zero: the mode changes
//   each outcome pushes the root back to zero  the mode slides (stiction): a weight between, with d(root)/dt = 0
//
// and sliding ends when the weight that would be needed leaves its range. From then on the mode, not the sign of the root,
// says which side the motion is on.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "simulate/outcome.hpp"
#include "simulate/root_noise.hpp"
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

  // After discrete values changed at a sample: comparisons that are now clearly on their other side change at once.
  void jump();

  bool sliding() const;

  // The first time in the integrator's last step at which a mode has to change. The roots are looked at at these parts of
  // the step, since one may cross twice.
  static constexpr std::array<double, 4> probes = {0.25, 0.5, 0.75, 1.0};
  static double probe_time(double t0, double t1, std::size_t probe) {
    return probes[probe] == 1 ? t1 : t0 + probes[probe] * (t1 - t0);
  }
  static double probe_time(const Integrator& integrator, std::size_t probe) {
    return probe_time(integrator.previous_t(), integrator.t(), probe);
  }
  std::optional<double> find_change(const Integrator& integrator);

  // The same where roots and weights are known, of each mode: whether all stay away from a change, by those at the end of the
  // step; and if they do not, the first change, by those at the probes.
  struct Probed {
    const double *roots, *weights;
  };
  bool stays_away(const Probed& end);
  std::optional<double> find_change(const Integrator& integrator, std::span<const Probed> probed);

  // There is no change if side() times root is negative at no probe, for all modes: one of which side() is zero needs a closer
  // look. Then pass() notes the step: the largest |root| of each mode, and that at the end.
  double side(int mode) const;
  void pass(const double* sizes, const double* end);

  // At the state (which is at the change): settles the modes that change there, and says what happened (quiet: nothing).
  std::vector<RunEvent> change();
  void be_quiet() { quiet_ = true; }
  std::string last_settled() const;  // the comparison that change() was asked for last, in words

 private:
  bool stay_away();  // by margin_ at the end of a step, which is noted if they do
  template <class Look>
  std::optional<double> find_change_by(const Integrator& integrator, const Look& look);  // look(probe): margin_ there
  void evaluate_margins(double t, const Eigen::VectorXd& x);  // into margin_; negative: must change
  void take_margins(const Probed& probed);
  void find_margins(const double* weights);  // from root_
  void evaluate_margins_on(const Integrator& integrator, double t);
  using Margin = SearchPoint;
  double first_change(const Integrator& integrator, double before, double after);
  double locate(const Integrator& integrator, int mode, Margin before, Margin after);
  double rate_with(int mode, ModeStatus status);  // d(root)/dt at the state
  void settle(int mode);
  bool stick_together(std::vector<RunEvent>& events);
  void follow_jumps(std::vector<RunEvent>& events);
  void set(int mode, ModeStatus status);
  double tolerance(int mode) const;  // by which a root may be on the other side until it is armed
  std::string name(int mode) const;
  void tell(int mode, ModeStatus before, std::vector<RunEvent>& events) const;

  Dynamics& dynamics_;
  State& state_;
  double relative_noise_;  // of a root, against the largest it has been
  RootNoise noise_;        // taken where modes were set last
  void note_roots();       // that nothing has to change where they are
  void note_end();
  Eigen::VectorXd root_, rates_, margin_, found_, last_found_, end_root_, x_, xdot_;
  Eigen::VectorXd before_, last_;  // margins at the ends of the last steps
  int ends_ = 0;                   // how many since a mode was set or anything jumped
  Eigen::VectorXd scale_;          // largest |root| seen
  Eigen::VectorXd slack_;          // twice as far as the root was on the other side when its mode was set
  int last_settled_ = 0;
  bool quiet_ = false;
  std::vector<char> armed_;  // the root has been clearly on its mode's side since the mode was set
};

}  // namespace armature
