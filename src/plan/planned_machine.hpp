// The machine of a plan: its equations at one moment, with what the motors and the question allow.
//
// Limits of drives and end stops of joints, at which a run switches, are taken out of the equations and become bounds of the plan, so that
// its equations are smooth. Formulas of the question (targets, comparisons, the cost) are compiled with the model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/plan_options.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// low <= value <= high at all times.
struct PathLimit {
  std::string name;  // "the current of motor", "--keep x <= 0.4"
  Expression value;
  double low, high;
  double margin = 0;      // by which it is inside of the limit of the model
  std::string unit = {};  // of the value; empty: none, or not known
};

struct PlannedMachine {
  Model model;  // without the limits that are bounds here; with the path parameter and its rate where there is a path
  Prepared prepared;                // its start is assembled
  std::vector<int> rows;            // independent constraint rows
  std::vector<int> states;          // of z, that anything depends on
  std::vector<std::string> inputs;  // by name, as Equations::p
  std::vector<std::string> input_units;
  std::vector<double> input_low, input_high;
  std::vector<std::string> input_limit;  // what bounds them, for messages
  std::vector<PathLimit> limits;
  std::vector<Expression> targets;  // zero at the end
  std::vector<std::string> target_names;
  std::vector<Expression> path;     // zero on the path
  std::vector<Expression> largest;  // of minimize: current: the currents, whose largest size is the cost
  Expression cost = 0.0;            // integrand; 0 where the duration or the largest current is the cost
  std::string cost_unit;
  bool minimizes_time = false;
  double shortest = 0, longest = 0;  // duration, s

  const Equations& equations() const { return prepared.system->equations(); }
};

inline const std::string path_parameter = "path", path_rate = "path_rate";

// Throws ModelError, RequestError, and ComputationError where the start cannot be assembled.
std::unique_ptr<PlannedMachine> plan_machine(const Model& model, const PlanOptions& options);

}  // namespace armature::internal
