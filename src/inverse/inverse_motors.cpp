#include "inverse/inverse_motors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inverse/inverse_model.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

bool has_inductance(const DcMotor& motor, const Model& model) {
  return motor.inductance.given() && evaluate_constant(motor.inductance, model) != 0;
}

double constant(const Formula& formula, const Model& model, double otherwise) {
  return formula.given() ? evaluate_constant(formula, model) : otherwise;
}

// The polynomial of fifth order in time since the first row that has the values and two rates of both rows.
Eigen::Matrix<double, 6, 1> quintic_between(double h, const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
  const double d0 = b[0] - a[0] - h * (a[1] + 0.5 * h * a[2]), d1 = h * (b[1] - a[1] - h * a[2]),
               d2 = h * h * (b[2] - a[2]);
  Eigen::Matrix<double, 6, 1> p;
  p << a[0], a[1], 0.5 * a[2], (10 * d0 - 4 * d1 + 0.5 * d2) / std::pow(h, 3),
      (-15 * d0 + 7 * d1 - d2) / std::pow(h, 4), (6 * d0 - 3 * d1 + 0.5 * d2) / std::pow(h, 5);
  return p;
}

// The integrals of exp(-a (h - s)) s^k over 0 to h, k = 0 … 5: forwards from k = 0 where a h is large, else by the series
// h^(k+1) sum_j (-a h)^j k!/(k+1+j)!.
Eigen::Matrix<double, 6, 1> decaying_moments(double a, double h) {
  Eigen::Matrix<double, 6, 1> moment;
  for (int k = 0; k < 6; ++k) {
    if (a * h > 2) {
      moment[k] = k == 0 ? -std::expm1(-a * h) / a : (std::pow(h, k) - k * moment[k - 1]) / a;
      continue;
    }
    double term = std::pow(h, k + 1) / (k + 1), sum = term;
    for (int j = 1; j < 40; ++j) sum += term *= -a * h / (k + 1 + j);
    moment[k] = sum;
  }
  return moment;
}

}  // namespace

int order_of_rates(const Model& model) {
  int order = 0;
  for (const DcMotor& motor : model.motors) {
    const int by_inductance = has_inductance(motor, model) ? 1 : 0;
    if (!motor.stiffness.given())
      order = std::max(order, by_inductance);
    else  // the quintic between rows takes two rates
      order = std::max(order, 2 + (constant(motor.damping, model, 0) == 0 ? by_inductance : 0));
  }
  return order;
}

Eigen::Vector4d Twist::advance(double t, const Eigen::Vector4d& u) {
  if (c_ == 0) return u / k_;
  if (!begun_) {
    s_ = u[0] / k_;
  } else if (t > t_) {
    const double h = t - t_;
    s_ = std::exp(-k_ / c_ * h) * s_ + quintic_between(h, u_, u).dot(decaying_moments(k_ / c_, h)) / c_;
  }
  begun_ = true, t_ = t, u_ = u;
  Eigen::Vector4d s;
  s[0] = s_;
  for (int k = 1; k < 4; ++k) s[k] = (u[k - 1] - k_ * s[k - 1]) / c_;
  return s;
}

InverseMotors::InverseMotors(const Model& model, const InverseDynamics& inverse) {
  std::vector<Expression> outputs;
  const Equations& e = inverse.system().equations();
  for (const DcMotor& motor : model.motors) {
    motors_.push_back(describe(motor, model, e));
    motors_.back().first = static_cast<int>(outputs.size());
    add_outputs(motor, inverse, outputs);
  }
  program_ = inverse.effort_rates().program(outputs);
}

InverseMotors::Motor InverseMotors::describe(const DcMotor& motor, const Model& model,
                                             const Equations& equations) const {
  const bool elastic = motor.stiffness.given();
  const auto number = [&](const Formula& formula, double otherwise) {
    return elastic ? constant(formula, model, otherwise) : otherwise;
  };
  const double K_m = number(motor.torque_constant, 1);
  return {motor.name,
          effort_index(equations, motor.name),
          0,
          elastic,
          elastic || motor.efficiency.given(),
          K_m,
          number(motor.back_emf_constant, K_m),
          number(motor.resistance, 0),
          constant(motor.inductance, model, 0),
          number(motor.rotor_inertia, 0),
          number(motor.viscous_friction, 0),
          number(motor.coulomb_friction, 0),
          number(motor.gear_ratio, 1) / number(motor.radius, 1),
          number(motor.efficiency, 1),
          Twist(number(motor.stiffness, 1), number(motor.damping, 0))};
}

// Rigid: current, voltage without L di/dt, speed, di/dt, torque. Elastic: the coordinate and three rates. Then the limits.
void InverseMotors::add_outputs(const DcMotor& motor, const InverseDynamics& inverse,
                                std::vector<Expression>& outputs) {
  const Equations& e = inverse.system().equations();
  const EffortRates& rates = inverse.effort_rates();
  const bool rated = rates.order() > 0;  // else nothing asks for the highest rate
  if (motor.stiffness.given()) {
    const Expression x = *find_quantity(e, driven_prefix + motor.name);
    for (int k = 0; k < 4; ++k) outputs.push_back(rates.derivative(x, k));
  } else {
    const Expression i = *find_quantity(e, motor.name + ".current");
    outputs.insert(outputs.end(),
                   {i, *find_quantity(e, motor.name + ".voltage"), *find_quantity(e, motor.name + ".speed"),
                    rated ? rates.derivative(i, 1) : Expression(0.0), *find_quantity(e, motor.name + ".torque")});
  }
  for (const auto& [what, unit] : {std::pair{"voltage", "V"}, {"current", "A"}, {"speed", "rad/s"}})
    if (const Expression* limit = find_quantity(e, limit_prefix + motor.name + "." + what)) {
      limits_.push_back({motors_.size() - 1, what, unit, static_cast<int>(outputs.size())});
      outputs.push_back(*limit);
    }
}

std::vector<Channel> InverseMotors::channels() const {
  std::vector<Channel> list;
  for (const Motor& motor : motors_) {
    list.push_back({motor.name + ".torque", ""});
    if (motor.gear_torque) list.push_back({motor.name + ".gear_torque", ""});
    list.push_back({motor.name + ".current", "A"});
    list.push_back({motor.name + ".voltage", "V"});
    if (motor.elastic)
      list.push_back({motor.name + ".rotor", "rad"}), list.push_back({motor.name + ".rotor'", "rad/s"});
  }
  return list;
}

MotorEffort InverseMotors::rigid(const Motor& motor, const InverseDynamics& inverse) const {
  const double* out = out_.data() + motor.first;
  return {out[4], inverse.effort()[motor.effort], out[0], out[1] + motor.L * out[3], out[2], 0};
}

MotorEffort InverseMotors::elastic(Motor& motor, double t, const InverseDynamics& inverse) const {
  Eigen::Vector4d u = Eigen::Vector4d::Zero();
  for (int k = 0; k <= std::min(3, inverse.effort_rates().order()); ++k) u[k] = inverse.effort(k)[motor.effort];
  const Eigen::Vector4d x = Eigen::Map<const Eigen::Vector4d>(out_.data() + motor.first);
  const Eigen::Vector4d rotor = motor.ratio * (x + motor.twist.advance(t, u));
  const double sign = rotor[1] > 0 ? 1 : rotor[1] < 0 ? -1 : 0;
  const double passed = motor.J * rotor[2] + u[0] / motor.ratio + motor.coulomb * sign,
               passed_rate = motor.J * rotor[3] + u[1] / motor.ratio;
  const double loss = passed * rotor[1] >= 0 ? 1 / motor.efficiency : motor.efficiency;
  const double current = (passed * loss + motor.d * rotor[1]) / motor.K_m,
               current_rate = (passed_rate * loss + motor.d * rotor[2]) / motor.K_m;
  return {motor.K_m * current * motor.ratio,
          u[0],
          current,
          motor.R * current + motor.K_e * rotor[1] + motor.L * current_rate,
          rotor[1],
          rotor[0]};
}

bool InverseMotors::append(double t, InverseDynamics& inverse, std::vector<double>& row) {
  if (!inverse.rates()) return false;
  inverse.evaluate(program_, out_);
  for (std::size_t k = 0; k < motors_.size(); ++k) {
    Motor& motor = motors_[k];
    const MotorEffort effort = motor.elastic ? elastic(motor, t, inverse) : rigid(motor, inverse);
    row.push_back(effort.torque);
    if (motor.gear_torque) row.push_back(effort.gear_torque);
    row.insert(row.end(), {effort.current, effort.voltage});
    if (motor.elastic) row.insert(row.end(), {effort.rotor, effort.speed});
    if (!std::isfinite(effort.voltage)) return false;
    compare(k, effort, t);
  }
  return true;
}

std::vector<std::string> InverseMotors::inductive() const {
  std::vector<std::string> names;
  for (const Motor& motor : motors_)
    if (!motor.elastic && motor.L != 0) names.push_back(motor.name);
  return names;
}

Eigen::VectorXd InverseMotors::inductive_outputs(int offset) const {
  std::vector<double> values;
  for (const Motor& motor : motors_)
    if (!motor.elastic && motor.L != 0) values.push_back(out_[static_cast<std::size_t>(motor.first + offset)]);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd InverseMotors::inductive_currents(InverseDynamics& inverse) {
  inverse.evaluate(program_, out_);
  return inductive_outputs(0);
}

void InverseMotors::compare(std::size_t motor, const MotorEffort& effort, double t) {
  for (Limit& limit : limits_) {
    if (limit.motor != motor) continue;
    const double value = limit.unit == "V" ? effort.voltage : limit.unit == "A" ? effort.current : effort.speed;
    const double bound = out_[static_cast<std::size_t>(limit.output)];
    if (std::abs(value) <= bound || std::abs(value) - bound <= std::abs(limit.value) - limit.limit) continue;
    limit.value = value, limit.limit = bound, limit.t = t;
  }
}

std::vector<std::string> InverseMotors::warnings() const {
  std::vector<std::string> sentences;
  for (const Limit& limit : limits_)
    if (limit.value != 0)
      sentences.push_back(fmt::format("{} would need {:.6g} {} at t = {:.6g} s; the limit of its {} is {:g} {}",
                                      motors_[limit.motor].name, limit.value, limit.unit, limit.t, limit.what,
                                      limit.limit, limit.unit));
  return sentences;
}

}  // namespace armature::internal
