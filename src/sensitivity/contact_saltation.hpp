// S across an instant at which rigid contacts change (events/contacts.hpp).
//
// Four roots of a contact may be zero there: its gap where it is struck, its sliding velocity s where it begins to stick, its force N where it
// lifts off, and friction N - |T| where it slips. Velocities jump by impulses p along the rows G of normals and tangents, whose velocities are
// r = (gap', s):
//
//   M (v+ - v) + Phi' mu = G' p,    phidot+ = 0,    and of each row    p = 0,   r+ = -e r,   r+ = 0   or   p = -+ friction p of the normal
//
// Which of the last holds is what the impact itself has found; it is the same for all motions nearby. Differentiated along D = (dx, dp, …) of the
// state before, with v+, mu and p as unknowns of their own,
//
//   M dv+ + Phi' dmu - G' dp = M dv - dR,    Phi dv+ = -dphidot,    and the rows likewise
//
// where dR and dphidot are exact derivatives at fixed v, v+, mu and p (directional.hpp). Where restitutions are reduced so that the energy does not
// grow, their common factor is one more unknown, and p'(r + r+) = 0 one more equation.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/contact_rows.hpp"
#include "events/contact_change.hpp"
#include "linear/decompositions.hpp"
#include "sensitivity/motion_sensitivity.hpp"

namespace armature::internal {

// Made once (it writes expressions into the graph), then copied, one per thread.
class ContactSaltation {
 public:
  explicit ContactSaltation(const std::shared_ptr<const System>& system);
  ContactSaltation(const ContactSaltation& other);
  ContactSaltation& operator=(const ContactSaltation&) = delete;

  enum Root { gap, sliding, force, cone };  // root k of contact i: roots_of_contact i + k
  static constexpr int roots_of_contact = 4;
  int roots() const { return roots_of_contact * count_; }
  const std::string& label(int root) const;  // of its contact

  void set_parameters(const Eigen::VectorXd& parameters);
  void roots_at(const State& state, Eigen::Ref<Eigen::VectorXd> roots);
  void root_changes(const State& state, const Eigen::MatrixXd& directions,
                    Eigen::MatrixXd& changes);  // a row for each root
  void velocity_changes(const State& state, const Eigen::MatrixXd& directions,
                        Eigen::MatrixXd& changes);  // of gap' and s of each contact first

  bool is_closed(const State& state, int contact) const;
  bool sticks(const State& state, int contact) const;
  // Roots that may have been zero, by what has changed.
  std::vector<int> changed(const State& before, const State& after, const ContactImpulses& impulses) const;
  // What the tolerances leave uncertain of a gap and of its rate.
  struct Uncertain {
    double gap, rate;
  };
  Uncertain uncertain(const State& state, int contact, const Eigen::VectorXd& atol, double rtol);

  // Rows of the velocities in D: from before the impulses to after them. `motion` is at the state after. A sentence: there is none.
  std::string hit(MotionSensitivity& motion, const State& before, const State& after, const ContactImpulses& impulses,
                  Eigen::MatrixXd& D);

 private:
  struct Rows;  // the linear equations of one impulse
  std::string hit_once(MotionSensitivity& motion, const ContactImpulse& impulse, State& state, Eigen::MatrixXd& D);

  std::shared_ptr<const System> system_;
  Layout n_;
  int count_;
  Evaluator values_;                           // gap, s, N, friction N, T of each contact
  Directional changes_of_roots_, velocities_;  // of these; of r and the coefficients
  Directional impulse_;                        // M (v - u) + Phi' mu - G' p, phidot, r; u, mu and p being given
  SystemEvaluator evaluator_;
  ContactRows rows_;
  Configuration configuration_;
  Eigen::MatrixXd changes_;
};

}  // namespace armature::internal
