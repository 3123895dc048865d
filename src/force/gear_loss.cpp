// Losses of a gear, rack or any other constraint of one row, in proportion to the effort T that it passes to a coordinate x:
//
//   power flows from x into the mesh (T x' < 0):  -(1/n - 1) |T| sign(x')        n:   efficiency
//   power flows from the mesh to x (T x' > 0):    -(1 - n_b) |T| sign(x')        n_b: efficiency backwards
//
// as an effort on x, so that of the power P that enters n P leaves. T follows from the multiplier of the constraint, which the loss
// itself changes: it is solved for (mechanics/friction_load.hpp). At rest the mesh sticks as far as its load allows; where n_b is not
// positive, it locks itself.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/friction_load.hpp"
#include "mechanics/solution_leaves.hpp"

namespace armature::internal {
namespace {

namespace gear_loss_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "gear_loss", text, "", "required"},
    {"of", "a constraint: gear, rack or a prescribed one of one number", text, "", "required"},
    {"on", "coordinate of the constraint on whose side the loss acts", text, "", "required"},
    {"efficiency", "share of the power from this coordinate that arrives, at most 1", number, "1", "required", positive,
     moves},
    {"backwards", "the same for power towards this coordinate; 0 or negative: the gear is self-locking", number, "1",
     "efficiency", any, moves},
};
}  // namespace gear_loss_format

class GearLoss final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: gear_loss", "losses of a gear by its efficiency", gear_loss_format::table};
  }

  void read(const MapReader& map, ForceElement& loss, Reading& reading) const override {
    read_on_coordinate(map, gear_loss_format::table, loss, reading);
    const std::string of = map.text("of").value_or("");
    const auto known = find_named(reading.model.prescribed, of);
    if (!of.empty() && known == reading.model.prescribed.end())
      reading.diagnostics.add(map.find("of")->where, map.path("of"), "unknown constraint '" + of + "'");
    if (!loss.on.empty()) loss.on.push_back(of);
  }

  void add(EquationsBuilder& builder, const ForceElement& loss) const override {
    const NamedCoordinate& x = builder.coordinate(loss.on[0], loss.where);
    const Expression T = effort_on(builder, loss, x);
    const Expression outwards = 1.0 / builder.scalar(loss.values["efficiency"]) - 1.0,
                     inwards =
                         1.0 - builder.scalar(loss.values["backwards"], builder.scalar(loss.values["efficiency"]));
    builder.require_not_negative(outwards, loss.values["efficiency"].where, "an efficiency is 1 at most");
    // outwards |T| where T x' < 0, inwards |T| else: their mean, and half their difference with the sign of T
    const Expression mean = 0.5 * (outwards + inwards), difference = 0.5 * (outwards - inwards);
    const Expression size = add_load(builder, loss.name, loss.where, {{1.0, {T}}});
    const std::string subject = "gear_loss " + loss.name;
    said(unit_step(x.rate), subject, friction_words(subject));
    Expression effort = -(mean * size * sign(x.rate));
    if (!difference.is(0))
      effort += difference * add_load(builder, loss.name + " with its sign", loss.where, {{1.0, {T}, true}});
    builder.apply(effort, x.rate);
    builder.equations().friction -= effort * x.rate;
    record_effort(builder, loss, x.unit == "m", effort);
  }

 private:
  // What the constraint does to the coordinate: -lambda dphi/dx.
  static Expression effort_on(EquationsBuilder& builder, const ForceElement& loss, const NamedCoordinate& x) {
    Equations& equations = builder.equations();
    const auto row = std::ranges::find(equations.rows, loss.on[1], &ConstraintRow::name);
    if (row == equations.rows.end())
      throw FormulaError(loss.where, "'" + loss.on[1] + "' is not a constraint on a single number");
    // The row's derivative by the coordinate; a coordinate of a cut joint is no leaf and has none.
    const bool is_leaf = !x.value.is_constant() && x.value.node().op == Op::input;
    const Expression slope = is_leaf ? Derivative({{x.value.id(), 1.0}})(row->phi) : Expression(0.0);
    if (slope.is(0))
      throw FormulaError(loss.where,
                         x.name + (is_leaf ? " is not a coordinate of the constraint '" + loss.on[1] + "'"
                                           : " belongs to a joint that closes a loop: give another joint of "
                                             "this loop 'cut: true'"));
    return -(multiplier_in_formula(equations, static_cast<std::size_t>(row - equations.rows.begin())) * slope);
  }
};

}  // namespace

const ForceKind& gear_loss_kind() {
  static const GearLoss kind;
  return kind;
}

}  // namespace armature::internal
