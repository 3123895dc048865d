// A signal by any formula:  u = is, within limits. Sampled, the formula is evaluated at the samples and held between them.
#include "control/controller_kinds.hpp"
#include "control/controllers.hpp"
#include "control/limits.hpp"
#include "control/sampled.hpp"

namespace armature::internal {
namespace {

namespace formula_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "formula", text, "", "required"},
    {"is", "the signal", number, "", "required", any, moves},
    {"limits", "limits of the output: {lower, upper}", map},
    {"sampled", "sample-and-hold: {period, delay}", map},
};
}  // namespace formula_format

class FormulaController final : public ControllerKind {
 public:
  FormatSection format() const override { return {"controllers: formula", "any formula", formula_format::table}; }
  std::vector<FormatSection> maps() const override { return {controller_limits_format(), sampled_format()}; }

  void read(const MapReader& map, Controller& controller, Reading& reading) const override {
    read_values(map, formula_format::table, controller);
    read_limits(map, controller, reading);
    read_sampling(map, controller, reading);
  }

  void offer(EquationsBuilder& builder, const Controller& controller) const override {
    check_limits(builder, controller);
    if (controller.sampled())
      offer_sampled(builder, controller);
    else
      builder.offer(controller.name, [&builder, &controller] {
        return Value(limited(builder, controller, builder.scalar(controller.values["is"])));
      });
    record_signal(builder, controller);
  }

 private:
  // Held values are leaves, so that a sampled formula may use what depends on it.
  static void offer_sampled(EquationsBuilder& builder, const Controller& controller) {
    const Formula& quantization = controller.values["sampled.quantization"];
    if (quantization.given())
      throw FormulaError(quantization.where, "a formula has no measured quantity to quantize; write floor() in it");
    const Sampled sampled(builder, controller, controller.name);
    builder.offer(controller.name, [=] { return Value(sampled.output()); });
    builder.when_named([&builder, &controller, sampled] {
      sampled.close(builder, limited_at_sample(builder, controller, builder.scalar(controller.values["is"])));
    });
  }
};

}  // namespace

const ControllerKind& formula_kind() {
  static const FormulaController kind;
  return kind;
}

}  // namespace armature::internal
