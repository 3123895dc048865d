// A drive of the file: a machine that turns a shaft, and the transmission from the shaft to a coordinate. The machine is the
// drive's kind and keeps its own data in `values`; all the rest of the program asks this interface. The kinds are listed in
// drive/drive_kinds.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "model/item.hpp"

namespace armature::internal {

class DriveKind;

// What is prescribed: "voltage" in V, "current" in A, or "torque" on the coordinate in N m or N.
struct Command {
  std::string quantity;
  Formula is;
};

// From the shaft to the coordinate.
struct Transmission {
  Formula ratio, radius;                 // shaft angle over coordinate; of a wheel or screw that moves a length, m/rad
  Formula efficiency;                    // what it passes of the power, in either direction
  Formula stiffness, damping, backlash;  // of an elastic one, at the coordinate

  bool elastic() const { return stiffness.given(); }
};

// What turns with the shaft.
struct Rotor {
  Formula inertia, viscous_friction, coulomb_friction;  // kg m^2, N m s, N m
  Formula axis;            // in the axes of the body that carries it; not given: reflected inertia only
  std::string carried_by;  // body
};

// Of either sign.
struct DriveLimit {
  std::string quantity, unit;  // "voltage", "V"
  Formula bound;
};

struct Drive : Item {
  const DriveKind* kind = nullptr;
  std::string on;  // coordinate
  Command command;
  Transmission gear;
  Rotor rotor;
  std::vector<DriveLimit> limits;

  bool commands(std::string_view quantity) const { return command.quantity == quantity && command.is.given(); }
  const Formula& limit(std::string_view quantity) const;  // not given: none
};

// A drive while it is turned into equations.
class DriveEquations {
 public:
  virtual ~DriveEquations() = default;
  virtual void offer() = 0;  // its signals, to formulas
  virtual void add() = 0;    // torque, inertia, rates of its states, energies; and its channels
};

// The machine as numbers, behind an elastic gear: what it needs (DriveKind::needs) for a torque at its shaft.
class InverseMachine {
 public:
  virtual ~InverseMachine() = default;
  virtual void at(double torque, double torque_rate, double speed, std::span<double> needs) const = 0;
};

class DriveKind : public ItemKind {
 public:
  virtual void read(const MapReader& map, Drive& drive, Reading& reading) const = 0;

  // What formulas may name, as "motor.current".
  struct Signal {
    std::string_view name;
    bool kinematic = false;      // follows from the motion, without any force
    std::string_view unit = "";  // "": it depends on the coordinate
  };
  virtual std::span<const Signal> signals() const = 0;

  // What the file may start besides the rotor of an elastic gear.
  struct StartState {
    std::string_view name, unit;  // "current", "A"
    std::string_view why_not;     // not empty: this drive has no such state
  };
  virtual std::vector<StartState> start_states(const Drive&) const { return {}; }

  virtual std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const = 0;

  // A current that an amplifier holds at its limit by switching: a run checks that its steps follow it.
  struct SwitchedCurrent {
    std::string channel;
    double limit, time_constant;  // A, s
  };
  virtual std::optional<SwitchedCurrent> switched_current(const Drive&, const Model&) const { return std::nullopt; }

  // --- inverse dynamics
  virtual std::string why_not_inverted(const Drive&) const { return ""; }  // empty: it can be inverted
  // Makes it follow a torque on its coordinate at once, within no limits.
  virtual void command_torque(Drive& drive, const Formula& torque) const = 0;
  // What is reported besides the torque: recorded signals of a drive that follows a torque. A voltage gets L di/dt besides,
  // L = inductance() and i the signal `rate_of`.
  struct Need {
    std::string_view signal, unit, rate_of = "";
  };
  virtual std::span<const Need> needs() const { return {}; }
  virtual double inductance(const Drive&, const Model&) const { return 0; }  // H
  virtual std::unique_ptr<InverseMachine> inverse_machine(const Drive& drive, const Model& model) const = 0;
};

}  // namespace armature::internal
