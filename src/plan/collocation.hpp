// Direct collocation of a plan on the manifold of closed loops.
//
// Unknowns are the duration T, and at every point the state x = (q, v, z), the accelerations a, the multipliers lambda, and at every node the
// inputs u. With h = T (length of the interval), at the points j of an interval that begins at the node x0
//
//   q_j = q0 + h sum_i A_ji qdot(q_i, v_i)      v_j = v0 + h sum_i A_ji a_i      z_j = z0 + h sum_i A_ji zdot_i
//   M a_j + Phi' lambda_j = f(t, q_j, v_j, z_j, u_j)        Phi a_j = gamma
//
// No matrix is inverted: the equations stay regular where the actuated coordinates determine the others no longer (type II singular poses),
// and the inputs that carry the machine through it are found as any others. The acceleration's constraint lets positions and
// velocities drift by the error of the method; at the node at the end of each interval they return to the loops, across them:
//
//   q_3 = … + N Phi' mu,   phi(q_3) = 0          v_3 = … + Phi' nu,   phidot(q_3, v_3) = 0
//
// (projected collocation: U. Ascher, L. Petzold, SIAM J. Numer. Anal. 28 (1991) 1097; R. Bordalba et al., IEEE Trans. Robotics 39
// (2023) 183). Unit quaternions return to their norm likewise, along themselves.
#pragma once

#include "plan/nonlinear_program.hpp"
#include "plan/planned_machine.hpp"
#include "plan/planned_motion.hpp"

namespace armature::internal {

// A plan on a mesh as a program, and which of its rows are limits.
struct Transcription {
  struct LimitRow {
    int row, limit;  // of PlannedMachine::limits
  };
  NonlinearProgram program;
  std::vector<LimitRow> limit_rows;
};

class Collocation {
 public:
  Collocation(const PlannedMachine& machine, bool at_rest);

  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int nz() const { return nz_; }
  int nx() const { return nq_ + nv_ + nz_; }
  int nu() const { return nu_; }
  int rows() const { return m_; }
  bool at_rest() const { return at_rest_; }
  const PlannedMachine& machine() const { return machine_; }

  // The functions at a point, of T, t, q, v, z, a, lambda, u and the largest current.
  const LocalFunction& at_point() const { return at_point_; }
  int point_inputs_a() const { return 2 + nx(); }
  int point_inputs_lambda() const { return point_inputs_a() + nv_; }
  int point_inputs_u() const { return point_inputs_lambda() + m_; }
  int point_inputs() const { return point_inputs_u() + nu_ + 1; }
  int first_force() const { return nx(); }          // outputs: M a + Phi' lambda - f
  int first_closure() const { return nx() + nv_; }  // Phi a - gamma
  int first_limit() const { return nx() + nv_ + m_; }
  int limits() const { return static_cast<int>(machine_.limits.size()); }

  // phi, norms, targets and the path at a pose; of t, q, v, z.
  const LocalFunction& at_pose() const { return at_pose_; }
  int closures() const { return m_ + balls_; }  // the first of its outputs
  const std::vector<bool>& target_is_pose() const { return target_is_pose_; }
  const LocalFunction& rates() const { return rates_; }  // qdot, of t, q, v, z

  // On the mesh of the guess, with that guess.
  Transcription transcribe(const PlannedMotion& guess) const;
  std::vector<double> guess(const PlannedMotion& motion) const;  // its variables
  PlannedMotion motion(const std::vector<double>& mesh, const std::vector<double>& x) const;

  // Names of the limits that hold a motion back, the strongest first. rows, multipliers: of the program.
  std::vector<std::string> active_limits(const PlannedMotion& motion, const Transcription& transcription,
                                         const std::vector<double>& rows, const std::vector<double>& multipliers) const;

 private:
  using Terms = std::vector<NonlinearProgram::Term>;
  static constexpr int T_ = 0, largest_ = 1, first_ = 2;
  int interval_size() const { return 3 * point_size() + nu_ + 2 * m_ + balls_; }
  int point_size() const { return nx() + nv_ + m_; }
  int start_u() const { return first_ + nx(); }
  int interval(int k) const { return first_ + nx() + nu_ + k * interval_size(); }
  int point(int k, int j) const { return interval(k) + j * point_size(); }
  int node(int k) const { return k == 0 ? first_ : point(k - 1, 2); }
  int node_u(int k) const { return k == 0 ? start_u() : interval(k - 1) + 3 * point_size(); }
  int projection(int k) const { return interval(k) + 3 * point_size() + nu_; }  // mu, nu, norms

  void add_variables(const PlannedMotion& guess, NonlinearProgram& program) const;
  void add_interval(const PlannedMotion& guess, int k, Transcription& transcription) const;
  int add_limit(int k, Transcription& transcription) const;  // its row
  void add_ends(int intervals, Transcription& transcription) const;

  const PlannedMachine& machine_;
  bool at_rest_;
  int nq_, nv_, nz_, nu_, m_, balls_;
  LocalFunction at_point_, at_node_, at_start_, at_pose_, rates_;
  std::vector<int> start_limits_;
  std::vector<bool> target_is_pose_;
};

}  // namespace armature::internal
