#include "integrate/lane_integrator.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "integrate/fixed_step.hpp"
#include "integrate/tolerance.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"

namespace armature::internal {

namespace {

using step::lane_bit;
constexpr int W = lane_count;

class EmbeddedLanes final : public LaneIntegrator {
 public:
  EmbeddedLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense)
      : LaneIntegrator(tableau, ode, true, dense),
        atol_(static_cast<std::size_t>(ode.size())),
        tolerance_{options.rtol, atol_.data()},
        memory_(static_cast<std::size_t>(step::Embedded<W>::memory(tableau, ode.size()))),
        steps_(tableau, ode.size(), {tolerance_, options.first_step, options.max_step}, memory_.data()),
        stiffness_(W, StiffnessTest(tableau)) {
    assert(tableau.estimates > 0 && options.atol.size() == ode.size());
    alone_.fill(Eigen::VectorXd(ode.size()));
    options_.fill(options);
    for (int k = 0; k < W; ++k) set_atol(k, options.atol);
  }

  void set_atol(int k, const Eigen::VectorXd& atol) override {
    const auto lane = static_cast<std::size_t>(k);
    options_[lane].atol = atol;
    of_lane_[lane] = {tolerance_.rtol, atol};
    for (std::size_t e = 0; e < atol_.size(); ++e) atol_[e][k] = atol[static_cast<Eigen::Index>(e)];
  }

 private:
  const Steps& steps() const override { return steps_; }
  Tried try_steps(LaneMask lanes, const LaneRow& t_stop) override { return steps_.attempt(ode_, lanes, t_stop); }
  void begin_lane(int k) override {
    steps_.begin(k);
    stiffness_[static_cast<std::size_t>(k)] = StiffnessTest(steps_.method().tableau());
  }
  void start_lane(int k, double t, const double* x) override { steps_.start(k, t, x); }
  std::string failure_sentence(int k) override { return at(k).give_up_sentence(steps_.status(k)); }
  const StiffnessTest* stiffness(int k) const override { return &stiffness_[static_cast<std::size_t>(k)]; }
  const step::Tolerance<W>* tolerance() const override { return &tolerance_; }
  const IntegratorOptions* error_control(int k) const override { return &options_[static_cast<std::size_t>(k)]; }

  void stepped(int k) override {
    if (!stiffness_[static_cast<std::size_t>(k)].due()) return;
    auto& [x1, of_slope, of_x] = alone_;
    const step::RungeKutta<W>& method = steps_.method();
    for (int e = 0; e < steps_.size(); ++e) {
      x1[e] = steps_.x()[e][k];
      of_slope[e] = method.last()[e][k] - method.last_stage()[e][k];
      of_x[e] = x1[e] - steps_.method().stage_x()[e][k];
    }
    stiffness_[static_cast<std::size_t>(k)].look(steps_.last_length(k), of_lane_[static_cast<std::size_t>(k)], of_slope,
                                                 of_x, x1);
  }

  std::array<IntegratorOptions, W> options_;
  std::array<Tolerance, W> of_lane_;
  std::vector<LaneRow> atol_;  // the same, of all lanes
  step::Tolerance<W> tolerance_;
  std::vector<LaneRow> memory_;
  step::Embedded<W> steps_;
  std::vector<StiffnessTest> stiffness_;
  std::array<Eigen::VectorXd, 3> alone_;  // of one lane
};

class FixedStepLanes final : public LaneIntegrator {
 public:
  FixedStepLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense)
      : LaneIntegrator(tableau, ode, false, dense),
        step_(options.step),
        memory_(static_cast<std::size_t>(step::FixedStep<W>::memory(tableau, ode.size()))),
        steps_(tableau, ode.size(), {options.step, dense, 0}, memory_.data()) {}

 private:
  const Steps& steps() const override { return steps_; }
  Tried try_steps(LaneMask lanes, const LaneRow& t_stop) override { return steps_.attempt(ode_, lanes, t_stop); }
  void begin_lane(int k) override { steps_.begin(k); }
  void start_lane(int k, double t, const double* x) override { steps_.start(k, t, x); }
  std::string failure_sentence(int k) override {
    return fixed_step_failure(steps_.status(k), steps_.t()[k], steps_.end_tried(k), step_);
  }

  double step_;
  std::vector<LaneRow> memory_;
  step::FixedStep<W> steps_;
};

}  // namespace

LaneIntegrator::LaneIntegrator(const Tableau& tableau, LaneOde& ode, bool error_controlled, bool dense)
    : ode_(ode),
      tableau_(tableau),
      n_(ode.size()),
      dense_wanted_(dense),
      dense_memory_(static_cast<std::size_t>(step::DenseOutput<W>::memory(tableau, n_))),
      dense_(tableau, n_, dense_memory_.data()),
      powers_(static_cast<std::size_t>(n_ * (dense_.columns() + 1))),
      has_powers_(static_cast<std::size_t>(n_)) {
  for (int k = 0; k < W; ++k) {
    lanes_.push_back(std::make_unique<Lane>(*this, k, error_controlled));
    at(k).previous_x_.setZero(n_);
    at(k).F_.setZero(n_, dense_.columns());
    at(k).x_.setZero(n_);
  }
}

LaneIntegrator::~LaneIntegrator() = default;

void LaneIntegrator::begin(int k) {
  at(k).inner_.reset();
  at(k).statistics_ = {};
  at(k).failure_ = StepStatus::ok;
  begin_lane(k);
}

Integrator& LaneIntegrator::lane(int k) { return at(k); }

StepStatus LaneIntegrator::failure(int k) const { return lanes_[static_cast<std::size_t>(k)]->failure(); }

LaneIntegrator::Tried LaneIntegrator::attempt(LaneMask lanes, const LaneRow& t_stop) {
  const Tried tried = try_steps(lanes, t_stop);
  std::ranges::fill(has_powers_, false);
  // Counts of all lanes tried, the new ends of those that stepped, reasons of those that failed.
  for_each_lane(lanes, [&](int k) { at(k).take_counts(steps().counts(k)); });
  for_each_lane(tried.stepped, [&](int k) {
    at(k).take_step();
    stepped(k);
  });
  for_each_lane(tried.failed, [&](int k) { at(k).failure_ = steps().status(k), at(k).message_ = failure_sentence(k); });
  // Without the slope at its end a step has no polynomial, only a line.
  if (dense_wanted_) {
    linear_ = (linear_ & ~tried.stepped) | (tried.stepped & ~steps().has_end());
    make_dense(tried.stepped & steps().has_end());
  }
  return tried;
}

void LaneIntegrator::make_dense(LaneMask lanes) {
  open_ = late_ ? lanes : 0;
  if (!late_) make_dense_now(lanes);
}

void LaneIntegrator::make_dense_now(LaneMask lanes) {
  if (!lanes) return;
  open_ &= ~lanes;
  std::ranges::fill(has_powers_, false);
  const LaneMask sound = dense_.make(ode_, steps().method(), lanes, ends(), tolerance());
  unsound_ = (unsound_ & ~lanes) | (lanes & ~sound);
  for_each_lane(lanes, [&](int k) { at(k).statistics_.evaluations += tableau_.further_stages; });
}

void LaneIntegrator::interpolate(LaneMask wanted, const LaneRow& t, LaneRow* x) {
  // At their ends lanes have their states; inside, the polynomial of all lanes at once …
  const LaneMask at_end = step::those<W>(all_lanes, [&](int k) { return t[k] == steps().t()[k]; });
  if (at_end == all_lanes) {
    std::copy_n(steps().x(), n_, x);
    return;
  }
  if (open_ & ~at_end) make_dense_now(open_ & ~at_end);
  dense_.evaluate(ends(), t, x);
  step::copy(at_end, n_, steps().x(), x);
  // … and lanes whose step is a line, or whose polynomial is not sound, one by one.
  for_each_lane(wanted & (linear_ | unsound_) & ~at_end, [&](int k) {
    Eigen::VectorXd one;
    at(k).interpolate(t[k], one);
    for (int e = 0; e < n_; ++e) x[e][k] = one[e];
  });
}

void LaneIntegrator::Lane::start(double t, const Eigen::VectorXd& x) {
  t_ = previous_t_ = t;
  x_ = x;
  gathered_ = false;
  for (LaneMask* lanes : {&all_.open_, &all_.linear_, &all_.unsound_}) *lanes &= ~lane_bit<W>(k_);
  if (inner_) inner_->forget();
  all_.start_lane(k_, t, x.data());
}

StepStatus LaneIntegrator::Lane::step(double) {
  assert(false && "lanes step together");
  return StepStatus::solver_failed;
}

void LaneIntegrator::Lane::take_step() {
  const Steps& steps = all_.steps();
  for (int e = 0; e < all_.n_; ++e) x_[e] = steps.x()[e][k_];
  previous_t_ = steps.previous_t()[k_], t_ = steps.t()[k_];
  gathered_ = false;
  count_step(steps.last_length(k_));
}

void LaneIntegrator::Lane::gather_dense() const {
  for (int e = 0; e < all_.n_; ++e) previous_x_[e] = all_.steps().previous_x()[e][k_];
  for (int i = 0; i < F_.size(); ++i) F_.data()[i] = all_.dense_.column(0)[i][k_];
  gathered_ = true;
}

bool LaneIntegrator::Lane::reach(double t, Eigen::VectorXd& x) const {
  Ode* ode = all_.ode_.alone(k_);
  if (!ode || !all_.error_control(k_)) return false;
  if (!inner_)
    inner_ =
        std::make_unique<InnerSteps>(all_.tableau_, *ode, *all_.error_control(k_), all_.at(k_).statistics_.evaluations);
  return inner_->reach(previous_t_, previous_x_.data(), t_, t, x);
}

void LaneIntegrator::Lane::interpolate(double t, Eigen::VectorXd& x) const {
  if (t == t_) {
    x = x_;
    return;
  }
  if (has(all_.open_, k_)) all_.make_dense_now(lane_bit<W>(k_));
  if (!gathered_) gather_dense();
  if (has(all_.unsound_, k_) && t != previous_t_ && reach(t, x)) return;
  if (has(all_.linear_, k_)) {
    x = x_ + (t_ - t) / (t_ - previous_t_) * (previous_x_ - x_);
    return;
  }
  const auto row = [](auto& numbers) { return reinterpret_cast<const step::Row<1>*>(numbers.data()); };
  const step::Row<1> theta{{(t - previous_t_) / (t_ - previous_t_)}};
  x.resize(all_.n_);
  step::dense_value<1>(all_.n_, all_.dense_.columns(), theta, row(F_), row(previous_x_),
                       reinterpret_cast<step::Row<1>*>(x.data()));
}

bool LaneIntegrator::Lane::path(const std::vector<int>& entries, StepPath& path) const {
  if (has(all_.open_, k_)) all_.make_dense_now(lane_bit<W>(k_));
  if (has(all_.unsound_ | all_.linear_, k_)) return false;
  const int columns = all_.dense_.columns();
  path.begin(previous_t_, t_, columns, entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const LaneRow* powers = all_.powers(entries[i]);
    path.set(i, [&](int power) { return powers[power][k_]; });
  }
  return true;
}

// Of all lanes at once, when the first of them asks.
const LaneRow* LaneIntegrator::powers(int entry) {
  LaneRow* result = powers_.data() + static_cast<std::ptrdiff_t>(entry) * (dense_.columns() + 1);
  char& known = has_powers_[static_cast<std::size_t>(entry)];
  if (!known) dense_.powers(entry, steps().previous_x(), result);
  known = true;
  return result;
}

std::unique_ptr<LaneIntegrator> make_lane_integrator(const std::string& name, LaneOde& ode,
                                                     const IntegratorOptions& options, bool dense) {
  const Tableau* method = find_tableau(name);
  if (method && method->estimates > 0) return std::make_unique<EmbeddedLanes>(*method, ode, options, dense);
  return make_fixed_step_lanes(name, ode, options, dense);
}

std::unique_ptr<LaneIntegrator> make_fixed_step_lanes(const std::string& name, LaneOde& ode,
                                                      const IntegratorOptions& options, bool dense) {
  if (const Tableau* method = find_tableau(name)) return std::make_unique<FixedStepLanes>(*method, ode, options, dense);
  return nullptr;
}

}  // namespace armature::internal
