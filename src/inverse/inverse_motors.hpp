// The electrical side of inverse dynamics: from the efforts and their rates along the motion, the currents and voltages
//
//   rigid gear     K_m i = u/r (with the gear's losses),                       V = R i + K_e w + L di/dt
//   elastic gear   u = k s + c s'  with the twist s;  rotor = r (x + s);
//                  K_m i = J rotor'' + d rotor' + friction + u/r               V = R i + K_e rotor' + L di/dt
//
// A twist with damping is integrated from its rest s = u/k at the start; without, it and its rates are those of u.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dynamics/inverse_dynamics.hpp"
#include "model/model.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

// What a motor needs at one time of the motion.
struct MotorEffort {
  double torque = 0;       // K_m i r, at its coordinate
  double gear_torque = 0;  // what the gear passes to the coordinate, through its spring or less its losses
  double current = 0, voltage = 0, speed = 0;
  double rotor = 0;  // its angle, behind an elastic gear
};

// The highest rate of the efforts that the motors of a model need.
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
  Eigen::Vector4d u_;
};

class InverseMotors {
 public:
  InverseMotors(const Model& model, const InverseDynamics& inverse);

  std::vector<Channel> channels() const;
  // Adds the motors' entries at the state that was solved; times must grow. False: a rate has no value.
  bool append(double t, InverseDynamics& inverse, std::vector<double>& row);
  // Of the motors with inductance behind rigid gears: their names, and their currents at the state that was solved, or
  // after append() the rates of the currents.
  std::vector<std::string> inductive() const;
  Eigen::VectorXd inductive_currents(InverseDynamics& inverse);
  Eigen::VectorXd inductive_rates() const { return inductive_outputs(3); }
  std::vector<std::string> warnings() const;  // sentences about limits that the motion exceeds

 private:
  struct Motor {
    std::string name;
    int effort;  // index
    int first;   // of its outputs of the program
    bool elastic;
    bool gear_torque;                                         // the gear passes another torque than the motor's
    double K_m, K_e, R, L, J, d, coulomb, ratio, efficiency;  // all but L: of an elastic one
    Twist twist;
  };
  struct Limit {
    std::size_t motor;
    std::string what, unit;
    int output;
    double value = 0, limit = 0, t = 0;  // the worst
  };
  Motor describe(const DcMotor& motor, const Model& model, const Equations& equations) const;
  void add_outputs(const DcMotor& motor, const InverseDynamics& inverse, std::vector<Expression>& outputs);
  MotorEffort rigid(const Motor& motor, const InverseDynamics& inverse) const;
  MotorEffort elastic(Motor& motor, double t, const InverseDynamics& inverse) const;
  Eigen::VectorXd inductive_outputs(int offset) const;
  void compare(std::size_t motor, const MotorEffort& effort, double t);

  std::vector<Motor> motors_;
  std::vector<Limit> limits_;
  Evaluator program_;
  std::vector<double> out_;
};

}  // namespace armature::internal
