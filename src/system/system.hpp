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

// Where the inputs of every program stand: t | q | v | z | d (discrete) | w (modes) | p (parameters); some programs take
// more behind them.
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
  bool traced_solve = false;                          // programs `acceleration`, `step_end`, and the corrections
  std::vector<int> independent_rows;                  // rows that the traced solve uses; see dynamics/redundancy
  bool jacobian = false;                              // programs for implicit integrators
  enum class Way { fewest, composite, articulated };  // see traced_outputs.hpp
  Way way = Way::fewest;
};

// One number a constraint row, equal for rows of one owner and unit: the components of one vector, whose lengths may be
// compared.
std::vector<int> row_groups(const Equations& equations);

class System {
 public:
  explicit System(std::shared_ptr<const Equations> equations, const SystemOptions& options = {});

  const Equations& equations() const { return *equations_; }
  std::shared_ptr<const Equations> shared_equations() const { return equations_; }
  const Layout& layout() const { return layout_; }
  const SystemOptions& options() const { return options_; }
  int mode_nesting() const { return mode_nesting_; }                       // see expression/mode_nesting.hpp
  int operation_count() const { return all_.program->operation_count(); }  // of all terms together
  bool articulated() const { return articulated_; }                        // the traced programs go from link to link
  int traced_operation_count() const { return acceleration_ ? acceleration_->operation_count() : 0; }

  // For whoever writes the programs down elsewhere. Inputs as in Layout; of acceleration_baumgarte also alpha and beta.
  // Outputs: acceleration  vdot, lambda, qdot, zdot, pivots of M, pivots of S, scales of these;
  //          corrections   dv, residuals, pivots of M, pivots of S, scales; those with errors have the two steps that make
  //                        these tangent between dv and residuals, and take alpha, beta (unused), 2 x nv errors.
  //          correct_motion  dq, dv, work, phi, phidot, pivots and scales
  //          step_end      vdot, lambda, qdot, zdot, dq, dv, 2 x nv tangent errors, work, phi, phidot, pivots and scales;
  //                        takes alpha, beta (unused), 2 x nv errors, weight.
  struct Programs {
    const Program *acceleration, *acceleration_baumgarte, *correct_position, *correct_velocity,
        *correct_velocity_and_errors, *correct_motion, *step_end;         // null: no traced solve
    const Program *roots, *root_rates, *events, *discrete, *observables;  // root_rates also takes vdot
  };
  Programs programs() const;

  // Any expressions of the state, and of inputs that stand behind those of Layout.
  std::shared_ptr<const Program> make_program(const std::vector<Expression>& outputs,
                                              const std::vector<Expression>& further_inputs = {},
                                              const std::vector<Pack>& packs = {}) const;

  State initial_state() const;  // the model's zero, not assembled; modes are not set

 private:
  friend class SystemEvaluator;
  friend class SystemLanes;
  // Outputs of a program that go to the entries of a matrix: output first + k to places[k]. Entries that are plain
  // numbers are not outputs; they are written once.
  struct MatrixOutputs {
    struct Place {
      int row, column;
      int entry, mirrored;  // among the values of the sparse matrix: (row, column), (column, row) of a symmetric one
    };
    int first = 0;
    bool symmetric = false;
    std::vector<Place> places;
    SparseMatrix constants;  // all entries; those that are outputs as zeros
  };
  struct Stage {
    std::shared_ptr<const Program> program;
    MatrixOutputs M, Phi;
    int phi = -1, phidot = -1, gamma = -1, qdot = -1, f = -1, zdot = -1;  // first output of each, -1: not filled
    int extent = -1;                                                      // of the rows that have one
  };
  struct StartStage {
    std::shared_ptr<const Program> program;
    MatrixOutputs J;
  };
  // The blocks of SystemEvaluator::Jacobian, in the order of its members.
  struct JacobianStage {
    std::shared_ptr<const Program> program;
    std::vector<MatrixOutputs> blocks;
  };

  void derive_constraints();
  void derive_extents();
  Stage make_stage(bool velocity, bool force) const;
  void make_traced_programs();
  JacobianStage make_jacobian_stage() const;
  StartStage make_start_stage(const std::vector<StartCondition>& keep, const std::vector<StartCondition>& near,
                              bool velocity) const;
  // Appends the entries of a matrix that are not plain numbers to the outputs of a program.
  static MatrixOutputs add_outputs(const ExpressionMatrix& matrix, bool symmetric, std::vector<Expression>& outputs);

  std::shared_ptr<const Equations> equations_;
  Layout layout_;
  SystemOptions options_;
  std::vector<Expression> leaves_;          // inputs of every program, in Layout's order
  std::vector<Expression> phidot_, gamma_;  // m
  std::vector<Expression> extents_;         // of the rows; 0: none
  std::vector<int> extent_rows_;            // those that have one
  ExpressionMatrix Phi_, Phidot_;           // m x nv
  Stage position_, motion_, all_;
  int mode_nesting_ = 0;
  bool articulated_ = false;
  std::shared_ptr<const Program> roots_, root_rates_, observables_, discrete_, reactions_, events_, energy_;
  StartStage start_position_, start_velocity_;
  std::shared_ptr<const Program> acceleration_, acceleration_baumgarte_, correct_position_, correct_velocity_,
      correct_velocity_and_errors_, correct_motion_, step_end_;
  JacobianStage jacobian_;
};

// What a recorder asks for at a state: the values of Equations::quantities, and energies.
struct Observables {
  Eigen::VectorXd quantities;
  double kinetic = 0, potential = 0, elastic = 0, magnetic = 0;  // J
};

// One thread's access to a System: sets the inputs, runs programs, scatters their outputs. Allocates only when made.
class SystemEvaluator {
 public:
  explicit SystemEvaluator(std::shared_ptr<const System> system);
  const System& system() const { return *system_; }
  Terms make_terms() const;  // sized, constants written
  SparseTerms make_sparse_terms() const;
  // Assembles the programs of a loop that allocates nothing: the traced ones, with Baumgarte's terms or without, or all
  // terms; and what goes with them.
  void assemble(bool traced, bool baumgarte);

  // Inputs. x is q, v, z one after the other. Modes, discrete values and parameters stay until set again.
  void set(double t, const double* x);
  const double* inputs() const { return in_.data(); }                      // in the order of Layout
  double velocity(int k) const { return in_[system_->layout().v() + k]; }  // v[k] as set
  void set_modes(const Eigen::VectorXd& w);
  void set_discrete(const Eigen::VectorXd& d);
  void set_parameters(const Eigen::VectorXd& p);

  // Each stage fills its part of Terms at the inputs that are set.
  template <class Matrix>
  void position(TermsOf<Matrix>& terms);  // M, Phi, phi
  template <class Matrix>
  void motion(TermsOf<Matrix>& terms);  // the above and phidot, gamma, qdot
  template <class Matrix>
  void all(TermsOf<Matrix>& terms);  // everything

  void roots(Eigen::VectorXd& roots);   // root functions of the modes
  void take_modes(Eigen::VectorXd& w);  // sets modes to the outcomes of their roots, and returns them
  // d(root)/dt = root_t + root_q qdot + root_v vdot + root_z zdot, given vdot
  void root_rates(const Eigen::VectorXd& vdot, Eigen::VectorXd& rates);
  void observables(Observables& values);
  double energy();                                                // stored: kinetic, potential and magnetic, J
  void next_discrete(Eigen::VectorXd& d);                         // those that follow every step
  void sample(double period, double offset, Eigen::VectorXd& d);  // those of one clock
  void events(Eigen::VectorXd& values);                           // of Equations::events
  void reactions(const Eigen::VectorXd& vdot, const Eigen::VectorXd& lambda, Eigen::VectorXd& wrenches);  // 6 a joint

  // Any expressions of the state, compiled on the spot: for messages.
  void evaluate(const std::vector<Expression>& expressions, std::vector<double>& values) const;

  // Start conditions and their derivatives along v: residuals of keep, then near; J is (keep + near) x nv.
  void start_position(Eigen::VectorXd& residual, SparseMatrix& J);
  void start_velocity(Eigen::VectorXd& residual, SparseMatrix& J);  // speed_keep, then speed_near

  // Traced solve on the independent rows (SystemOptions). ratio: the smallest pivot of S = Phi M^-1 Phi' over its scale,
  // the sum of S_ii over its group; zero where a pivot is not a positive number. Below about 1e-8 the result is not to be used.
  // The numbers stand in the evaluator until its next program runs, energy() excepted.
  struct Traced {
    const double *vdot, *lambda;  // nv, independent rows
    const double *qdot, *zdot;    // one behind the other
    double ratio = 1;
  };
  Traced acceleration(double alpha, double beta);
  // The step dv with  M dv + Phi' mu = 0,  Phi dv = -phi  (position; q moves by N dv)  or  = -phidot  (velocity).
  struct Correction {
    Eigen::VectorXd dv;  // nv
    double error = 0;    // largest |phi| or |phidot| of the independent rows before the step
    double ratio = 1;
  };
  Correction make_correction() const;
  void correct_position(Correction& result);
  void correct_velocity(Correction& result);
  // The same for velocities, with the steps that take the normal part out of two more vectors e:  Phi (e + de) = 0.
  struct VelocityCorrection : Correction {
    Eigen::VectorXd d_position_error, d_velocity_error;  // nv
  };
  VelocityCorrection make_velocity_correction() const;
  void correct_velocity_and_errors(const double* position_error, const double* velocity_error,
                                   VelocityCorrection& result);
  // Both at once, to first order: dq as above, and dv for the velocities that dq carries along,
  //   Phi dv = -phidot - (d phidot along N dq),
  // so that what is left of phi and phidot is of second order in dq and dv.
  struct MotionCorrection {          // stands in the evaluator, too
    const double *dq, *dv;           // nv
    double work = 0;                 // by which the stored energy changes with them, J
    double position = 0, speed = 0;  // largest |phi| and |phidot| of the independent rows before
    double ratio = 1;
  };
  MotionCorrection correct_motion();
  // The end of a step: acceleration(), correct_motion(), and an error estimate (e of positions, along v; e of velocities), to
  // which the end's own share  weight (v, vdot)  is added before its normal part is taken out.
  struct StepEnd {
    Traced traced;
    MotionCorrection motion;
    const double *position_error, *velocity_error;  // nv
  };
  StepEnd step_end(const double* position_error, const double* velocity_error, double weight);

  // Derivatives of  r = M a + Phi' lambda - f  along q, v and z, with a and lambda given; and of qdot, zdot, phi, phidot,
  // and gamma - Phi a (under the name gamma): what implicit integrators need.
  struct Jacobian {
    Eigen::MatrixXd r_q, r_v, r_z;                                // nv x nq, nv x nv, nv x nz
    Eigen::MatrixXd qdot_q, qdot_v;                               // nq x ...
    Eigen::MatrixXd zdot_q, zdot_v, zdot_z;                       // nz x ...
    Eigen::MatrixXd phi_q, phidot_q, phidot_v, gamma_q, gamma_v;  // m x ...
  };
  Jacobian make_jacobian() const;
  void jacobian(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Jacobian& result);

 private:
  void run(Evaluator& evaluator);
  template <class Matrix>
  void run_stage(const System::Stage& stage, Evaluator& evaluator, TermsOf<Matrix>& terms);
  void read_start(const System::StartStage& stage, Evaluator& evaluator, Eigen::VectorXd& residual, SparseMatrix& J);
  void read_correction(const double* residuals, Correction& result);         // dv stands first in out_
  MotionCorrection read_motion(const double* dq, const double* work) const;  // where these stand in out_
  Traced read_traced(double ratio) const;                                    // it stands first in out_
  double* set_errors(const double* position_error, const double* velocity_error);
  double pivot_ratio(const double* mass_pivots) const;  // behind which stand the pivots of S and their scales
  int rows() const;                                     // of the traced solve

  std::shared_ptr<const System> system_;
  std::vector<double> in_, out_;
  Evaluator position_, motion_, all_, roots_, root_rates_, observables_, discrete_, reactions_, events_, energy_,
      start_position_, start_velocity_;
  Evaluator acceleration_, acceleration_baumgarte_, correct_position_, correct_velocity_, correct_velocity_and_errors_,
      correct_motion_, step_end_, jacobian_;
};

}  // namespace armature
