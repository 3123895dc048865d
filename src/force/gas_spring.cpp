// A gas spring between two places pushes them apart. Compressed by x from its extended length, its gas has the volume
// V = V0 (1 - x/h) and the polytropic pressure p V^n = const, so that it pushes with
//
//   F(x) = F0 (1 - x/h)^-n,   h = stroke/(1 - progression^(-1/n)),   F(stroke) = progression F0
//
// and stores F0 h ((1 - x/h)^(1-n) - 1)/(n - 1); for n = 1, which is isothermal, -F0 h ln(1 - x/h).
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/bodies.hpp"

namespace armature::internal {
namespace {

namespace gas_spring_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "gas_spring", text, "", "required"},
    {"between", "[a, b]: two places", list, "", "required"},
    {"force", "force when extended", number, "N", "required", positive},
    {"length", "length when extended", number, "m", "required", positive},
    {"stroke", "length by which the spring can be compressed", number, "m", "required", positive},
    {"progression", "force when compressed by the stroke over the force when extended, more than 1", number, "1",
     "required", positive},
    {"exponent", "polytropic exponent: 1 for slow motion (isothermal), 1.4 for fast (adiabatic)", number, "1", "1",
     positive},
    {"damping", "damping along the line between the places", number, "N*s/m", "0", any, moves},
};
}  // namespace gas_spring_format

// ((1 - x/h)^(1-n) - 1)/(n - 1) of the root of 1 - x/h. With z = -(n - 1) ln(1 - x/h) it is -ln(1 - x/h) exp(z/2) sinh(z/2)/(z/2): so a
// parameter n may pass 1, where next to nothing is added to z, which leaves the quotient 1.
Expression stored(const Expression& root, const Expression& n) {
  constexpr double next_to_nothing = 1e-150;
  const Expression L = -2.0 * log(root);
  if (n.is(1)) return L;
  if (n.is_constant()) return (pow(root, 2.0 - 2.0 * n) - 1.0) / (n - 1.0);
  const Expression half = 0.5 * (n - 1.0) * L, shifted = half + next_to_nothing;
  return L * exp(half) * sinh(shifted) / shifted;
}

class GasSpring final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: gas_spring", "gas spring between two places", gas_spring_format::table};
  }

  void read(const MapReader& map, ForceElement& spring, Reading& reading) const override {
    spring.places.resize(2);
    read_between(map, spring.places[0], spring.places[1], reading);
    read_values(map, gas_spring_format::table, spring);
  }

  void add(EquationsBuilder& builder, const ForceElement& spring) const override {
    const Attachment &a = spring.places[0], &b = spring.places[1];
    const auto number = [&](const char* key) { return builder.scalar(spring.values[key]); };
    const Expression F0 = number("force"), progression = number("progression"), c = number("damping"),
                     n = builder.scalar(spring.values["exponent"], 1.0);
    builder.require_positive(progression - 1.0, spring.values["progression"].where, "progression is more than 1");
    const Expression h = number("stroke") / (1.0 - pow(progression, -1.0 / n));
    const Expression length = norm(builder.bodies_with(a.body, a.where).gap(a, b)),
                     rate = builder.time_derivative(length);
    // the root has no value where there is no volume left, so no step goes beyond that
    const Expression root = sqrt(1.0 - (number("length") - length) / h), push = F0 * pow(root, -2.0 * n);
    const Expression energy = F0 * h * stored(root, n);
    builder.apply(push - c * rate, rate);
    Equations& equations = builder.equations();
    equations.potential += energy;
    equations.elastic += energy;
    equations.dissipation += c * rate * rate;
    record_part(builder, spring, "force", "N", push - c * rate);
  }

  std::string_view drawing() const override { return "spring"; }
};

}  // namespace

const ForceKind& gas_spring_kind() {
  static const GasSpring kind;
  return kind;
}

}  // namespace armature::internal
