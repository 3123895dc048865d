// Gravity compensation: on each coordinate the effort that holds the machine at rest against gravity and springs.
#include "control/controller_kinds.hpp"
#include "control/feedback.hpp"
#include "control/sampled.hpp"

namespace armature::internal {
namespace {

namespace gravity_compensation_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "gravity_compensation", text, "", "required"},
    {"on", "coordinates; NAME.coordinate is the effort that balances gravity and springs there", list, "", "required"},
    {"sampled", "sample-and-hold: {period, delay}", map},
};
}  // namespace gravity_compensation_format

class GravityCompensation final : public ControllerKind {
 public:
  FormatSection format() const override {
    return {"controllers: gravity_compensation", "efforts that hold the machine at rest",
            gravity_compensation_format::table};
  }
  std::vector<FormatSection> maps() const override { return {sampled_format()}; }

  void read(const MapReader& map, Controller& controller, Reading& reading) const override {
    read_controlled_coordinates(map, controller, reading);
    read_sampling(map, controller, reading);
  }

  std::vector<std::string> signals(const Controller& controller) const override { return effort_names(controller); }

  void offer(EquationsBuilder& builder, const Controller& controller) const override {
    Feedback feedback = offer_efforts(builder, controller);
    feedback.at_rest = true;
    builder.equations().feedback.push_back(std::move(feedback));
  }
};

}  // namespace

const ControllerKind& gravity_compensation_kind() {
  static const GravityCompensation kind;
  return kind;
}

}  // namespace armature::internal
