// Options in force: what the model file and the command line asked for, with everything left open chosen.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct RunOptions {
  double end = 10;          // s, absolute
  bool open_ended = false;  // a host ends the run: `end` only tells how long such a run is
  double rate = 1;          // 1/s, of what changes ten times until then: rates are large or small against it
  double record = 0.01;     // s between rows
  std::string integrator = "dopri5";
  double step = 1e-3;   // s, of fixed-step integrators
  double max_step = 0;  // s; 0: unlimited
  double rtol = 1e-6;
  std::optional<double> same_atol;  // of every state alike, where it is given
  Eigen::VectorXd atol;             // one an entry of x = (q, v, z); else by kind of coordinate and size of the machine
  std::string formulation = "auto";
  std::vector<std::string> independent;  // of `partition`
  bool repartition = false;
  bool projection = true;
  double alpha = 0, beta = 0;  // Baumgarte, 1/s and 1/s^2; 0: off
  std::optional<SimulateOptions::PostAdjust> post_adjust;
  bool accept_drift = false;        // constraints that open are a warning and no failure
  bool sequential_impacts = false;  // of rigid contacts that collide at one instant
  bool finds_short_forces = true;   // steps that pass over a force are taken again (run/hidden_forces.hpp)

  double last_time() const {
    return open_ended ? std::numeric_limits<double>::infinity() : end;
  }  // no step goes beyond it
};

// Chooses what `wanted` leaves open: tolerances, the interval of recording, the step. length: of the machine, m.
RunOptions options_in_force(const SimulateOptions& wanted, const Equations& equations, double length);

// Absolute tolerances of another machine with the same equations: other parameters may give it another length.
void set_atol(RunOptions& options, const Equations& equations, double length);

}  // namespace armature::internal
