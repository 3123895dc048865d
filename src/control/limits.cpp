#include "control/limits.hpp"

#include "control/sampled.hpp"

namespace armature::internal {
namespace {

namespace limits_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"lower", "lowest output", number, "", "none"},
    {"upper", "highest output", number, "", "none"},
};
}  // namespace limits_format

}  // namespace

FormatSection controller_limits_format() {
  return {"controller limits", "limits of a controller's output", limits_format::table};
}

void read_limits(const MapReader& map, Controller& controller, Reading& reading) {
  read_values_of(map, "limits", limits_format::table, controller, reading);
}

void check_limits(EquationsBuilder& builder, const Controller& controller) {
  const Formula &lower = controller.values["limits.lower"], &upper = controller.values["limits.upper"];
  if (!lower.given() || !upper.given()) return;
  const Expression width = builder.scalar(upper) - builder.scalar(lower);
  builder.require_not_negative(width, lower.where, "the lower limit is above the upper one");
}

Expression limited(EquationsBuilder& builder, const Controller& controller, Expression u) {
  const std::string label = "controller " + controller.name;
  const Formula &lower = controller.values["limits.lower"], &upper = controller.values["limits.upper"];
  if (upper.given()) {
    const Expression bound = builder.scalar(upper);
    said(unit_step(u - bound), label,
         {.rises = "its output reaches its upper limit",
          .falls = "its output leaves its upper limit",
          .subject = label});
    u = min(u, bound);
  }
  if (lower.given()) {
    const Expression bound = builder.scalar(lower);
    said(unit_step(u - bound), label,
         {.rises = "its output leaves its lower limit",
          .falls = "its output reaches its lower limit",
          .subject = label});
    u = max(u, bound);
  }
  return u;
}

Expression limited_at_sample(EquationsBuilder& builder, const Controller& controller, Expression u) {
  const Formula &lower = controller.values["limits.lower"], &upper = controller.values["limits.upper"];
  if (upper.given()) {
    const Expression bound = builder.scalar(upper);
    u = select(positive_at_sample(u - bound), bound, u);
  }
  if (lower.given()) {
    const Expression bound = builder.scalar(lower);
    u = select(positive_at_sample(bound - u), bound, u);
  }
  return u;
}

}  // namespace armature::internal
