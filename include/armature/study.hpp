// Studies: many motions of one model, and other questions about it. Each takes the model, what is asked, and how to compute it.
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
  int count = 0;            // values of a grid, both ends included; not used elsewhere
};

struct StudyOptions {
  int threads = 0;  // 0: one per core
  // Called at intervals with what is done: motions, of an optimization evaluations. False: stop; the study then throws Error of kind
  // stopped. What it throws is passed on.
  std::function<bool(long done, long count)> progress = {};
};

// Motions that failed, or that a single run would warn of, by reason.
struct Diagnostic {
  std::string sentence;  // of the first one
  long count = 0;
};

// The class of the motion over a grid. classify: "never: turns(phi) < 1; for good: final(phi) > 100; trapped".
struct MapQuestion {
  std::vector<Axis> over = {};
  std::string classify = {};
  int refine = 0;  // boxes between different classes are halved so many times
};
struct Map {
  std::vector<std::string> classes;
  std::vector<std::vector<double>> points;  // of the grid, the last axis fastest; then those of the refinement
  std::vector<int> motion_class;            // by point; -1: the motion failed
  std::vector<double> decided;              // s: when the class was known
  std::vector<Diagnostic> failures, warnings;
  std::string sentence;
};
ARMATURE_API Map map(const Model& model, const MapQuestion& question, const StudyOptions& options = {});

// Numbers of the motion: results are names with formulas such as max(x), at(x, 2 s), mean(motor.power).
struct SweepQuestion {
  std::vector<Axis> over = {};                                    // a grid; with latin or sobol: ranges
  std::vector<std::pair<std::string, std::string>> results = {};  // name, formula
  int latin = 0, sobol = 0;                                       // so many points of a Latin hypercube or a Sobol sequence
  unsigned seed = 1;
  std::vector<std::vector<double>> points = {};  // in place of these: points over the names of `over`
};
struct Sweep {
  std::vector<std::string> variables, results;
  std::vector<std::vector<double>> points;
  std::vector<std::vector<double>> values;        // by result, then by point; NaN: the motion did not reach its end
  std::vector<std::vector<double>> main_effects;  // by result, then by variable
  std::vector<Diagnostic> failures, warnings;
  std::string sentence;
};
ARMATURE_API Sweep sweep(const Model& model, const SweepQuestion& question, const StudyOptions& options = {});

struct OptimizeQuestion {
  std::vector<Axis> over = {};
  std::string objective = {};  // a formula over the motion
  bool maximize = false;
  std::vector<std::string> subject = {};  // "max(abs(motor.current)) <= 5"
  std::string method = {};                // empty: chosen
  int evaluations = 200, starts = 1;
  double tolerance = 1e-6;
};
struct Optimum {
  bool found = false;
  std::vector<std::string> variables;
  std::vector<double> point;
  double objective = 0;
  long evaluations = 0;
  std::string method, sentence, caveat;  // caveat: why the result is worth little
};
ARMATURE_API Optimum optimize(const Model& model, const OptimizeQuestion& question, const StudyOptions& options = {});

// Gains of Baumgarte's method.
struct TuneQuestion {
  std::vector<double> alpha = {}, beta = {};  // the grid, 1/s and 1/s^2; empty: over the region of stability
  std::string of = {};                        // a constraint, a point or a formula; empty: all constraints
  int refine = 0;
};
struct TunedGains {
  bool found = false;
  double alpha = 0, beta = 0;       // the best
  double error = 0;                 // with them
  double error_without = 0;         // without stabilization
  std::string sentence;             // why these
};
ARMATURE_API TunedGains tune(const Model& model, const TuneQuestion& question = {}, const StudyOptions& options = {});

// Small vibrations about the equilibrium, and the linear system  xi' = A xi + B du,  dy = C xi + D du. Matrices by rows.
struct ModesQuestion {
  bool equilibrium = true;  // false: about the start as it is
};
struct Modes {
  struct Mode {
    std::complex<double> eigenvalue;  // 1/s
    double frequency = 0;             // undamped, rad/s
    double damping = 0;               // ratio
    std::vector<std::complex<double>> shape;  // of q, v and z
  };
  State state;  // about which the motion is linearized
  std::vector<Mode> modes;
  std::vector<std::string> states, inputs, outputs;
  std::vector<double> A, B, C, D;
  std::vector<std::string> warnings;
};
ARMATURE_API Modes modes(const Model& model, const ModesQuestion& question = {});

// Singular poses along the motion.
struct SingularPose {
  double t = 0, until = 0;  // s; until > t: the motion stays singular
  std::string kind;         // "type I", "type II" or "rank drop"
  std::string sentence;     // what can move there
};
struct Singularities {
  std::vector<SingularPose> poses;
  double smallest_singular_value = 1, t_smallest = 0;  // of Phi in the kinetic metric, rows of length one; and when
  Outcome outcome;
};
ARMATURE_API Singularities singularities(const Model& model, const Progress& progress = {});

// Many motions of one machine from given states, in steps of one length: eight states at a time in each thread. Motions have the same
// bits for any number of threads, whatever runs beside them. Nothing is recorded, no event is located; constraints hold as the model's
// stabilization says.
struct RolloutOptions {
  double step = 1e-3;              // s
  std::string integrator = "rk4";  // an explicit one-step method: euler, rk2, rk4, …
  bool gpu = false;                // on a GPU of NVIDIA's: the same bits. Throws Error where there is none, or where it cannot run the model
};
class ARMATURE_API Rollout {
 public:
  explicit Rollout(const Machine& machine, const RolloutOptions& options = {});
  // A state as a row of numbers: q, v, and of z what the motion depends on; not work and heat.
  const std::vector<Channel>& channels() const;
  std::vector<double> row(const State& state) const;

  // Arrays by rows. States in a batch satisfy the constraints.
  struct Batch {
    double t = 0;                         // s, of all states
    long steps = 1;                       // of each motion
    std::span<const double> states = {};  // motions x channels
    std::span<const double> inputs = {};  // steps x motions x inputs, motions x inputs (in all steps), or none: the defaults
    long every = 0;                       // states are kept after every so many steps; 0: the last alone
  };
  // kept: (steps / every) x motions x channels, or motions x channels; NaN from a step on that failed. failed: motions; the step
  // that failed, from 0, or -1. Throws Error: sizes that do not fit.
  void run(const Batch& batch, std::span<double> kept, std::span<long> failed, const StudyOptions& options = {}) const;

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

// Torques, currents and voltages for the motion under `inverse:`; positions for coordinates moved by formulas of t.
ARMATURE_API Motion inverse(const Model& model, const Progress& progress = {});
ARMATURE_API Motion kinematics(const Model& model, const Settings& moves, const Progress& progress = {});

}  // namespace armature
