// Studies: many motions of one model, and other analyses. Each function takes the model, a question, and options for computing.
// Results do not depend on the number of threads.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armature/run.hpp"

namespace armature {

// What is varied: a parameter, an input, the start value of a coordinate ("theta") or of its speed ("theta.v").
struct Axis {
  std::string name;
  double from = 0, to = 1;  // SI
  int count = 0;            // number of values of a grid, including both ends; used only for grids
  std::string law =
      {};  // distribution of random points, instead of from and to: "normal(0.7 m, 0.05 m)", "triangular(1, 2, 4)"
};

struct StudyOptions {
  int threads = 0;  // 0: one per core
  // Called at intervals with the number of finished motions (evaluations, for an optimization). If it returns false, the study
  // stops and throws an Error of kind stopped. Its exceptions propagate.
  std::function<bool(long done, long count)> progress = {};
  // Repeats some of the motions with another integrator, a tighter tolerance and shorter steps, to estimate errors: for at most as
  // long as the study has taken, or half a second. Of map, sweep and optimize.
  bool errors = false;
};

// Errors of the numbers of a study, from eight of its motions, or from the best one of an optimization.
struct StudyErrors {
  std::string repetition;  // how they were repeated; empty: errors were not asked for
  std::string missing;     // why there is no estimate; empty: there is one
  long motions = 0;        // that were repeated
  std::vector<std::pair<std::string, double>> worst =
      {};                   // the largest error of each result; "objective" of an optimization
  long of_other_class = 0;  // of a map: repeated motions that belong to another class
};

// Motions that failed, or for which a single run would warn, by reason.
struct Diagnostic {
  std::string sentence;  // of the first one
  long count = 0;
  std::string code = {};  // of a warning: a row of the table in docs/trust.md
};

// Motions on NVIDIA GPUs. exact: bit-identical to the CPU, or an Error. fast: fused multiply-add, and the GPU's functions where
// Armature has none of its own, such as tanh; the last digits differ. preview: single precision, with about four correct digits.
enum class Gpu { no, exact, fast, preview };

// The class of the motion over a grid. classify: "never: turns(phi) < 1; for good: final(phi) > 100; trapped".
struct MapQuestion {
  std::vector<Axis> over = {};
  std::string classify = {};
  int refine = 0;  // number of times that boxes between different classes are halved
  Gpu gpu = Gpu::no;
};
struct Map {
  std::vector<std::string> classes;
  std::vector<std::vector<double>> points;  // points of the grid, the last axis fastest; then those of the refinement
  std::vector<int> motion_class;            // by point; -1: the motion failed
  std::vector<double> decided;              // s: time at which the class was decided
  std::vector<Diagnostic> failures, warnings;
  std::string sentence;
  StudyErrors errors = {};
};
ARMATURE_API Map map(const Model& model, const MapQuestion& question, const StudyOptions& options = {});

// Numbers of the motion: results are names with formulas such as max(x), at(x, 2 s), mean(motor.power).
struct SweepQuestion {
  std::vector<Axis> over = {};                                    // a grid; ranges with latin or sobol
  std::vector<std::pair<std::string, std::string>> results = {};  // name, formula
  int latin = 0, sobol = 0;  // number of points of a Latin hypercube or a Sobol sequence
  unsigned seed = 1;
  std::vector<std::vector<double>> points = {};  // points given explicitly, over the names in `over`
  bool inverse = false;                          // the motion is that of inverse()
  Gpu gpu = Gpu::no;
};
struct Sweep {
  std::vector<std::string> variables, results;
  std::vector<std::vector<double>> points;
  std::vector<std::vector<double>> values;        // by result, then by point; NaN: the motion did not reach its end
  std::vector<std::vector<double>> main_effects;  // by result, then by variable
  std::vector<Diagnostic> failures, warnings;
  std::string sentence;
  StudyErrors errors = {};
};
ARMATURE_API Sweep sweep(const Model& model, const SweepQuestion& question, const StudyOptions& options = {});

struct OptimizeQuestion {
  std::vector<Axis> over = {};
  std::string objective = {};  // a formula over the motion
  bool maximize = false;
  std::vector<std::string> subject = {};  // "max(abs(motor.current)) <= 5"
  std::string method = {};                // if empty, chosen automatically
  int evaluations = 200, starts = 1;
  double tolerance = 1e-6;
  bool inverse = false;                      // the motion is that of inverse()
  std::vector<std::string> choose = {};      // "ratio=20,50,100", or files of parameters: "motor=small.yaml,large.yaml"
  std::vector<std::string> scenarios = {};   // "load=2 kg, volts=12": the worst of all counts
  std::vector<std::string> deviations = {};  // "rope=5 mm": the worst corner counts
  std::string against = {};                  // second formula to minimize: gives the Pareto front of both
  int front = 9;                             // number of designs on the front
  std::string derivatives = "auto";          // for the method gradient: forward, adjoint or auto
};
struct Optimum {
  bool found = false;
  std::vector<std::string> variables;
  std::vector<double> point;
  double objective = 0;
  long evaluations = 0;
  std::string method, sentence, caveat;  // caveat: why the result should not be trusted
  std::vector<std::string> chosen;       // as given: "motor=small.yaml"
  std::vector<Diagnostic> failures, warnings;
  std::vector<std::vector<double>>
      front;  // objective, second formula, then the variables and choices; by the second formula
  StudyErrors errors = {};
};
ARMATURE_API Optimum optimize(const Model& model, const OptimizeQuestion& question, const StudyOptions& options = {});

// Gains of Baumgarte's method.
struct TuneQuestion {
  std::vector<double> alpha = {}, beta = {};  // the grid, 1/s and 1/s^2; if empty, it covers the stability region
  std::string of = {};                        // a constraint, a point or a formula; empty: all constraints
  int refine = 0;
  double position_weight = 0.5, velocity_weight = 0.5;  // c and d of e = sqrt(c E1^2 + d E2^2)
  double speed_limit = 1000;                            // rad/s or m/s: a motion that gets faster is abandoned
  Gpu gpu = Gpu::no;                                    // for the grid
};
struct GainPair {
  double alpha = 0, beta = 0;
  bool stable = false;           // in the stability region of the integrator
  double lost = 0;               // s: time at which the motion diverged; NaN: it did not
  double E1 = 0, E2 = 0, e = 0;  // errors of position, of velocity, combined; NaN if the motion diverged
};
struct TunedGains {
  bool found = false;
  double alpha = 0, beta = 0;              // the best gains
  double error = 0;                        // with the best gains
  double error_without = 0;                // without stabilization
  std::string sentence;                    // why these gains
  std::vector<GainPair> pairs = {};        // of the grid, alpha fastest, then those of each refinement
  GainPair without = {}, projection = {};  // without stabilization, and with projection in its place
  std::vector<double> boundary =
      {};           // of the stability region: alpha step, beta step^2, alternating; empty: not a one-step method
  double area = 0;  // of the region
  std::vector<std::string> warnings = {};  // of a run with the best gains
};
ARMATURE_API TunedGains tune(const Model& model, const TuneQuestion& question = {}, const StudyOptions& options = {});

// Small vibrations about the equilibrium, and the linear system  xi' = A xi + B du,  dy = C xi + D du. Matrices by rows.
struct ModesQuestion {
  bool equilibrium = true;                    // false: about the start as it is
  std::vector<std::string> sensitivity = {};  // parameters for which derivatives of the eigenvalues are wanted
  int branch = 0;                             // start on this assembly branch, from 1; 0: as the model says
  const State* from = nullptr;                // start from this state instead of the model's start
};
struct Modes {
  struct Mode {
    std::complex<double> eigenvalue;          // 1/s
    double frequency = 0;                     // undamped, rad/s
    double damping = 0;                       // ratio
    std::vector<std::complex<double>> shape;  // of q, v and z
  };
  State state;  // state about which the motion is linearized
  std::vector<Mode> modes;
  std::vector<std::string> states, inputs, outputs;
  std::vector<double> A, B, C, D;
  std::vector<std::string> warnings;
  std::vector<std::string> parameters;            // of the sensitivity
  std::vector<std::complex<double>> sensitivity;  // d(eigenvalue)/d(parameter) by modes, then by parameters; SI
  std::vector<std::string> notes;                 // what the linear system leaves out
};
ARMATURE_API Modes modes(const Model& model, const ModesQuestion& question = {});

// Singular poses along the motion.
struct SingularQuestion {
  std::vector<std::string> active = {};  // driven coordinates; empty: those of drives and efforts
  std::vector<std::string> moves =
      {};  // the outputs: coordinates or recorded quantities; if empty, chosen automatically
};
struct SingularPose {
  double t = 0, until = 0;  // s; until > t: the motion stays singular
  std::string kind;         // "type I", "type II" or "rank drop"
  std::string sentence;     // what can move there
  std::vector<std::string> loops;
};
struct Singularities {
  std::vector<SingularPose> poses;
  double smallest_singular_value = 1, t_smallest = 0;  // of Phi in the kinetic metric, rows of length one; and when
  Outcome outcome;
  std::vector<std::string> active, moves, notes;
  std::vector<std::string> columns;  // t, rank, sigma, sigma_I, sigma_II, det_I, det_II
  std::vector<double> rows;          // at the recorded times, by rows
};
ARMATURE_API Singularities singularities(const Model& model, const SingularQuestion& question,
                                         const Progress& progress = {});
ARMATURE_API Singularities singularities(const Model& model, const Progress& progress = {});

// Singular poses over a grid of poses: one or two axes, which name coordinates or formulas of them ("platform.C.x").
struct WorkspaceQuestion {
  std::vector<Axis> over = {};
  std::vector<std::pair<std::string, double>> hold = {};  // kept at a value in every pose; SI
  std::vector<std::string> active = {}, moves = {};
};
struct Workspace {
  std::vector<std::string> columns;  // the axes, then reached, rank, sigma, sigma_I, sigma_II, det_I, det_II
  std::vector<double> poses;         // by rows, the first axis fastest; NaN where a pose is not reached
  std::vector<double>
      curve;  // points of singular curves and of the limit of the workspace: one number for each axis, by rows
  std::vector<std::string> kinds,
      sentences;                    // of the points: "type I", "type II", "rank drop", "reach"; what can move there
  long reached = 0, undecided = 0;  // poses
  std::vector<std::string> active, moves, notes;
  std::string sentence;
};
ARMATURE_API Workspace workspace(const Model& model, const WorkspaceQuestion& question,
                                 const StudyOptions& options = {});

// Many motions of one machine from given states, in equal steps, eight states at a time in each thread. Motions have the same
// bits for any number of threads and in any batch. Nothing is recorded and no events are located; the model's stabilization keeps
// the constraints.
struct RolloutOptions {
  double step = 1e-3;              // s
  std::string integrator = "rk4";  // an explicit one-step method: euler, rk2, rk4, …
  Gpu gpu = Gpu::no;
};
class ARMATURE_API Rollout {
 public:
  explicit Rollout(const Machine& machine, const RolloutOptions& options = {});
  // A state as a row of numbers: q, v, and the part of z that the motion depends on (not work and heat).
  const std::vector<Channel>& channels() const;
  std::vector<double> row(const State& state) const;

  // Arrays are stored by rows. States in a batch must satisfy the constraints.
  struct Batch {
    double t = 0;                         // s, of all states
    long steps = 1;                       // of each motion
    std::span<const double> states = {};  // motions x channels
    std::span<const double> inputs =
        {};          // steps x motions x inputs, motions x inputs (in all steps), or none: the defaults
    long every = 0;  // keep the states after every this many steps; 0: only the last
  };
  // kept: (steps / every) x motions x channels, or motions x channels; NaN from a failed step on. failed: for each motion the
  // step that failed, from 0, or -1; `steps` where none failed but the motion is not to be trusted, because its energy balance is
  // off or its constraints are open. Returns that and what else runs with these steps would warn of, and why motions failed: for
  // each kind one sentence with the number of motions and the first of them; empty if all is well. Of motions on a GPU the first
  // eight are checked. Throws Error if sizes do not match.
  std::vector<std::string> run(const Batch& batch, std::span<double> kept, std::span<long> failed,
                               const StudyOptions& options = {}) const;

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

// Numbers computed from one motion: names with formulas over the whole motion, as for a sweep.
using Numbers = std::vector<std::pair<std::string, double>>;
struct MotionQuestion {
  std::vector<std::pair<std::string, std::string>> results = {};  // name, formula
  int branch = 0;               // start on this assembly branch, from 1; 0: as the model says
  const State* from = nullptr;  // start there; for simulated motions only
};
// Simulates the motion and computes its numbers; NaN if it does not reach its end.
ARMATURE_API Numbers motion_numbers(const Model& model, const MotionQuestion& question, const Progress& progress = {});

// Torques, currents and voltages for the motion under `inverse:`; positions for coordinates prescribed by formulas of t. numbers:
// the results asked for.
ARMATURE_API Motion inverse(const Model& model, const MotionQuestion& question, Numbers& numbers,
                            const Progress& progress = {});
ARMATURE_API Motion inverse(const Model& model, const Progress& progress = {});
ARMATURE_API Motion kinematics(const Model& model, const Settings& moves, const MotionQuestion& question,
                               Numbers& numbers, const Progress& progress = {});
ARMATURE_API Motion kinematics(const Model& model, const Settings& moves, const Progress& progress = {});

}  // namespace armature
