#include "plan/model_limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/scope.hpp"
#include "plan/plan_options.hpp"

namespace armature::internal {

namespace {

// A run that meets the limit of a state (a current behind an inductance, a speed, an end stop) begins to switch there; a plan stays this part of
// the range away.
constexpr double limit_margin = 1e-3;

// Limits of drives, which the equations lose.
void take_drive_limits(Model& model, std::vector<ModelLimit>& limits) {
  for (Drive& drive : model.drives) {
    for (const DriveLimit& limit : drive.limits) {
      const auto bound = find_constant(limit.bound, model);
      if (!bound)
        throw ModelError(model, {{limit.bound.where, "drives." + drive.name + ".limits." + limit.quantity,
                                  "a plan needs a limit that is a constant"}});
      // Limits of states are narrowed a little, since the motion between the points may pass them by some error.
      const bool is_state = limit.quantity == "speed" || (limit.quantity == "current" && drive.commands("voltage") &&
                                                          drive.values["inductance"].given());
      const double most = *bound * (is_state ? 1 - limit_margin : 1);
      limits.push_back({fmt::format("the {} limit of {}", limit.quantity, drive.name),
                        drive.name + "." + limit.quantity, -most, most, *bound - most});
    }
    drive.limits.clear();
  }
}

// End stops of joints likewise.
void take_end_stops(Model& model, std::vector<ModelLimit>& limits) {
  for (Joint& joint : model.joints)
    for (JointElement& element : joint.elements) {
      if (!element.lower.given() && !element.upper.given()) continue;
      const std::string name = element.component.empty() ? joint.name : joint.name + "." + element.component;
      const auto bound = [&](const Formula& formula, double otherwise) {
        return formula.given() ? evaluate_constant(formula, model) : otherwise;
      };
      const double lower = bound(element.lower, -unbounded), upper = bound(element.upper, unbounded);
      // Narrowed by a share of the range, or of the bound where there is only one.
      const double margin =
          limit_margin *
          (std::isfinite(upper - lower) ? upper - lower : std::abs(std::isfinite(lower) ? lower : upper));
      limits.push_back({"the end stops of " + name, name, lower + margin, upper - margin, margin});
      element.lower = element.upper = {};
    }
}

}  // namespace

std::vector<ModelLimit> take_limits(Model& model) {
  std::vector<ModelLimit> limits;
  take_drive_limits(model, limits);
  take_end_stops(model, limits);
  return limits;
}

}  // namespace armature::internal
