#include "control/controllers.hpp"

namespace armature::internal {

// A second build of the model has no record of its own.
void record_signal(EquationsBuilder& builder, const Controller& controller) {
  builder.when_named([&builder, &controller] {
    if (const auto signal = builder.look_up(controller.name))
      builder.equations().quantities.push_back({controller.name, "", signal->parts[0]});
  });
}

void add_controllers(EquationsBuilder& builder) {
  for (const Controller& controller : builder.model().controllers)
    builder.guarded("controllers." + controller.name, [&] { controller.kind->offer(builder, controller); });
}

}  // namespace armature::internal
