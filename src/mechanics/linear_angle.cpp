#include "mechanics/linear_angle.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {

namespace {

constexpr double round_off = 1e-9;  // of a sum of at most some hundred terms of the order of one

// The rate as a program of the positions, velocities and parameters that it depends on.
class Rate {
 public:
  Rate(Expression rate, const Equations& e) : leaves_(leaves_of(rate)), generator_(1) {
    std::vector<Expression> inputs;
    find(e.q, inputs, q_), find(e.v, inputs, v_), find(e.p, inputs, p_);
    if (inputs.size() != leaves_.size()) return;  // it depends on time, outcomes or states
    for (const Input& input : p_) p_value_.push_back(e.p_value[input.number]);
    const Expression outputs[] = {rate};
    program_.emplace(inputs, outputs);
    in_.resize(inputs.size());
    work_.resize(static_cast<std::size_t>(program_->work_size()));
    program_->prepare(work_.data());
  }

  bool possible() const { return program_.has_value(); }
  std::size_t velocities() const { return v_.size(); }
  std::size_t velocity(std::size_t k) const { return v_[k].number; }

  void take_any_pose() {
    for (const Input& input : q_) in_[input.slot] = 3 * any();
    for (std::size_t k = 0; k < p_.size(); ++k) in_[p_[k].slot] = p_value_[k] * (1 + 0.1 * any());
  }
  std::vector<double> any_velocity() {
    std::vector<double> v(v_.size());
    for (double& x : v) x = any();
    return v;
  }
  double at(const std::vector<double>& v) {
    for (std::size_t k = 0; k < v.size(); ++k) in_[v_[k].slot] = v[k];
    double result = 0;
    program_->evaluate(in_.data(), &result, work_.data());
    return result;
  }

 private:
  struct Input {
    std::size_t number, slot;  // in its list, and among the inputs
  };
  void find(const std::vector<Expression>& list, std::vector<Expression>& inputs, std::vector<Input>& found) const {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (std::ranges::binary_search(leaves_, list[i].id()))
        found.push_back({i, inputs.size()}), inputs.push_back(list[i]);
  }
  double any() { return std::uniform_real_distribution<double>(-1, 1)(generator_); }

  std::vector<std::int32_t> leaves_;
  std::vector<Input> q_, v_, p_;
  std::vector<double> p_value_;
  std::optional<Program> program_;
  std::vector<double> in_, work_;
  std::mt19937 generator_;
};

// The factors of v at some pose, if they are the same at all others that are tried.
std::optional<std::vector<double>> constant_factors(Rate& rate) {
  constexpr int poses = 4;
  std::vector<double> factors(rate.velocities());
  // factor by factor at one pose; integers are meant
  rate.take_any_pose();
  for (std::size_t k = 0; k < factors.size(); ++k) {
    std::vector<double> unit(factors.size());
    unit[k] = 1;
    factors[k] = rate.at(unit);
    if (std::abs(factors[k] - std::round(factors[k])) < round_off) factors[k] = std::round(factors[k]);
  }
  // the same sum at other poses, with any velocity
  for (int pose = 0; pose < poses; ++pose) {
    rate.take_any_pose();
    const std::vector<double> v = rate.any_velocity();
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < v.size(); ++k) sum += factors[k] * v[k], size += std::abs(factors[k] * v[k]);
    if (!(std::abs(rate.at(v) - sum) <= round_off * size)) return std::nullopt;
  }
  return factors;
}

// The position that moves as a velocity says; none of a ball does.
std::optional<Expression> position_of(std::size_t velocity, const Equations& e) {
  for (std::size_t i = 0; i < e.qdot.size(); ++i)
    if (e.qdot[i] == e.v[velocity]) return e.q[i];
  return std::nullopt;
}

}  // namespace

std::optional<Expression> linear_angle(Expression angle, Expression rate, const Equations& e) {
  Rate program(rate, e);
  if (!program.possible()) return std::nullopt;
  const std::optional<std::vector<double>> factors = constant_factors(program);
  if (!factors) return std::nullopt;
  // the sum of coordinates, and the angle where all of them are zero
  Expression sum = 0.0;
  LeafMap at_zero;
  for (std::size_t k = 0; k < factors->size(); ++k) {
    const std::optional<Expression> q = position_of(program.velocity(k), e);
    if (!q) return std::nullopt;
    at_zero.emplace(q->id(), 0.0);
    if ((*factors)[k] != 0) sum = sum + (*factors)[k] * *q;
  }
  return sum + Substitution(std::move(at_zero))(angle);
}

}  // namespace armature::internal
