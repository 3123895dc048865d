// A controller of the file: named signals, continuous or held between samples. The kinds are listed in
// control/controller_kinds.cpp.
#pragma once

#include "model/item.hpp"

namespace armature::internal {

class ControllerKind;

struct Controller : Item {
  const ControllerKind* kind = nullptr;
  std::vector<std::string> on;  // coordinates of gravity_compensation and computed_torque

  bool sampled() const { return values["sampled.period"].given(); }
};

class ControllerKind : public ItemKind {
 public:
  virtual void read(const MapReader& map, Controller& controller, Reading& reading) const = 0;
  // The names that it gives to formulas: its own, or one for each coordinate.
  virtual std::vector<std::string> signals(const Controller& controller) const { return {controller.name}; }
  // Offers its signals to formulas, adds its states and sampled values, and records it.
  virtual void offer(EquationsBuilder& builder, const Controller& controller) const = 0;
};

}  // namespace armature::internal
