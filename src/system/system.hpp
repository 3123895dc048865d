// System: a compiled model. Immutable, shared by all threads; holds the programs that fill Terms and everything else that
// is a function of the state. One thread evaluates it through a SystemEvaluator, which owns the memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "mechanics/equations.hpp"
#include "system/state.hpp"
#include "system/terms.hpp"

namespace armature {

// Where the inputs of every program stand: t | q | v | z | d (discrete) | w (modes) | p (parameters).
struct Layout {
  int nq = 0, nv = 0, nz = 0, nd = 0, nw = 0, np = 0;
  int m = 0;  // constraint rows
  int nx() const { return nq + nv + nz; }
  int t() const { return 0; }
  int q() const { return 1; }
  int v() const { return q() + nq; }
  int z() const { return v() + nv; }
  int d() const { return z() + nz; }
  int w() const { return d() + nd; }
  int p() const { return w() + nw; }
  int size() const { return p() + np; }
};

struct SystemOptions {
  std::vector<int> independent_rows;  // rows that the traced solve uses; see dynamics/redundancy
  bool traced_solve = false;          // programs `acceleration`, `correct_position`, `correct_velocity`
  bool jacobian = false;              // programs for implicit integrators
};

class System {
 public:
  System(std::shared_ptr<const Equations> equations, const SystemOptions& options = {});

  const Equations& equations() const { return *equations_; }
  std::shared_ptr<const Equations> shared_equations() const { return equations_; }
  const Layout& layout() const { return layout_; }
  const SystemOptions& options() const { return options_; }

  State initial_state() const;  // the model's zero, not assembled; modes from the signs of their roots are not set

 private:
  friend class SystemEvaluator;
  struct Scatter {  // a program whose outputs fill matrices and vectors of Terms
    std::shared_ptr<const Program> program;
    std::vector<std::pair<int, int>> M, Phi;        // (output, column-major index); constants are written once
    int phi = -1, phidot = -1, gamma = -1, qdot = -1, f = -1, zdot = -1;  // first output of each, -1: not filled
  };
  Scatter make_scatter(bool position, bool velocity, bool force) const;

  std::shared_ptr<const Equations> equations_;
  Layout layout_;
  SystemOptions options_;
  std::vector<Expression> leaves_;             // of every program, in Layout's order
  std::vector<Expression> phidot_, gamma_;     // m
  std::vector<Expression> Phi_;                // m x nv, row by row
  Scatter position_, motion_, all_;
  std::shared_ptr<const Program> roots_, root_rates_, observables_, discrete_, start_position_, start_velocity_, reactions_;
  std::shared_ptr<const Program> acceleration_, correct_position_, correct_velocity_;  // traced solve
  std::shared_ptr<const Program> jacobian_;
  std::vector<std::array<int, 2>> jacobian_pattern_;
};

// What a recorder asks for at a state, in the order of Equations::quantities, then kinetic, potential, dissipation, power.
struct Observables {
  Eigen::VectorXd quantities;
  double kinetic = 0, potential = 0, dissipation = 0, applied_power = 0;
};

// One thread's access to a System: sets the inputs, runs programs, scatters their outputs. Allocates only when made.
class SystemEvaluator {
 public:
  explicit SystemEvaluator(std::shared_ptr<const System> system);
  const System& system() const { return *system_; }
  Terms make_terms() const;  // sized, constants written

  // Inputs. x is q, v, z one after the other. Modes, discrete values and parameters stay until set again.
  void set(double t, const double* x);
  void set_modes(const Eigen::VectorXd& w);
  void set_discrete(const Eigen::VectorXd& d);
  void set_parameters(const Eigen::VectorXd& p);

  // Each stage fills its part of Terms at the inputs that are set.
  void position(Terms& terms);  // M, Phi, phi
  void motion(Terms& terms);    // the above and phidot, gamma, qdot
  void all(Terms& terms);       // everything

  void roots(Eigen::VectorXd& roots);                       // root functions of the modes
  // d(root)/dt = root_t + root_q qdot + root_v vdot + root_z zdot, given vdot and zdot
  void root_rates(const Eigen::VectorXd& vdot, const Eigen::VectorXd& zdot, Eigen::VectorXd& rates);
  void observables(Observables& values);
  void next_discrete(Eigen::VectorXd& d);
  void reactions(const Eigen::VectorXd& vdot, const Eigen::VectorXd& lambda, Eigen::VectorXd& wrenches);  // 6 a joint

  // Start conditions and their derivatives along v: residuals of keep, then near; J is (keep + near) x nv.
  void start_position(Eigen::VectorXd& residual, Eigen::MatrixXd& J);
  void start_velocity(Eigen::VectorXd& residual, Eigen::MatrixXd& J);  // speed_keep, then speed_near

  // Traced solve on the independent rows (SystemOptions). The pivots of S = Phi M^-1 Phi' come with their scales S_ii:
  // ratio = smallest pivot / scale. Below about 1e-8 the result is not to be used.
  struct Traced {
    Eigen::VectorXd vdot, lambda;  // nv, independent rows
    Eigen::VectorXd qdot, zdot;
    double ratio = 1;
  };
  void acceleration(double alpha, double beta, Traced& result);
  // Steps dv with  M dv + Phi' mu = 0,  Phi dv = -phi  (position; q moves by N dv)  or  = -phidot  (velocity).
  struct Correction {
    Eigen::VectorXd dv;        // nv
    double error = 0;          // largest |phi| or |phidot| of the independent rows before the step
    double ratio = 1;
  };
  void correct_position(Correction& result);
  void correct_velocity(Correction& result);
  // The same step for any residual r of the independent rows: Phi dv = -r (projection of error estimates).

  // Derivatives of  r = M a + Phi' lambda - f  along q (through N), v and z, with a and lambda given; and of phi, phidot,
  // gamma, qdot, zdot: what implicit integrators need.
  struct Jacobian {
    Eigen::MatrixXd r_q, r_v, r_z;            // nv x nq, nv x nv, nv x nz
    Eigen::MatrixXd qdot_q, qdot_v;           // nq x nq, nq x nv
    Eigen::MatrixXd zdot_q, zdot_v, zdot_z;   // nz x ...
    Eigen::MatrixXd phi_q;                    // m x nq
    Eigen::MatrixXd phidot_q;                 // m x nq
    Eigen::MatrixXd gamma_q, gamma_v;         // m x nq, m x nv
  };
  Jacobian make_jacobian() const;
  void jacobian(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Jacobian& result);

 private:
  std::shared_ptr<const System> system_;
  std::vector<double> in_, out_;
};

}  // namespace armature
