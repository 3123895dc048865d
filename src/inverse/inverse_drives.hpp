// Drives in inverse dynamics: from the efforts and their rates along the motion, what the machines need. Of a DC motor
//
//   rigid gear     K_m i = u/r (with the gear's losses),                       V = R i + K_e w + L di/dt
//   elastic gear   u = k s + c s'  with the twist s;  rotor = r (x + s);
//                  K_m i = J rotor'' + d rotor' + friction + u/r               V = R i + K_e rotor' + L di/dt
//
// The machine behind an elastic gear is asked by its kind (InverseMachine). A twist with damping is integrated from its rest s = u/k at the start; without, it and its rates are those of u.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/inverse_dynamics.hpp"
#include "model/finding.hpp"
#include "model/inverse_terminals.hpp"
#include "model/model.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

// A drive at one time of the motion.
struct DriveRow {
  double torque = 0;       // of the machine, at its coordinate
  double gear_torque = 0;  // what the gear passes to the coordinate, through its spring or less its losses
  double speed = 0;        // of the shaft
  double rotor = 0;        // its angle, behind an elastic gear
  std::vector<double> needs;
  double power = 0;  // electrical, into it
};

// The highest rate of the efforts that the drives of a model need.
int order_of_rates(const Model& model);

// The twist of an elastic gear: c s' + k s = u along the rows of the motion, u between them a polynomial of fifth order.
class Twist {
 public:
  Twist(double stiffness, double damping) : k_(stiffness), c_(damping) {}
  // s and its rates from u and its rates; times must grow.
  Eigen::Vector4d advance(double t, const Eigen::Vector4d& u);

 private:
  double k_, c_;
  bool begun_ = false;
  double t_ = 0, s_ = 0;
  Eigen::Vector4d u_ = Eigen::Vector4d::Zero();
};

class InverseDrives {
  struct Entry;

 public:
  InverseDrives(const Model& model, const InverseDynamics& inverse);

  std::vector<Channel> channels() const;
  // A signal of the last row by its name, "motor.current".
  double signal(const std::string& name) const;
  // Adds the drives' entries at the state that was solved; times must grow. False: a rate has no value.
  bool append(double t, InverseDynamics& inverse, std::vector<double>& row);
  // Of the drives with inductance behind rigid gears: their names, and their currents at the state that was solved, or
  // after append() the rates of the currents.
  std::vector<std::string> inductive() const;
  Eigen::VectorXd inductive_currents(InverseDynamics& inverse);
  Eigen::VectorXd inductive_rates() const { return inductive_outputs(&Entry::rate); }
  Findings findings() const;  // limits that the motion exceeds

 private:
  struct Entry {
    std::string name;
    std::span<const DriveKind::Need> needs;
    int effort;                                           // index
    std::string unit;                                     // of its torque on the coordinate
    std::string torque = "torque", speed_unit = "rad/s";  // "force" and "m/s" of a drive that does not turn
    bool gear_torque;                                     // the gear passes another torque than the machine's
    double L;
    std::unique_ptr<InverseTerminals> terminals;  // of a kind that has them
    int first = 0, rated = 0, rate = 0;  // outputs of the program: its first, that of the last `rate_of`, and its rate
    std::vector<int> rates;              // of the `rate_of` of each need, where it has one
    // of an elastic gear
    std::unique_ptr<InverseMachine> machine;
    double J = 0, d = 0, coulomb = 0, ratio = 1, efficiency = 1;
    Twist twist{1, 0};

    bool elastic() const { return machine != nullptr; }
  };
  struct Limit {
    std::size_t drive;
    std::string what, unit;
    int output;
    double value = 0, limit = 0, t = 0;  // the worst
  };
  Entry describe(const Drive& drive, const Model& model, const Equations& equations) const;
  void add_outputs(const Drive& drive, const InverseDynamics& inverse, std::vector<Expression>& outputs);
  void add_rigid_outputs(Entry& entry, const InverseDynamics& inverse, std::vector<Expression>& outputs) const;
  void rigid(const Entry& drive, const InverseDynamics& inverse, DriveRow& row) const;
  void elastic(Entry& drive, double t, const InverseDynamics& inverse, DriveRow& row) const;
  Eigen::VectorXd inductive_outputs(int Entry::*output) const;
  void compare(std::size_t drive, const DriveRow& row, double t);
  double need(std::size_t drive, std::string_view name) const;

  std::vector<Entry> drives_;
  std::vector<Limit> limits_;
  Evaluator program_;
  std::vector<double> out_;
  std::vector<DriveRow> rows_;  // one a drive
};

// Of the effort on a coordinate: N or N m; "" where it is another.
std::string effort_unit(const Equations& equations, const std::string& coordinate);

}  // namespace armature::internal
