// System: a compiled model. Immutable, shared by all threads; holds the programs that fill Terms and everything else that
// is a function of the state. One thread evaluates it through a SystemEvaluator, which owns the memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "mechanics/equations.hpp"
#include "system/kernel.hpp"
#include "system/kernel_evaluator.hpp"
#include "system/layout.hpp"
#include "system/state.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct SystemOptions {
  bool traced_solve = false;                          // kernels `acceleration`, `step_end`, and the corrections
  std::vector<int> independent_rows;                  // rows that the traced solve uses; see dynamics/redundancy
  bool jacobian = false;                              // programs for implicit integrators
  enum class Way { fewest, composite, articulated };  // see traced_motion.hpp
  Way way = Way::fewest;
};

// One number a constraint row, equal for rows of one owner and unit: the components of one vector, whose lengths may be
// compared.
std::vector<int> row_groups(const Equations& equations);

class System {
 public:
  explicit System(std::shared_ptr<const Equations> equations, const SystemOptions& options = {});
  // The same equations with other options: programs that do not depend on these are shared.
  System(const System& other, const SystemOptions& options);

  const Equations& equations() const { return *equations_; }
  std::shared_ptr<const Equations> shared_equations() const { return equations_; }
  const Layout& layout() const { return layout_; }
  const SystemOptions& options() const { return options_; }
  int comparison_nesting() const { return comparison_nesting_; }           // see expression/comparison_nesting.hpp
  int operation_count() const { return all_.program->operation_count(); }  // of all terms together
  bool articulated() const { return articulated_; }                        // the traced kernels go from link to link
  int traced_operation_count() const {
    return program(Kernel::acceleration) ? program(Kernel::acceleration)->operation_count() : 0;
  }

  const Kernels& kernels() const { return kernels_; }
  // Of a kernel for some modes of rigid contacts: it has the program of Kernel::acceleration.
  bool is_plain_acceleration(Kernel kernel) const;
  const std::shared_ptr<const Program>& program(Kernel kernel) const {
    return kernels_.program(kernel);
  }  // may be null

  // Any expressions of the state, and of inputs that stand behind those of Layout.
  std::shared_ptr<const Program> make_program(const std::vector<Expression>& outputs,
                                              const std::vector<Expression>& further_inputs = {},
                                              const std::vector<Pack>& packs = {}) const;
  // What the traced kernels are made of, as expressions (traced_motion.hpp); only with a traced solve. Writes into the graph.
  TracedMotion traced_motion() const;

  State initial_state() const;  // the model's zero, not assembled; outcomes are not set
  // States that start at values of their own, with the parameters that are free.
  void start_states(const Eigen::VectorXd& parameters, State& state) const;

 private:
  friend class SystemEvaluator;
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

  void make_solvers();
  void derive_constraints();
  void derive_extents();
  Stage make_stage(bool velocity, bool force) const;
  // The kernels of every model (null), or those of the traced solve.
  void make_kernels(const TracedMotion* traced);
  std::vector<Expression> further_inputs(const TracedMotion* traced, int count) const;
  TracedMotion trace(SystemOptions::Way way) const;
  void make_traced_kernels();
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
  int comparison_nesting_ = 0;
  Kernels kernels_;
  bool articulated_ = false;
  StartStage start_position_, start_velocity_;
  std::shared_ptr<const Program> states_start_;  // Equations::z_initial, of p; null: all are numbers
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
  KernelEvaluator<1>& kernels() { return kernels_; }  // at the same inputs
  Terms make_terms() const;                           // sized, constants written
  SparseTerms make_sparse_terms() const;
  // Translates to machine code the programs of a loop that allocates nothing: the traced ones, with Baumgarte's terms or without, or all
  // terms; and what goes with them.
  void translate(bool traced, bool baumgarte);

  // Inputs. x is q, v, z one after the other. Outcomes, discrete values and parameters stay until set again.
  void set(const State& state);   // all but parameters
  void hold(const State& state);  // its outcomes and discrete values
  void set(double t, const double* x);
  const double* inputs() const { return kernels_.inputs()->lane; }              // in the order of Layout
  double velocity(int k) const { return inputs()[system_->layout().v() + k]; }  // v[k] as set
  void set_outcomes(const Eigen::VectorXd& w);
  void set_discrete(const Eigen::VectorXd& d);
  void set_parameters(const Eigen::VectorXd& p);

  // Each stage fills its part of Terms at the inputs that are set.
  template <class Matrix>
  void position(TermsOf<Matrix>& terms);  // M, Phi, phi
  template <class Matrix>
  void motion(TermsOf<Matrix>& terms);  // the above and phidot, gamma, qdot
  template <class Matrix>
  void all(TermsOf<Matrix>& terms);  // everything

  void roots(Eigen::VectorXd& roots);      // root functions of the comparisons
  void take_outcomes(Eigen::VectorXd& w);  // sets outcomes by their roots, and returns them
  // d(root)/dt = root_t + root_q qdot + root_v vdot + root_z zdot, given vdot
  void root_rates(const Eigen::VectorXd& vdot, Eigen::VectorXd& rates);
  void observables(Observables& values);
  const double* next_stop();               // the first of Equations::stops, s; behind it Equations::lookups
  double energy();                         // stored: kinetic, potential and magnetic, J
  void next_discrete(Eigen::VectorXd& d);  // those that follow every step
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
    const double *qdot, *zdot;
    double ratio = 1;
  };
  Traced acceleration(double alpha, double beta);
  // The step dv with  M dv + Phi' mu = 0,  Phi dv = -phi  (position; q moves by N dv)  or  = -phidot  (velocity).
  struct Correction {
    Eigen::VectorXd dv;        // nv
    Eigen::VectorXd residual;  // phi or phidot of the independent rows before the step
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
  template <class Matrix>
  void run_stage(const System::Stage& stage, Evaluator& evaluator, TermsOf<Matrix>& terms);
  void read_start(const System::StartStage& stage, Evaluator& evaluator, Eigen::VectorXd& residual, SparseMatrix& J);
  void read_correction(const double* dv, const double* residuals, const step::KernelOutputs<1>& pivots,
                       Correction& result) const;
  static Traced read_traced(const step::KernelOutputs<1>& rates, double ratio);
  double pivot_ratio(const step::KernelOutputs<1>& view) const;
  int rows() const { return system_->kernels().rows(); }  // of the traced solve

  std::shared_ptr<const System> system_;
  KernelEvaluator<1> kernels_;
  Evaluator position_, motion_, all_, start_position_, start_velocity_, jacobian_;
};

}  // namespace armature::internal
