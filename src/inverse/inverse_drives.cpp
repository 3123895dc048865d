#include "inverse/inverse_drives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inverse/inverse_model.hpp"
#include "model/findings.hpp"
#include "model/scope.hpp"
#include "step/root_noise.hpp"

namespace armature::internal {

namespace {

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

// Of a rotor with its rates, whose size is `ratio` and which moves at `rate`: of what follows where it stands; 0: it rests.
double direction_of(const Eigen::Vector4d& rotor, double ratio, double rate) {
  double least = step::root_noise::round_off * ratio;
  for (int k = 1; k < 4; ++k)
    if (std::abs(rotor[k]) > (least *= rate)) return rotor[k] > 0 ? 1 : -1;
  return 0;
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
  for (const Drive& drive : model.drives) {
    const int by_inductance = drive.kind->inductance(drive, model) != 0 ? 1 : 0;
    if (!drive.gear.elastic())
      order = std::max(order, by_inductance);
    else  // the quintic between rows takes two rates
      order = std::max(order, 2 + (constant(drive.gear.damping, model, 0) == 0 ? by_inductance : 0));
  }
  return order;
}

Eigen::Vector4d Twist::advance(double t, const Eigen::Vector4d& u) {
  if (c_ == 0) return u / k_;
  if (!begun_) {
    s_ = u[0] / k_;
  } else if (t > t_) {
    const double h = t - t_;
    // k s + c s' = u, exactly where u is a polynomial of degree five between the rows.
    s_ = std::exp(-k_ / c_ * h) * s_ + quintic_between(h, u_, u).dot(decaying_moments(k_ / c_, h)) / c_;
  }
  begun_ = true, t_ = t, u_ = u;
  Eigen::Vector4d s;
  s[0] = s_;
  // The rates of s follow from the equation itself.
  for (int k = 1; k < 4; ++k) s[k] = (u[k - 1] - k_ * s[k - 1]) / c_;
  return s;
}

InverseDrives::InverseDrives(const Model& model, const InverseDynamics& inverse) {
  std::vector<Expression> outputs;
  const Equations& e = inverse.system().equations();
  for (const Drive& drive : model.drives) {
    if (drive.on.empty()) continue;  // a supply
    drives_.push_back(describe(drive, model, e));
    add_outputs(drive, inverse, outputs);
  }
  program_ = inverse.effort_rates().program(outputs);
  rows_.resize(drives_.size());
}

std::string effort_unit(const Equations& equations, const std::string& coordinate) {
  std::string unit;
  for (const Coordinate& position : equations.positions)
    if (position.name == coordinate) unit = position.unit;
  for (const Quantity& quantity : equations.quantities)
    if (quantity.name == coordinate) unit = quantity.unit;
  return unit == "rad" ? "N m" : unit == "m" ? "N" : "";
}

InverseDrives::Entry InverseDrives::describe(const Drive& drive, const Model& model, const Equations& equations) const {
  Entry entry;
  entry.name = drive.name;
  entry.unit = effort_unit(equations, drive.on);
  entry.needs = drive.kind->needs();
  entry.effort = effort_index(equations, drive.name);
  entry.gear_torque = drive.gear.elastic() || drive.gear.efficiency.given();
  entry.ratio = constant(drive.gear.ratio, model, 1) / constant(drive.gear.radius, model, 1);
  entry.L = drive.kind->inductance(drive, model);
  if (const auto* kind = dynamic_cast<const HasTerminals*>(drive.kind)) entry.terminals = kind->terminals(drive, model);
  if (entry.terminals && !entry.terminals->turns()) entry.torque = "force", entry.speed_unit = "m/s";
  // Only an elastic gear separates rotor and coordinate: then the machine is computed in numbers, with its own inertia
  // and friction.
  if (!drive.gear.elastic()) return entry;
  const auto number = [&](const Formula& formula, double otherwise) { return constant(formula, model, otherwise); };
  entry.machine = drive.kind->inverse_machine(drive, model);
  entry.J = number(drive.rotor.inertia, 0);
  entry.d = number(drive.rotor.viscous_friction, 0);
  entry.coulomb = number(drive.rotor.coulomb_friction, 0);
  entry.efficiency = number(drive.gear.efficiency, 1);
  entry.twist = Twist(number(drive.gear.stiffness, 1), number(drive.gear.damping, 0));
  return entry;
}

// Rigid: torque, speed, needs without L di/dt, then i and di/dt of each that gets it. Elastic: the coordinate and three rates. Then the limits.
void InverseDrives::add_outputs(const Drive& drive, const InverseDynamics& inverse, std::vector<Expression>& outputs) {
  const Equations& e = inverse.system().equations();
  drives_.back().first = static_cast<int>(outputs.size());
  if (drive.gear.elastic()) {
    const Expression x = *find_quantity(e, driven_prefix + drive.name);
    for (int k = 0; k < 4; ++k) outputs.push_back(inverse.effort_rates().derivative(x, k));
  } else {
    add_rigid_outputs(drives_.back(), inverse, outputs);
  }
  // Limits that the file gives as formulas, to compare each row with.
  for (const DriveLimit& limit : drive.limits) {
    limits_.push_back({drives_.size() - 1, limit.quantity, limit.unit, static_cast<int>(outputs.size())});
    outputs.push_back(*find_quantity(e, limit_prefix + drive.name + "." + limit.quantity));
  }
}

void InverseDrives::add_rigid_outputs(Entry& entry, const InverseDynamics& inverse,
                                      std::vector<Expression>& outputs) const {
  const EffortRates& rates = inverse.effort_rates();
  const auto recorded = [&](std::string_view signal) {
    return *find_quantity(inverse.system().equations(), entry.name + "." + std::string(signal));
  };
  outputs.push_back(recorded(entry.torque));
  outputs.push_back(recorded("speed"));
  for (const DriveKind::Need& need : entry.needs) outputs.push_back(recorded(need.signal));
  for (const DriveKind::Need& need : entry.needs) {
    entry.rates.push_back(static_cast<int>(outputs.size()) + 1);
    if (need.rate_of.empty()) continue;
    const Expression i = recorded(need.rate_of);
    entry.rated = static_cast<int>(outputs.size()), entry.rate = entry.rated + 1;
    outputs.push_back(i);
    outputs.push_back(rates.order() > 0 ? rates.derivative(i, 1) : Expression(0.0));  // of order 0 none asks for it
  }
}

std::vector<Channel> InverseDrives::channels() const {
  std::vector<Channel> list;
  for (const Entry& drive : drives_) {
    list.push_back({drive.name + "." + drive.torque, drive.unit});
    if (drive.gear_torque) list.push_back({drive.name + ".gear_torque", drive.unit});
    for (const DriveKind::Need& need : drive.needs)
      list.push_back({drive.name + "." + std::string(need.signal), std::string(need.unit)});
    if (drive.elastic())
      list.push_back({drive.name + ".rotor", "rad"}), list.push_back({drive.name + ".rotor'", "rad/s"});
    list.push_back({drive.name + ".speed", drive.speed_unit});
    list.push_back({drive.name + ".power", "W"});
  }
  return list;
}

void InverseDrives::rigid(const Entry& drive, const InverseDynamics& inverse, DriveRow& row) const {
  const double* out = out_.data() + drive.first;
  row.torque = out[0], row.speed = out[1], row.gear_torque = inverse.effort()[drive.effort];
  for (std::size_t k = 0; k < drive.needs.size(); ++k) {
    row.needs[k] = out[2 + k];
    if (drive.needs[k].rate_of.empty()) continue;
    const double L = drive.terminals ? drive.terminals->per_rate(k) : drive.L;
    row.needs[k] += L * out_[static_cast<std::size_t>(drive.rates[k])];
  }
}

void InverseDrives::elastic(Entry& drive, double t, const InverseDynamics& inverse, DriveRow& row) const {
  // the rotor from the coordinate and the twist of the gear
  Eigen::Vector4d u = Eigen::Vector4d::Zero();
  for (int k = 0; k <= std::min(3, inverse.effort_rates().order()); ++k) u[k] = inverse.effort(k)[drive.effort];
  const Eigen::Vector4d x = Eigen::Map<const Eigen::Vector4d>(out_.data() + drive.first);
  const Eigen::Vector4d rotor = drive.ratio * (x + drive.twist.advance(t, u));
  // the torque that moves it, with the losses of the gear and the friction of the rotor
  const double sign = direction_of(rotor, std::abs(drive.ratio), inverse.rate());
  const double passed = drive.J * rotor[2] + u[0] / drive.ratio + drive.coulomb * sign,
               passed_rate = drive.J * rotor[3] + u[1] / drive.ratio;
  const double n = drive.efficiency,
               loss = sign == 0            ? 2 / (n + 1 / n)
                      : passed * sign >= 0 ? 1 / n
                                           : n;  // at rest the mean of both sides
  const double torque = passed * loss + drive.d * rotor[1], torque_rate = passed_rate * loss + drive.d * rotor[2];
  drive.machine->at(torque, torque_rate, rotor[1], row.needs);
  row.torque = torque * drive.ratio, row.gear_torque = u[0], row.speed = rotor[1], row.rotor = rotor[0];
}

bool InverseDrives::append(double t, InverseDynamics& inverse, std::vector<double>& row) {
  if (!inverse.rates()) return false;
  inverse.evaluate(program_, out_);
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    Entry& drive = drives_[k];
    DriveRow& found = rows_[k];
    found.needs.resize(drive.needs.size());
    // Torque, speed and needs, through an elastic or a rigid gear.
    if (drive.elastic())
      elastic(drive, t, inverse, found);
    else
      rigid(drive, inverse, found);
    found.power = drive.terminals ? drive.terminals->complete(found.torque / drive.ratio * found.speed, found.needs)
                                  : need(k, "current") * need(k, "voltage");
    // In the order of channels().
    row.push_back(found.torque);
    if (drive.gear_torque) row.push_back(found.gear_torque);
    row.insert(row.end(), found.needs.begin(), found.needs.end());
    if (drive.elastic()) row.insert(row.end(), {found.rotor, found.speed});
    row.insert(row.end(), {found.speed, found.power});
    if (!std::ranges::all_of(found.needs, [](double value) { return std::isfinite(value); })) return false;
    compare(k, found, t);
  }
  return true;
}

// Of the last row; 0: the drive has none of this name.
double InverseDrives::need(std::size_t drive, std::string_view name) const {
  const auto needs = drives_[drive].needs;
  const auto found = std::ranges::find(needs, name, &DriveKind::Need::signal);
  return found == needs.end() ? 0 : rows_[drive].needs[static_cast<std::size_t>(found - needs.begin())];
}

double InverseDrives::signal(const std::string& name) const {
  const std::size_t dot = name.find('.');
  const auto drive = std::ranges::find(drives_, name.substr(0, dot), &Entry::name) - drives_.begin();
  const DriveRow& row = rows_[static_cast<std::size_t>(drive)];
  const std::string part = name.substr(dot + 1);
  if (part == "torque" || part == "force") return row.torque;
  if (part == "gear_torque") return row.gear_torque;
  if (part == "speed") return row.speed;
  if (part == "rotor") return row.rotor;
  if (part == "power") return row.power;
  return need(static_cast<std::size_t>(drive), part);
}

std::vector<std::string> InverseDrives::inductive() const {
  std::vector<std::string> names;
  for (const Entry& drive : drives_)
    if (!drive.elastic() && drive.L != 0) names.push_back(drive.name);
  return names;
}

Eigen::VectorXd InverseDrives::inductive_outputs(int Entry::*output) const {
  std::vector<double> values;
  for (const Entry& drive : drives_)
    if (!drive.elastic() && drive.L != 0) values.push_back(out_[static_cast<std::size_t>(drive.*output)]);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd InverseDrives::inductive_currents(InverseDynamics& inverse) {
  inverse.evaluate(program_, out_);
  return inductive_outputs(&Entry::rated);
}

void InverseDrives::compare(std::size_t drive, const DriveRow& row, double t) {
  const auto value_of = [&](const std::string& quantity) {
    const auto needs = drives_[drive].needs;
    const auto need = std::ranges::find(needs, quantity, &DriveKind::Need::signal);
    return need == needs.end() ? row.speed : row.needs[static_cast<std::size_t>(need - needs.begin())];
  };
  for (Limit& limit : limits_) {
    if (limit.drive != drive) continue;
    const double value = value_of(limit.what), bound = out_[static_cast<std::size_t>(limit.output)];
    if (std::abs(value) <= bound || std::abs(value) - bound <= std::abs(limit.value) - limit.limit) continue;
    limit.value = value, limit.limit = bound, limit.t = t;
  }
}

Findings InverseDrives::findings() const {
  Findings findings;
  for (const Limit& limit : limits_)
    if (limit.value != 0)
      findings.push_back(finding<FindingCode::drive_limit>(
          "drive"_a = drives_[limit.drive].name, "value"_a = limit.value, "unit"_a = limit.unit, "t"_a = limit.t,
          "quantity"_a = limit.what, "limit"_a = limit.limit));
  return findings;
}

}  // namespace armature::internal
