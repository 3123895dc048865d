// Inverse dynamics of closed loops: the efforts u of the actuators with which the machine moves as its rows of wanted
// motion (C) say, while its loops (L) close:
//
//   M vdot + L' lambda - B u = f0,   L vdot = gamma_L,   C vdot = gamma_C
//
// The motion is kept by the actuators alone, wherever they act: C has no multipliers. With the motions N that the loops
// allow, vdot = particular + N y, and coordinates in which N'MN is the identity, the rows C fix the part Q'y of y:
//
//   (Q'B) u = Q'y - Q'f0        u of least norm; what no u produces is the lack
//
// and the rest of y follows from u: a machine with fewer rows than freedoms moves there as its own dynamics say.
//
// Where a speed that is compared is zero but for round-off, as that of dry friction at rest, the sign of the root says nothing:
//
//   the root moves on at once          its outcome is that of the motion that follows
//   weights can hold it (it sticks)    they do
//   it rests because the motion does   the mean of both sides acts, as in equilibrium: friction takes no part
//
// Efforts enter f = f0 + B u as free parameters of the system; others that are free hold still. Rates of the efforts along the motion come from the same
// equations, differentiated exactly (effort_rates.hpp).
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "dynamics/effort_rates.hpp"
#include "dynamics/resting_comparisons.hpp"
#include "linear/decompositions.hpp"
#include "system/system.hpp"

namespace armature::internal {

class InverseDynamics {
 public:
  // motion: for each row of the system whether it is one of wanted motion; efforts: their places among its parameters.
  // order: of the rates of efforts that rates() finds.
  InverseDynamics(const std::shared_ptr<const System>& system, const std::vector<bool>& motion,
                  const std::vector<int>& efforts, int order = 0);

  // For another motion: as if it were made anew. parameters: all of them; the efforts among them do not matter.
  void restart(const Eigen::VectorXd& parameters);
  // Where the motion begins, its typical rate, 1/s, and how soon after a rest it counts as moving on, s.
  void measure(const State& start, double rate, double soon);

  // Comparisons as they are at a state, for what the evaluator is asked there.
  void set_outcomes_at(double t, const double* x);
  // The same at the state that was solved, but for entries of x on which no force depends: what rests there is as it was solved.
  void set_outcomes_at_solution(double t, const double* x);

  const Eigen::VectorXd& outcomes() const { return w_; }  // of comparisons, as set or solved last
  // Whether a comparison changes the motion of what is left free, at the state that was solved.
  bool moves_freedoms(int comparison);

  // At a state of the motion, at which some comparisons are known to stick. False: M is not positive definite, something is not finite,
  // or no efforts were found.
  bool solve(double t, const Eigen::VectorXd& x, const std::vector<int>& sticking = {});
  // After solve(): u', u'', … up to the order, and the accelerations' rates.
  bool rates();

  const Eigen::VectorXd& effort(int order = 0) const { return motion_[order].effort; }
  const Eigen::VectorXd& acceleration(int order = 0) const { return motion_[order].vdot; }
  const std::vector<MotionLevel>& motion() const { return motion_; }
  const Terms& terms() const { return terms_; }  // with the efforts in f and zdot

  double rate() const { return rate_; }                       // of the motion, 1/s, as measured
  bool may_stick() const { return comparisons_.any_acts(); }  // some force changes with the sign of a speed
  int undetermined() const { return undetermined_; }          // freedoms that loops and wanted motion leave
  double lack() const { return lack_; }  // part of what the motion demands that no effort produces, 0 to 1
  // Grip of the actuators on the motion: the smallest singular value of Q'B against the size of B. 0: some of the motion
  // is beyond them, always or at this pose.
  double grip() const { return grip_; }
  // Sign of the determinant of the equations where they are square, else 0: changes at a pose where the grip is lost.
  int orientation() const { return orientation_; }
  SystemEvaluator& evaluator() { return evaluator_; }  // with the efforts set
  const System& system() const { return evaluator_.system(); }
  const EffortRates& effort_rates() const { return effort_rates_; }
  // Expressions of the state, the efforts and their rates, at what was solved.
  void evaluate(Evaluator& program, std::vector<double>& out) { effort_rates_.run(program, evaluator_, motion_, out); }

 private:
  void apply(const Eigen::VectorXd& effort);
  bool settle();               // outcomes and efforts, but for comparisons that rest
  bool solve_with_outcomes();  // with the comparisons as they are set
  void take_other_outcomes();  // than those that rest
  bool rest(double t, const Eigen::VectorXd& x);
  bool stick(std::vector<int>& moved);
  bool root_rates_of(const std::vector<int>& comparisons, Eigen::VectorXd& rates);
  void linearize_at(const Eigen::VectorXd& effort);
  void take_slopes(const Eigen::VectorXd& effort);
  bool factor();
  void factor_motion();
  void find_orientation();
  // M vdot + L' lambda - B u = force,  Phi vdot = gamma, and u's part that does nothing
  void solve_for(const Eigen::VectorXd& force, const Eigen::VectorXd& gamma, const Eigen::VectorXd* idle,
                 MotionLevel& level);
  Eigen::VectorXd idle_rate();
  Eigen::VectorXd reduced(const Eigen::VectorXd& force) const;   // G^-1 N' force
  Eigen::VectorXd expanded(const Eigen::VectorXd& y) const;      // N G^-T y
  Eigen::VectorXd loop_part(const Eigen::VectorXd& r) const;     // the least vdot with L vdot = r
  Eigen::VectorXd least_effort(const Eigen::VectorXd& r) const;  // the least u that comes nearest to A u = r

  SystemEvaluator evaluator_;
  EffortRates effort_rates_;
  std::vector<int> efforts_;
  Eigen::VectorXd parameters_;
  std::vector<int> wanted_, loops_;  // rows
  Terms terms_;
  Eigen::MatrixXd B_, L_, C_, N_, Q_, Z_, A_;
  Eigen::LLT<Eigen::MatrixXd> G_;  // N'MN = G G'
  LeastNorm L_solve_, Lt_solve_;
  PivotedQr C_qr_;  // of (D^-1 C N G^-T)', D the norms of the rows
  Eigen::VectorXd C_scale_;
  Svd A_svd_;
  Eigen::Index A_rank_ = 0;
  std::vector<MotionLevel> motion_;  // vdot, lambda, effort, and their rates
  Eigen::VectorXd w_;
  RestingComparisons comparisons_;
  std::vector<int> resting_;  // at the state that was solved
  double rate_ = 1, soon_ = 0;
  std::unique_ptr<Evaluator> slopes_;  // df/du, where f is not linear in u
  std::vector<double> slope_;
  int undetermined_ = 0, orientation_ = 0;
  double lack_ = 0, grip_ = 0;
};

}  // namespace armature::internal
