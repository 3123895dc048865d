// Machine: a compiled model. Compilation derives the equations of motion, translates them to machine code and closes the loops.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armature/model.hpp"

namespace armature {

namespace internal {
struct Prepared;
}

// Everything needed to continue a motion. q, v and z are in the order of Machine::positions(), velocities() and states().
struct State {
  double t = 0;                  // s
  std::vector<double> q;         // positions
  std::vector<double> v;         // velocities
  std::vector<double> z;         // other states: currents, temperatures, integrals of controllers, work and heat
  std::vector<double> discrete;  // states that change only between steps: outputs of sampled controllers, whole turns
  std::vector<double>
      switches;  // outcomes of comparisons: 0 or 1, or the Filippov weight in between while something sticks
  std::vector<int> switch_status;  // how the outcome of each comparison is determined
};

// The equations of motion at a state:  M vdot + Phi' lambda = f,  Phi vdot = gamma. Matrices are stored by rows.
struct Terms {
  int velocities = 0, constraints = 0;
  std::vector<double> M, f, Phi, gamma;
  std::vector<double> phi, phidot;  // residuals of the constraints
  std::vector<double> qdot, zdot;   // rates of the positions and of the other states
};

// vdot and lambda at a state.
struct Acceleration {
  std::vector<double> vdot, lambda;
  int rank = 0;              // of Phi
  double smallest_sine = 1;  // of the angle between a row of Phi and those before it: 0 in a singular pose
};

struct Channel {
  std::string name, unit;
};

struct CompileOptions {
  std::vector<std::string> inputs = {};  // parameters that become inputs, besides those under `inputs:` in the file
  // These replace the values in the file:
  std::optional<double> end = {}, record = {}, step = {}, max_step = {}, rtol = {}, atol = {};
  std::optional<std::string> integrator = {}, formulation = {};
};

// Immutable: any number of threads may use one machine, each with its own Run. Copies share the same machine.
class ARMATURE_API Machine {
 public:
  const Model& model() const { return model_; }
  std::vector<Channel> positions() const;         // names and units of q
  std::vector<Channel> velocities() const;        // of v
  std::vector<Channel> states() const;            // of z
  std::vector<Quantity> inputs() const;           // numbered as in Run::set_input(); the values are the defaults
  int constraints() const;                        // rows of Phi
  int degrees_of_freedom() const;                 // at a generic pose
  double end() const;                             // s, end time of a simulation
  const std::vector<std::string>& notes() const;  // cut joints, redundant constraints, coordinates that assembly moved
  std::vector<std::string> warnings() const;      // suspicious input

  State start() const;                  // on the constraints; throws Error if the loops do not close
  std::vector<State> branches() const;  // all assembly branches that were found, the nearest to the start first
  // project() moves a state that nearly satisfies the constraints onto them by the shortest correction; assemble() closes the loops
  // from any guess. Both throw Error on failure.
  State project(const State& state) const;
  State assemble(const State& guess) const;

  // inputs: one value for each of inputs(); if empty, the defaults.
  Terms terms(const State& state, const std::vector<double>& inputs = {}) const;
  Acceleration acceleration(const State& state, const std::string& formulation = "auto",
                            const std::vector<double>& inputs = {}) const;

 private:
  friend struct internal::Access;
  Machine(Model model, std::shared_ptr<const internal::Prepared> prepared);
  Model model_;
  std::shared_ptr<const internal::Prepared> prepared_;
};

ARMATURE_API Machine compile(const Model& model, const CompileOptions& options = {});

// Start states of a machine in which chosen coordinates ("theta") and speeds ("theta.v") have given values; `start` in the file
// determines the rest. Compile once, then use often, from any thread.
class ARMATURE_API Assembly {
 public:
  Assembly(const Machine& machine,
           const std::vector<std::string>& coordinates);  // throws Error if there is no such coordinate
  // values: one for each coordinate, in SI units. Both throw Error if the loops do not close.
  State start(const std::vector<double>& values) const;
  std::vector<State> branches(const std::vector<double>& values) const;  // like Machine::branches()

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace armature
