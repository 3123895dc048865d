// Optimization: the parameters and start values for which a number of the motion is smallest or largest. Several searches (minimize,
// study/optimize.hpp) start at different points; the best of all evaluations is the result.
#pragma once

#include <string>
#include <vector>

#include "study/cell_session.hpp"
#include "study/design.hpp"
#include "study/design_cases.hpp"
#include "study/motion_diagnostics.hpp"
#include "study/optimize.hpp"

namespace armature::internal {

struct OptimizationOptions {
  std::vector<Axis> over;  // the box; counts are not used. The name of a list or a table means all of its elements
  std::string objective;   // a formula over the motion (motion_formula.hpp)
  bool maximize = false;
  std::vector<std::string> subject = {};  // conditions: "max(abs(motor.current)) <= 5"
  std::string method = {};                // of minimize_methods(); empty: bobyqa, and cobyla where there are conditions
  int evaluations = 200;                  // motions that a search may take
  double tolerance = 1e-6;                // of the variables, as a part of their ranges
  std::string derivatives =
      "auto";            // of the method gradient: forward, adjoint (motion_gradient.hpp), or as the counts say
  bool inverse = false;  // the motion is that of `inverse`
  int starts = 1;        // searches: the first from the model's own values, the others from a Sobol sequence
  // See design_cases.hpp. The searches are those of every combination of choices.
  std::vector<std::string> choose = {}, scenarios = {}, deviations = {};
  // A second formula, to be small as well: the front of designs of which none is better in both. front: how many of them.
  std::string against = {};
  int front = 9;
};

struct OptimizationResult {
  std::vector<Axis> over;     // the variables, then the choices: by value, or by the number of the file in its list
  std::size_t variables = 0;  // of them
  std::vector<Choice> choices;
  std::vector<std::string> chosen;                            // at the best point, as given: "motor=motors/small.yaml"
  std::vector<std::pair<std::string, double>> chosen_values;  // there: parameters
  struct BestTable {
    std::string name;
    std::vector<double> x, y;
  };
  std::vector<BestTable> tables;      // there: those whose points are varied
  std::string against, against_unit;  // the second formula, if any
  struct FrontPoint {
    int search = 0, evaluation = 0;
  };
  std::vector<FrontPoint> front;  // by the second formula, from small to large
  const Evaluation& at(const FrontPoint& point) const {
    return searches[static_cast<std::size_t>(point.search)].evaluations[static_cast<std::size_t>(point.evaluation)];
  }
  std::size_t cases = 1;                 // motions of one evaluation: scenarios and corners of deviations
  std::vector<std::string> case_labels;  // "volts=6, rope - 0.01"
  std::vector<std::string> names;  // all that a motion is set to: variables, then parameters that choices and cases set
  std::string objective, unit, method;  // the unit where it is known; the method in force
  bool maximize = false;
  std::vector<std::string> subject, subject_units;  // units of the margins
  bool backwards = false;                           // gradients are those of adjoints
  std::string note;                                 // why the method is another than the one asked for; or empty
  bool complete = false;                            // false: stopped; searches that did not end have no evaluations

  std::vector<Minimum> searches;
  int best_search = -1;  // -1: no point has a value and meets the conditions
  const Evaluation* best() const;
  double shown(double objective) const { return maximize ? 0 - objective : objective; }  // as the formula gives it
  // For each variable: -1 or 1 where the best point is at the lower or upper end of its range, else 0. Empty: no best point.
  std::vector<int> best_at_ends() const;
  // "rope is at the upper end of its range: a wider range may be better"; or empty.
  std::string ends_sentence() const;

  long evaluations = 0, motions = 0;
  MotionDiagnostics failures, warnings;
  bool mostly_failed() const;  // the search saw too little for its result to be an optimum
  std::string sentence;        // "smallest found: final(x)^2 = 0.25; a local search …"
  std::string best_warnings;   // codes of what a run at the best point would warn of
  std::string caveat;          // why the result is worth little; or empty
};

// Throws ModelError, RequestError and, with a folder, RecordError.
OptimizationResult optimize_motion(const Model& model, const OptimizationOptions& options, CellSession& session);

}  // namespace armature::internal
