// The start of a motion for a page that changes parameters or start values, and the poses of a machine that is moved by hand: residuals of
// the conditions that hold exactly (keep, speed), of the loops and of the conditions that hold as nearly as they can (near), with their
// derivatives by the velocities, as a program. The page closes the first two by Newton's method, from the start of the run or from the pose
// before, and comes as near to the others as it can.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// An entry of a Jacobian that is not zero everywhere.
struct PageEntry {
  int row = 0, column = 0;
};

// End stops of a coordinate.
struct PageLimit {
  std::string name, unit;
  double lower = 0, upper = 0;  // infinite: none
};

// Outputs: position residuals (kept values, then loops); entries of their Jacobian; velocity residuals (kept speeds, then loops); entries of
// the Jacobian of kept speeds, that of loops being the one of their positions; values of states; values of limited coordinates; entries of
// their Jacobian; residuals of near values, as pure numbers, and entries of their Jacobian; the same of near speeds; how far angles that count whole
// turns are from what the file says, rad; roots of comparisons.
struct PageStart {
  std::shared_ptr<const Program> program;  // of the inputs of Layout
  int kept = 0, kept_speeds = 0;           // conditions of the file
  int loops = 0;                           // rows
  std::vector<int> prescribed;    // rows of loops that follow from the time, an input or a state, as a motor's do
  std::vector<int> states;        // entries of x that have start values of their own
  std::vector<PageLimit> limits;  // at the values of the run
  std::shared_ptr<const Program>
      bounds;  // of the parameters: lower and upper of each limit; null: they do not follow parameters
  std::vector<PageEntry> position_entries, speed_entries, limit_entries;
  int near = 0, near_speeds = 0;
  std::vector<PageEntry> near_entries, near_speed_entries;
  std::vector<int> turns;  // discrete values that count whole turns
  std::vector<int>
      angles;  // positions that no value of the file holds: they have as few whole turns as the loops allow,
  std::vector<int> near_of;      // counted from the near value of this row; -1: from zero
  std::vector<int> following;    // discrete values that follow every step,
  std::vector<double> initial;   // and what they are before the first
  std::vector<int> comparisons;  // whose outcomes the others depend on
  std::vector<step::ComparisonKind> kinds;
};
// conditions: false: the start is a given state or an equilibrium, which the conditions of the file do not hold.
PageStart page_start(const Prepared& prepared, const Model& model, bool conditions);

nlohmann::ordered_json to_json(const PageStart& start, int function);

}  // namespace armature::internal
