#include "sensitivity/sensitivity_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sensitivity/column_arithmetic.hpp"
#include "step/arithmetic.hpp"
#include "step/tableaus.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

constexpr int most_parts = 4096;     // of a step: an implicit step over a decay so much faster than the motion
constexpr double loose = 1.0 / 128;  // of the error allowed: half as many parts would do, by a margin of two
constexpr double negligible =
    1e-3;  // of the run's own absolute tolerance, for a change of a parameter by its whole value
constexpr double column_floor = 1e-3;  // entries that small against the largest of their column need not be as accurate

const step::Tableau& pair() { return step::dormand_prince_54(); }

LaneRow all_lanes_at(double x) {
  LaneRow row;
  std::fill_n(row.lane, lane_count, x);
  return row;
}

}  // namespace

SensitivityPath::SensitivityPath(const MotionSensitivity& sensitivity)
    : sensitivity_(sensitivity), nx_(sensitivity.layout().nx()) {
  const Layout& n = sensitivity_.layout();
  const auto& others = sensitivity_.system().equations().others;
  for (int i = 0; i < n.nx(); ++i) {
    const int z = i - n.nq - n.nv;
    if (z < 0 || !others[static_cast<std::size_t>(z)].in_ledger()) tested_.push_back(i);
  }
  if (sensitivity_.tangents()) tangents_.emplace(sensitivity_.tangents());
}

// A parameter that changes by a part of itself has an effect that the tolerances of the run know how to judge: where S is below it, it may
// be nothing but round-off.
void SensitivityPath::set_floor(const VectorXd& atol, const VectorXd& parameters, const MatrixXd& S) {
  VectorXd sizes = parameters.cwiseAbs();
  for (double& size : sizes)
    if (size == 0) size = 1;
  Eigen::RowVectorXd parts = Eigen::RowVectorXd::Ones(S.cols());
  for (Eigen::Index k = 0; k < S.cols() && sizes.size() > 0; ++k)
    parts[k] = S.col(k).tail(sizes.size()).cwiseAbs().cwiseQuotient(sizes).maxCoeff();
  floor_.assign(seen_.size(), LaneRow{});
  for (Eigen::Index k = 0; k < S.cols(); ++k)
    for (int i = 0; i < nx_; ++i)
      floor_[static_cast<std::size_t>(k / lane_count * nx_ + i)][static_cast<int>(k % lane_count)] =
          negligible * atol[i] * parts[k];
}

// The steps are as long as x allows; S may lose one digit against it before a step is divided.
void SensitivityPath::begin(const Prepared& prepared, const MatrixXd& S) {
  tolerance_ = 10 * std::max(prepared.options.rtol, 1e-13);
  S_ = S;
  matrix_is_old_ = false;
  take_columns();
  const auto rows = static_cast<std::size_t>(columns_.packs()) * static_cast<std::size_t>(nx_);
  seen_.assign(rows, LaneRow{});
  zeros_.assign(static_cast<std::size_t>(nx_), LaneRow{}), errors_ = zeros_;
  for (int pack = 0; pack < columns_.packs(); ++pack) note_largest(nx_, columns_.pack(pack), seen_.data() + pack * nx_);
  set_floor(prepared.options.atol, prepared.parameters, S);
  if (tangents_) tangents_->set_parameters(prepared.parameters);
  state_.d.resize(0), state_.w.resize(0);
  count_ = 1;
}

const Eigen::MatrixXd& SensitivityPath::S() const {
  if (matrix_is_old_) columns_.give(sensitivity_.layout(), S_);
  matrix_is_old_ = false;
  return S_;
}

Eigen::MatrixXd& SensitivityPath::S() {
  std::as_const(*this).S();
  packs_are_old_ = true;
  return S_;
}

void SensitivityPath::take_columns() {
  columns_.take(sensitivity_.layout(), S_);
  stage_ = columns_;
  S_stage_ = S_;
  packs_are_old_ = rate_is_known_ = false;
}

void SensitivityPath::hold(const State& held) {
  const bool known = held.d.size() == state_.d.size() && held.w.size() == state_.w.size();
  if (known && held.d == state_.d && held.w == state_.w && held.comparisons == state_.comparisons) return;
  state_.d = held.d, state_.w = held.w, state_.comparisons = held.comparisons;
  if (tangents_) tangents_->hold(held.d, held.w);
  rate_is_known_ = false;
}

// Twice as many parts until the estimate is small enough; half as many in the next step where it is very small.
bool SensitivityPath::advance(const Step& step, const State& held, double from, double until) {
  if (packs_are_old_) take_columns();
  hold(held);
  matrix_is_old_ = true;
  for (;; count_ *= 2) {
    const bool taken = take_parts(step, from, until);
    if (taken && error_ <= 1) break;
    go_back();
    if (!taken) return false;
    if (count_ < most_parts) continue;
    failure_ = fmt::format("after t = {:.10g} s the derivatives of the motion change too fast to be followed", from);
    return false;
  }
  if (error_ < loose && count_ > 1) count_ /= 2;
  for (int pack = 0; pack < columns_.packs(); ++pack) note_largest(nx_, columns_.pack(pack), seen_.data() + pack * nx_);
  return true;
}

// To the beginning of the piece.
void SensitivityPath::go_back() {
  for (int pack = 0; pack < columns_.packs(); ++pack)
    std::copy_n(parts_.front().x0.data() + pack * nx_, nx_, columns_.pack(pack));
  rate_is_known_ = false;
}

bool SensitivityPath::take_parts(const Step& step, double from, double until) {
  const double h = (until - from) / count_;
  parts_.resize(static_cast<std::size_t>(count_));
  error_ = 0;
  for (int number = 0; number < count_; ++number) {
    Part& part = parts_[static_cast<std::size_t>(number)];
    part.t = from + number * h, part.h = h, part.has_dense = false;
    set_stages(step, part, number + 1 == count_ ? until : part.t + h);
    if (!take_part(part)) return false;
    if (error_ > 1 && count_ < most_parts) return true;  // to be repeated with more parts
  }
  return true;
}

// Where the stages are; with their coefficients, where they can be had at once.
void SensitivityPath::set_stages(const Step& step, const Part& part, double end) {
  const step::Tableau& method = pair();
  for (int i = 0; i < method.stages; ++i) {
    times_[static_cast<std::size_t>(i)] = method.c[i] == 1 ? end : part.t + method.c[i] * part.h;
    step.interpolate(times_[static_cast<std::size_t>(i)], states_[static_cast<std::size_t>(i)]);
  }
  const bool slides = std::ranges::count(state_.comparisons, ComparisonStatus::sliding) > 0;
  in_lanes_ = tangents_ && !slides;
  if (!in_lanes_) return;
  for (int i = 0; i < method.stages; ++i)
    tangents_->set_state(i, times_[static_cast<std::size_t>(i)], states_[static_cast<std::size_t>(i)]);
  in_lanes_ = tangents_->compute(method.stages);
}

bool SensitivityPath::take_part(Part& part) {
  const step::Tableau& method = pair();
  if (!begin_part(part)) return false;
  for (int i = 1; i < method.stages; ++i) {
    for (int pack = 0; pack < stage_.packs(); ++pack)
      add_rates(nx_, part.h, {method.A[i], static_cast<std::size_t>(i)}, rates(part, pack, 0),
                part.x0.data() + pack * nx_, stage_.pack(pack));
    if (!find_rates(i, stage_, i, part)) return false;
  }
  // the end, tangent to the constraints there: the state is that of the last stage
  for (int pack = 0; pack < columns_.packs(); ++pack)
    add_rates(nx_, part.h, {method.b, static_cast<std::size_t>(method.stages)}, rates(part, pack, 0),
              part.x0.data() + pack * nx_, columns_.pack(pack));
  const int last = method.stages - 1;
  make_tangent(last);
  if (!find_rates(last, columns_, stages - 1, part) || !end_part(part)) return false;
  measure_error(part);
  return true;
}

// The first rate is that at the end of the part before, unless something has changed there.
bool SensitivityPath::begin_part(Part& part) {
  const auto rows = static_cast<std::size_t>(columns_.packs()) * static_cast<std::size_t>(nx_);
  part.k.resize(rows * stages), part.x0.resize(rows), part.x1.resize(rows);
  for (int pack = 0; pack < columns_.packs(); ++pack) {
    std::copy_n(columns_.pack(pack), nx_, part.x0.data() + pack * nx_);
    if (rate_is_known_) std::copy_n(last_rate_.data() + pack * nx_, nx_, rates(part, pack, 0));
  }
  return rate_is_known_ || find_rates(0, columns_, 0, part);
}

bool SensitivityPath::end_part(Part& part) {
  last_rate_.resize(part.x0.size());
  bool finite = true;
  for (int pack = 0; pack < columns_.packs(); ++pack) {
    std::copy_n(columns_.pack(pack), nx_, part.x1.data() + pack * nx_);
    std::copy_n(rates(part, pack, stages - 1), nx_, last_rate_.data() + pack * nx_);
    finite &= all_finite(nx_, columns_.pack(pack)) && all_finite(nx_, rates(part, pack, stages - 1));
  }
  rate_is_known_ = finite;
  if (!finite) failure_ = fmt::format("at t = {:.10g} s the derivatives of the motion have no value", part.t + part.h);
  return finite;
}

// Of all columns, at the state of one stage, to the rates of another or the same.
bool SensitivityPath::find_rates(int at, const ColumnPacks& columns, int stage, Part& part) {
  if (in_lanes_) {
    for (int pack = 0; pack < columns.packs(); ++pack)
      tangents_->rate(at, columns.pack(pack), rates(part, pack, stage));
    return true;
  }
  if (!set_state(at)) return false;
  columns.give(sensitivity_.layout(), S_stage_);
  if (!sensitivity_.rate(S_stage_, rate_)) return fails_at(at);
  for (Eigen::Index k = 0; k < rate_.cols(); ++k) {
    LaneRow* rows = rates(part, static_cast<int>(k / lane_count), stage);
    for (int i = 0; i < nx_; ++i) rows[i][static_cast<int>(k % lane_count)] = rate_(i, k);
  }
  return true;
}

bool SensitivityPath::set_state(int at) {
  state_.t = times_[static_cast<std::size_t>(at)];
  state_.x = states_[static_cast<std::size_t>(at)];
  return sensitivity_.set(state_) || fails_at(at);
}

bool SensitivityPath::fails_at(int at) {
  failure_ = fmt::format("at t = {:.10g} s {}", times_[static_cast<std::size_t>(at)], sensitivity_.why());
  return false;
}

// By itself: the state was set for the rates of that stage.
void SensitivityPath::make_tangent(int at) {
  if (in_lanes_) {
    for (int pack = 0; pack < columns_.packs(); ++pack) tangents_->make_tangent(at, columns_.pack(pack));
    return;
  }
  columns_.give(sensitivity_.layout(), S_stage_);
  sensitivity_.make_tangent(S_stage_);
  columns_.take(sensitivity_.layout(), S_stage_);
}

void SensitivityPath::measure_error(const Part& part) {
  for (int pack = 0; pack < columns_.packs(); ++pack) {
    add_rates(nx_, part.h, {pair().E[0], static_cast<std::size_t>(stages)}, rates(part, pack, 0), zeros_.data(),
              errors_.data());
    error_ = std::max(error_, largest_error({.tested = tested_,
                                             .tolerance = tolerance_,
                                             .column_floor = column_floor,
                                             .error = errors_.data(),
                                             .end = columns_.pack(pack),
                                             .seen = seen_.data() + pack * nx_,
                                             .floor = floor_.data() + pack * nx_}));
  }
}

double SensitivityPath::regularity() const {
  return in_lanes_ ? tangents_->regularity(pair().stages - 1) : sensitivity_.regularity();
}

void SensitivityPath::make_dense(Part& part) const {
  const LaneRow h = all_lanes_at(part.h);
  part.F.resize(part.x0.size() * dense);
  for (int pack = 0; pack < columns_.packs(); ++pack) {
    const LaneRow *k = rates(part, pack, 0), *x0 = part.x0.data() + pack * nx_;
    LaneRow* F = part.F.data() + pack * dense * nx_;
    step::dense_ends(nx_, h, x0, part.x1.data() + pack * nx_, k, k + (stages - 1) * nx_, F);
    add_rates(nx_, part.h, {pair().D[0], static_cast<std::size_t>(stages)}, k, zeros_.data(), F + (dense - 1) * nx_);
  }
  part.has_dense = true;
}

void SensitivityPath::at(double t, MatrixXd& S) {
  const auto after = [](double time, const Part& part) { return time < part.t; };
  auto part = std::upper_bound(parts_.begin(), parts_.end(), t, after);
  if (part != parts_.begin()) --part;
  if (!part->has_dense) make_dense(*part);
  const LaneRow theta = all_lanes_at((t - part->t) / part->h);
  S.resize(S_.rows(), S_.cols());
  S.row(Directional::time_row(sensitivity_.layout())).setZero();
  for (int pack = 0; pack < stage_.packs(); ++pack)
    step::dense_value(nx_, dense, theta, part->F.data() + pack * dense * nx_, part->x0.data() + pack * nx_,
                      stage_.pack(pack));
  stage_.give(sensitivity_.layout(), S);
}

}  // namespace armature::internal
