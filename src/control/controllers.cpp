#include "control/controllers.hpp"

#include "control/feedback.hpp"
#include "control/pid.hpp"

namespace armature::internal {

namespace {

void offer_formula(EquationsBuilder& builder, const Controller& controller) {
  if (!controller.period.given()) {
    builder.offer(controller.name, [&] { return Value(limited(builder, controller, builder.scalar(controller.is))); });
    return;
  }
  if (controller.quantization.given())
    throw FormulaError(controller.quantization.where,
                       "a formula has no measured quantity to quantize; write floor() in it");
  // held values are leaves, so that a sampled formula may use what depends on it
  const Sampled sampled(builder, controller);
  builder.offer(controller.name, [=] { return Value(sampled.output()); });
  builder.when_named([&builder, &controller, sampled] {
    sampled.close(builder, limited_at_sample(builder, controller, builder.scalar(controller.is)));
  });
}

void offer_pid(EquationsBuilder& builder, const Controller& controller) {
  if (controller.period.given()) return offer_sampled_pid(builder, controller);
  offer_continuous_pid(builder, controller);
}

// Every signal is a channel. A second build of the model has no record of its own.
void record_signal(EquationsBuilder& builder, const Controller& controller) {
  builder.when_named([&builder, &controller] {
    if (const auto signal = builder.look_up(controller.name))
      builder.equations().quantities.push_back({controller.name, "", signal->parts[0]});
  });
}

void refuse_crossed_limits(EquationsBuilder& builder, const Controller& controller) {
  if (!controller.lower.given() || !controller.upper.given()) return;
  const Expression width = builder.scalar(controller.upper) - builder.scalar(controller.lower);
  if (width.is_constant() && width.value() < 0)
    throw FormulaError(controller.lower.where, "the lower limit is above the upper one");
}

}  // namespace

void add_controllers(EquationsBuilder& builder) {
  for (const Controller& controller : builder.model().controllers)
    builder.guarded("controllers." + controller.name, [&] {
      refuse_crossed_limits(builder, controller);
      if (controller.type != "formula" && controller.type != "pid") return offer_feedback(builder, controller);
      if (controller.type == "formula")
        offer_formula(builder, controller);
      else
        offer_pid(builder, controller);
      record_signal(builder, controller);
    });
}

}  // namespace armature::internal
