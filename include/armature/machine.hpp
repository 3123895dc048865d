// Machine: a compiled model. Compiling derives the equations of motion, translates them to machine code and closes the loops.
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

// Everything needed to continue a motion. Numbers are in the order of Machine::positions(), velocities() and states().
struct State {
  double t = 0;           // s
  std::vector<double> q;  // positions
  std::vector<double> v;  // velocities
  std::vector<double> z;  // other states: currents, temperatures, integrals of controllers, work and heat
  std::vector<double> discrete;    // states that change between steps only: outputs of sampled controllers, whole turns
  std::vector<double> switches;    // of comparisons: 0 or 1, the Filippov weight in between while something sticks
  std::vector<int> switch_status;  // of comparisons: how they are decided
};

// The equations of motion at a state:  M vdot + Phi' lambda = f,  Phi vdot = gamma. Matrices by rows.
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
  // In place of the file's:
  std::optional<double> end = {}, record = {}, step = {}, max_step = {}, rtol = {}, atol = {};
  std::optional<std::string> integrator = {}, formulation = {};
};

// Immutable: any number of threads may use one machine, each with a Run of its own. Copies share it.
class ARMATURE_API Machine {
 public:
  const Model& model() const { return model_; }
  std::vector<Channel> positions() const;   // names and units of q
  std::vector<Channel> velocities() const;  // of v
  std::vector<Channel> states() const;      // of z
  std::vector<Quantity> inputs() const;     // in the order of Run::set_input(); values: the defaults
  int constraints() const;                  // rows of Phi
  int degrees_of_freedom() const;           // at a generic pose
  double end() const;                       // s, of a simulation
  const std::vector<std::string>& notes() const;     // joints that were cut, redundant constraints, what assembly moved
  const std::vector<std::string>& warnings() const;  // what is odd about the model

  State start() const;                  // on the constraints; throws Error where the loops do not close
  std::vector<State> branches() const;  // every way to close the loops that was found, the nearest to the start first
  // On the constraints: project() moves a state that is nearly there along the shortest way, assemble() closes the loops from any
  // guess. Both throw Error where that fails.
  State project(const State& state) const;
  State assemble(const State& guess) const;

  // inputs: one value for each of inputs(); empty: the defaults.
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

// Start states of a machine in which chosen coordinates ("theta") and speeds ("theta.v") have given values; the file's `start` says the
// rest. Compiled once, used often, from any thread.
class ARMATURE_API Assembly {
 public:
  Assembly(const Machine& machine, const std::vector<std::string>& coordinates);  // throws Error: there is no such coordinate
  // values: one for each coordinate, SI. Throw Error where the loops do not close.
  State start(const std::vector<double>& values) const;
  std::vector<State> branches(const std::vector<double>& values) const;  // as Machine::branches()

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace armature
