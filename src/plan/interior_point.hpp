// Solves a nonlinear program by the interior point method of Ipopt (plan/plugin/ipopt.cpp), with exact first and second derivatives.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/nonlinear_program.hpp"

namespace armature::internal {

struct InteriorPointOptions {
  double tolerance = 1e-8;
  int iterations = 1000;
  bool warm = false;  // the guess is nearly a solution
  std::function<bool(int iteration, double cost, double infeasibility)> progress = {};  // false: stop
};

enum class SolveStatus { solved, acceptable, infeasible, exhausted, stopped, failed };

struct InteriorPointResult {
  SolveStatus status = SolveStatus::failed;
  std::vector<double> x, multipliers;  // of the rows: of the Lagrangian cost + multipliers' g
  std::vector<double> rows;            // g(x)
  double cost = 0, infeasibility = 0;
  int iterations = 0;
};

class InteriorPointSolver {
 public:
  virtual ~InteriorPointSolver() = default;
  virtual InteriorPointResult solve(const NonlinearProgram& program, const std::vector<double>& guess,
                                    const InteriorPointOptions& options) const = 0;
};

// Throws PluginError where Ipopt is missing.
InteriorPointResult solve(const NonlinearProgram& program, const std::vector<double>& guess,
                          const InteriorPointOptions& options);

}  // namespace armature::internal
