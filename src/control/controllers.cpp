#include "control/controllers.hpp"

#include "control/feedback.hpp"
#include "control/pid.hpp"

namespace armature {

namespace {

void offer_formula(EquationsBuilder& builder, const Controller& controller) {
  if (!controller.period.given()) {
    builder.offer(controller.name, [&] { return Value(limited(builder, controller, builder.scalar(controller.is))); });
    return;
  }
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

}  // namespace

void add_controllers(EquationsBuilder& builder) {
  for (const Controller& controller : builder.model().controllers)
    builder.guarded("controllers." + controller.name, [&] {
      if (controller.type == "formula") offer_formula(builder, controller);
      else if (controller.type == "pid") offer_pid(builder, controller);
      else offer_feedback(builder, controller);
    });
}

}  // namespace armature
