#include "force/effort.hpp"

#include "force/force_kinds.hpp"
#include "mechanics/builder.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace effort_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "effort", text, "", "required"},
    {"on", "a coordinate", text, "", "required"},
    {"is", "torque or force, from a to b", number, "N*m or N", "required", any, moves},
};
}  // namespace effort_format

class Effort final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: effort", "torque or force on a coordinate", effort_format::table};
  }

  void read(const MapReader& map, ForceElement& effort, Reading& reading) const override {
    const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
    if (on) effort.on = {on->name};
    read_values(map, effort_format::table, effort, on && on->is_length);
  }

  void add(EquationsBuilder& builder, const ForceElement& effort) const override {
    builder.graph().set_comparison_label("effort " + effort.name);
    const NamedCoordinate& x = builder.coordinate(effort.on.front(), effort.where);
    const Expression is = builder.scalar(effort.values["is"]);
    builder.apply(is, x.rate);
    builder.equations().applied_power += is * x.rate;
  }

  std::string_view input() const override { return "is"; }
};

}  // namespace

const ForceKind& effort_kind() {
  static const Effort kind;
  return kind;
}

ForceElement make_effort(const std::string& name, Location where, const std::string& on, const Formula& is) {
  ForceElement effort;
  effort.name = name, effort.where = where, effort.kind = &effort_kind();
  effort.on = {on};
  effort.values.set("is", is);
  return effort;
}

}  // namespace armature::internal
