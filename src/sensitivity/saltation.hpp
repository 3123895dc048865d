// S across an instant at which the laws of the motion change.
//
// An event takes place where a root is zero, at a time that moves with the parameters: with the motion before it
//
//   dtau = - (root_x dx + root_d dd + root_p dp) / (d root/dt)
//
// Up to that time the old laws hold, from then on the new ones, and an impulse may act between them, x+ = g(t, x-, p):
//
//   D = dx- + xdot- dtau        dx+ = g_x D + g_t dtau + g_p dp - xdot+ dtau
//
// (the saltation matrix). What comes to rest at the event sticks from then on: xdot+ keeps the root at zero, and dx+ is tangent to it. Where
// a weight ends its range, breakaway, the weight takes the place of the root.
//
// Where laws or sampled values jump, what slides may need a weight far outside its range, and a contact a force that it does not have. The
// event that lets it go follows at once, and nothing is zero there: its time is that of the jump, which is fixed at a sample.
//
// Rigid contacts have roots and impulses of their own (contact_saltation.hpp).
//
// There is no derivative where the root only grazes zero, or where two roots that are independent of one another become zero at one
// instant: nearby motions know them one by one, in either order.
//
// Samples take place at times that are fixed: dd follows from what is sampled.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sensitivity/contact_saltation.hpp"
#include "sensitivity/motion_sensitivity.hpp"

namespace armature::internal {

// An instant, as a run came to it and as it goes on.
struct Instant {
  State before, after;
  std::optional<ContactImpulses> contacts;  // where they have changed
  Eigen::VectorXd flow_before, flow_after;  // directions of the motion itself
  Eigen::MatrixXd S_before, S_after;
  Eigen::RowVectorXd shift;  // dtau, one a column; not finite: the time has no derivative
  std::string why_no_shift;  // then
};

// How large roots have been, and what they were at the beginning of the piece that ends here: tells crossings from grazing. And when
// something has jumped: tells what follows a jump.
struct RootHistory {
  Eigen::VectorXd scale, piece_start;
  double piece = 0;                                        // s
  double rtol = 1e-6;                                      // of the run
  Eigen::VectorXd atol;                                    // likewise
  double jump = -std::numeric_limits<double>::infinity();  // the last event or sample, s
  Eigen::RowVectorXd jump_shift;                           // dtau of that time
  bool follows_jump(double t) const;
};

// Made once (it writes expressions into the graph), then copied, one per thread.
class Saltation {
 public:
  Saltation(const std::shared_ptr<const System>& system, const std::vector<int>& sliders);
  void set_parameters(const Eigen::VectorXd& parameters);
  int roots() const { return n_.nw + contacts_.roots(); }
  void roots(MotionSensitivity& motion, const State& state,
             Eigen::VectorXd& roots);  // of comparisons, then of contacts

  // Fills all of `instant` but both states and S_before. A sentence: why S has no value from here on; empty: it has.
  std::string cross(MotionSensitivity& motion, const RootHistory& history, Instant& instant);

  // At the state that a sample sees; due: discrete values that are taken.
  void sample(const State& seen, const std::vector<bool>& due, Eigen::MatrixXd& S);

  // Contacts that are closed at the start. A sentence: motions nearby have no such start.
  std::string closed_at_once(const State& before, const State& after, const Eigen::MatrixXd& S);
  // What has begun to stick without an event of its own, at the start or with a sample, must stick for all motions nearby. A sentence: it
  // does not.
  std::string held_at_once(const State& before, const State& after, const Eigen::MatrixXd& S);

 private:
  // A root that is zero at the instant.
  struct Zero {
    std::string name;
    Eigen::RowVectorXd change;
    double rate;
    bool grazes;
  };
  std::vector<Zero> zeros_of_comparisons(MotionSensitivity& motion, const RootHistory& history, const Instant& instant,
                                         const Eigen::MatrixXd& directions);
  void add_zeros_of_contacts(MotionSensitivity& motion, const RootHistory& history, const Instant& instant,
                             const Eigen::MatrixXd& directions, std::vector<Zero>& zeros);
  void find_shift(MotionSensitivity& motion, const RootHistory& history, Instant& instant);
  std::string hit(MotionSensitivity& motion, const Instant& instant, Eigen::MatrixXd& D);
  void hit_constraints(MotionSensitivity& motion, const Instant& instant, Eigen::MatrixXd& D);
  static std::string stay(Instant& instant);
  bool differs(const State& before, const State& after) const;
  std::string name(int comparison) const;

  std::shared_ptr<const System> system_;
  Layout n_;
  Directional roots_, next_, energy_;
  ContactSaltation contacts_;
  Directional impulse_;  // M (v - u) + Phi' mu, phidot; u and mu being given
  int work_ = -1;        // the state that holds the work of impulses; -1: there are none
  Eigen::VectorXd root_;
  Eigen::MatrixXd changes_, rate_;
};

}  // namespace armature::internal
