#include "prepare/start_touches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double sudden = 10;          // of what moves a touch otherwise: a start that nobody meant
constexpr double well = 0.1;           // of the coordinate that moves the surfaces most: leverage of others that count
constexpr double short_moment = 1e-6;  // of the motion: over which the rate of a gap is differentiated

// A comparison that touches where its outcome is `pressed`.
struct Touch {
  int comparison;
  double pressed;
};

std::vector<Touch> pressed_touches(const Equations& e, const State& state) {
  std::vector<Touch> touches;
  const auto& comparisons = e.graph->comparisons();
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    if (comparisons[k].touches_at < 0) continue;
    const double pressed = comparisons[k].touches_at;
    if (state.w[static_cast<Eigen::Index>(k)] == pressed) touches.push_back({static_cast<int>(k), pressed});
  }
  return touches;
}

class StartMotion {
 public:
  StartMotion(SystemEvaluator& evaluator, const State& state)
      : evaluator_(evaluator), state_(state), terms_(evaluator.make_sparse_terms()) {
    const Layout& n = evaluator.system().layout();
    rows_.resize(n.nv, n.m);
    rows_.set_groups(row_groups(evaluator.system().equations()));
    evaluator.set(state);
    evaluator.position(terms_);
    known_ = rows_.factor(terms_);
    typical_ = MachineSize(evaluator.system().equations(), terms_, state.x.data()).per_velocity().cwiseInverse();
  }
  bool is_known() const { return known_; }

  void take(const Eigen::VectorXd& outcomes) {
    evaluator_.set(state_);
    evaluator_.set_outcomes(outcomes);
    evaluator_.all(terms_);
  }
  const Eigen::VectorXd& force() const { return terms_.f; }
  Eigen::VectorXd acceleration() {
    Eigen::VectorXd a(terms_.f.size()), lambda(rows_.rows());
    rows_.solve(terms_.f, terms_.gamma, a, lambda);
    return a;
  }

  // J: rates of the comparisons' roots, one a row, are linear in v.
  Eigen::MatrixXd directions() {
    const Layout& n = evaluator_.system().layout();
    Eigen::VectorXd x = state_.x;
    x.segment(n.nq, n.nv).setZero();
    const Eigen::VectorXd still = rates(x);
    Eigen::MatrixXd J(still.size(), n.nv);
    for (int j = 0; j < n.nv; ++j) {
      x[n.nq + j] = 1;
      J.col(j) = rates(x) - still;
      x[n.nq + j] = 0;
    }
    return J;
  }

  // By what the roots accelerate along a motion of constant velocities: J' v.
  Eigen::VectorXd turning(double moment) {
    const Layout& n = evaluator_.system().layout();
    const Configuration configuration(evaluator_.system().equations());
    const Eigen::VectorXd way = moment * state_.x.segment(n.nq, n.nv);
    Eigen::VectorXd before = state_.x, after = state_.x;
    configuration.advance(after.data(), way.data());
    configuration.advance(before.data(), Eigen::VectorXd(-way).data());
    return (rates(after) - rates(before)) / (2 * moment);
  }

  // Of coordinates that move the gap of this row by much, where a slide moves by the machine's length and an angle by 1 rad.
  double load(const Eigen::RowVectorXd& row, const Eigen::VectorXd& force) const {
    const Eigen::VectorXd leverage = row.transpose().cwiseAbs().cwiseProduct(typical_);
    double load = 0;
    for (Eigen::Index i = 0; i < row.size(); ++i)
      if (leverage[i] > 0 && leverage[i] >= well * leverage.maxCoeff())
        load = std::max(load, std::abs(force[i] / row[i]));
    return load;
  }

  Eigen::VectorXd roots() {
    Eigen::VectorXd roots(evaluator_.system().layout().nw);
    evaluator_.set(state_);
    evaluator_.roots(roots);
    return roots;
  }

 private:
  Eigen::VectorXd rates(const Eigen::VectorXd& x) {
    Eigen::VectorXd rates(evaluator_.system().layout().nw);
    evaluator_.set(state_.t, x.data());
    evaluator_.root_rates(Eigen::VectorXd::Zero(terms_.f.size()), rates);
    return rates;
  }

  SystemEvaluator& evaluator_;
  const State& state_;
  SparseTerms terms_;
  KineticRows rows_;
  Eigen::VectorXd typical_;  // sizes of velocities
  bool known_;
};

int quantity(const Equations& e, const std::string& name) {
  const auto found = std::ranges::find(e.quantities, name, &Quantity::name);
  return found == e.quantities.end() ? -1 : static_cast<int>(found - e.quantities.begin());
}

// "contact heel at point 2" records heel.penetration2.
int part_of_contact(const Equations& e, std::string label, const std::string& part) {
  constexpr std::string_view contact = "contact ", at_point = " at point ";
  if (!label.starts_with(contact)) return -1;
  label.erase(0, contact.size());
  const std::size_t at = label.find(at_point);
  const std::string suffix = at == label.npos ? "" : label.substr(at + at_point.size());
  return quantity(e, label.substr(0, at) + "." + part + suffix);
}

bool is_angle(const Equations& e, const std::string& label) {
  const std::string name = label.substr(label.rfind(' ') + 1);
  const auto position = std::ranges::find(e.positions, name, &Coordinate::name);
  if (position != e.positions.end()) return position->kind == Coordinate::Kind::angle;
  const int k = quantity(e, name);
  return k >= 0 && e.quantities[static_cast<std::size_t>(k)].unit == "rad";
}

// "8 mm", "160 kN"
std::string with_prefix(double value, const char* unit) {
  constexpr const char* prefixes[] = {"n", "µ", "m", "", "k", "M", "G"};
  if (!(value > 0)) return fmt::format("0 {}", unit);
  const int thousands = std::clamp(static_cast<int>(std::floor(std::log10(value) / 3)), -3, 3);
  return fmt::format("{:.3g} {}{}", value * std::pow(1000, -thousands), prefixes[thousands + 3], unit);
}

}  // namespace

bool StartTouch::is_sudden() const { return push > sudden * natural && force > sudden * load; }

std::string StartTouch::sentence() const {
  return fmt::format("{} starts with a penetration of {} ({})", label,
                     is_angle ? fmt::format("{:.3g} rad", penetration) : with_prefix(penetration, "m"),
                     with_prefix(force, is_angle ? "N m" : "N"));
}

std::vector<StartTouch> start_touches(SystemEvaluator& evaluator, const State& state, double duration) {
  const Equations& e = evaluator.system().equations();
  const std::vector<Touch> touches = pressed_touches(e, state);
  if (touches.empty()) return {};
  StartMotion start(evaluator, state);
  if (!start.is_known()) return {};
  // accelerations with all touches, and with none
  start.take(state.w);
  Observables observed;
  evaluator.observables(observed);
  const Eigen::VectorXd force = start.force(), a = start.acceleration();
  const auto without = [&](const std::vector<Touch>& some) {
    Eigen::VectorXd w = state.w;
    for (const Touch& touch : some) w[touch.comparison] = 1 - touch.pressed;
    start.take(w);
  };
  without(touches);
  const Eigen::VectorXd f0 = start.force(), a0 = start.acceleration();
  const Eigen::MatrixXd J = start.directions();
  const Eigen::VectorXd turning = start.turning(short_moment * (duration > 0 ? duration : 1));
  const Eigen::VectorXd roots = start.roots();
  std::vector<StartTouch> list;
  for (const Touch& touch : touches) {
    const auto row = J.row(touch.comparison);
    const std::string& label = e.graph->comparisons()[static_cast<std::size_t>(touch.comparison)].label;
    StartTouch one{
        .label = label, .is_angle = is_angle(e, label), .penetration = std::abs(roots[touch.comparison]), .force = 0};
    one.push = std::abs(row.dot(a - a0));
    one.natural = std::abs(row.dot(a0)) + std::abs(turning[touch.comparison]);
    if (const int k = part_of_contact(e, label, "penetration"); k >= 0) {
      one.penetration = observed.quantities[k];
      one.force = observed.quantities[part_of_contact(e, label, "force")];
      one.is_angle = false;
    } else {
      without({touch});
      one.force = std::abs(row.dot(force - start.force())) / row.squaredNorm();
    }
    one.load = start.load(row, f0);
    if (one.penetration > 0) list.push_back(one);
  }
  evaluator.set(state);
  return list;
}

std::optional<Finding> sudden_start(const std::vector<StartTouch>& touches) {
  const StartTouch* largest = nullptr;
  int count = 0;
  for (const StartTouch& touch : touches) {
    if (!touch.is_sudden()) continue;
    ++count;
    if (!largest || touch.push > largest->push) largest = &touch;
  }
  if (!largest) return std::nullopt;
  return finding<FindingCode::start_touch>("touch"_a = largest->sentence(),
                                           "more"_a = count > 1 ? fmt::format(", and {} more", count - 1) : "");
}

}  // namespace armature::internal
