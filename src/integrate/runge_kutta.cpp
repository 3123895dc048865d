#include "integrate/runge_kutta.hpp"

#include <algorithm>
#include <iterator>

#include "integrate/combination.hpp"

namespace armature {

namespace {

constexpr int long_column = 24;

// The first stage after k_1 that dense output, or a further stage of it, makes use of.
int first_after_the_slope(const Tableau& tableau) {
  const auto used = [](const Eigen::MatrixXd& weights, int i) {
    return i < weights.cols() && !weights.col(i).isZero(0);
  };
  int first = 1;
  while (first < tableau.stages() && !used(tableau.D, first) && !used(tableau.dense_A, first)) ++first;
  return first;
}

// What a stored step consists of, after its times.
enum Stored {
  line,         // its ends
  rows,         // its ends, slopes there, and the rows of its dense output
  stages,       // its ends, slopes there, and the stages that these rows are made of
  goes_on = 4,  // or-ed: its beginning is the end of the step before
  unsound = 8   // or-ed: its dense output is
};

}  // namespace

RungeKutta::RungeKutta(const Tableau& tableau, Ode& ode, long& evaluations, const Tolerance* tolerance)
    : tableau_(tableau),
      ode_(ode),
      evaluations_(evaluations),
      tolerance_(tolerance),
      K_(Eigen::MatrixXd::Zero(ode.size(), tableau.all_stages())),
      stage_x_(ode.size()),
      first_of_dense_rows_(first_after_the_slope(tableau)),
      dense_(static_cast<int>(ode.size()), static_cast<int>(tableau.D.rows())),
      dense_x_(Eigen::MatrixXd::Zero(ode.size(), tableau.dense_c.size())) {}

void RungeKutta::shift() {
  K_.col(0) = K_.col(tableau_.stages());
  has_dense_rows_ = has_dense_ends_ = false, sound_ = true;
}

bool RungeKutta::evaluate(double t, const Eigen::VectorXd& x, int stage) {
  ++evaluations_;
  return ode_.derivative(t, x.data(), K_.col(stage).data());
}

// Long columns are combined in registers, a few numbers of all of them at a time; short ones one after the other.
template <class Weights>
void RungeKutta::combine(const Weights& weights, double h, Eigen::VectorXd& result) const {
  if (result.size() >= long_column)
    return combine_long(weights.data(), weights.innerStride(), weights.size(), h, result);
  for (int i = 0; i < weights.size(); ++i)
    if (weights(i) != 0) result += (h * weights(i)) * K_.col(i);
}

void RungeKutta::combine_long(const double* weights, Eigen::Index stride, Eigen::Index count, double h,
                              Eigen::VectorXd& result) const {
  Combination combination;
  for (Eigen::Index i = 0; i < count; ++i)
    if (weights[i * stride] != 0) combination.add(h * weights[i * stride], K_.col(i).data());
  combination.add_to(result.data(), static_cast<int>(result.size()));
}

bool RungeKutta::advance(double t, double h, const Eigen::VectorXd& x0, Eigen::VectorXd& x1) {
  for (int i = 1; i < tableau_.stages(); ++i) {
    stage_x_ = x0;
    combine(tableau_.A.row(i).head(i), h, stage_x_);
    if (!evaluate(t + tableau_.c(i) * h, stage_x_, i)) return false;
  }
  x1 = x0;
  combine(tableau_.b, h, x1);
  return true;
}

bool RungeKutta::finish(double t1, const Eigen::VectorXd& x1) { return evaluate(t1, x1, tableau_.stages()); }

Ode::Finish RungeKutta::finish_and_return(double t1, double h, Eigen::VectorXd& x1, Eigen::VectorXd& error) {
  const auto done = ode_.finish(t1, x1.data(), K_.col(tableau_.stages()).data(), error.data(), end_weight(h));
  if (done != Ode::Finish::nothing) ++evaluations_;
  return done;
}

void RungeKutta::estimate_without_end(int row, double h, Eigen::VectorXd& error) const {
  error.setZero();
  combine(tableau_.E.row(row).head(tableau_.stages()), h, error);
}

void RungeKutta::estimate(int row, double h, Eigen::VectorXd& error) const {
  error.setZero();
  combine(tableau_.E.row(row), h, error);
}

bool RungeKutta::dense_stages(double t, double h, const Eigen::VectorXd& x0) {
  for (int i = 0; i < tableau_.dense_c.size(); ++i) {
    stage_x_ = x0;
    combine(tableau_.dense_A.row(i), h, stage_x_);
    dense_x_.col(i) = stage_x_;
    if (!evaluate(t + tableau_.dense_c(i) * h, stage_x_, tableau_.stages() + 1 + i)) return false;
  }
  return true;
}

void RungeKutta::make_dense_rows(const Ends& ends) {
  const double h = ends.t1 - ends.t0;
  const bool complete = dense_stages(ends.t0, h, ends.x0);
  for (int row = 0; row < tableau_.D.rows(); ++row) {
    stage_x_.setZero();
    if (complete) combine(tableau_.D.row(row), h, stage_x_);
    dense_.row(row) = stage_x_;
  }
  has_dense_rows_ = true;
  sound_ = tableau_.dense_c.size() == 0 || !tolerance_ || (complete && stages_lie_on_dense_output(ends));
}

bool RungeKutta::stages_lie_on_dense_output(const Ends& ends) {
  const double h = ends.t1 - ends.t0;
  dense_.set_ends(ends.t0, h, ends.x0, ends.x1, first(), last());
  has_dense_ends_ = true;
  for (int i = 0; i < tableau_.dense_c.size(); ++i) {
    dense_.evaluate(ends.t0 + tableau_.dense_c(i) * h, stage_x_);
    stage_x_ -= dense_x_.col(i);
    if (!(tolerance_->norm(stage_x_, ends.x0, ends.x1) <= off_course)) return false;
  }
  return true;
}

bool RungeKutta::dense_output_is_sound(const Ends& ends) {
  if (!ends.has_slope || tableau_.dense_c.size() == 0) return true;
  if (!has_dense_rows_) make_dense_rows(ends);
  return sound_;
}

void RungeKutta::interpolate(const Ends& ends, double t, Eigen::VectorXd& x) {
  if (t == ends.t1) {
    x = ends.x1;
    return;
  }
  if (!ends.has_slope) {
    x = ends.x1 + (ends.t1 - t) / (ends.t1 - ends.t0) * (ends.x0 - ends.x1);
    return;
  }
  make_dense(ends);
  dense_.evaluate(t, x);
}

void RungeKutta::make_dense(const Ends& ends) {
  if (!has_dense_rows_) make_dense_rows(ends);
  if (!has_dense_ends_) dense_.set_ends(ends.t0, ends.t1 - ends.t0, ends.x0, ends.x1, first(), last());
  has_dense_ends_ = true;
}

bool RungeKutta::path(const Ends& ends, const std::vector<int>& entries, StepPath& path) {
  if (!ends.has_slope || !dense_output_is_sound(ends)) return false;
  make_dense(ends);
  dense_.path(ends.t1, entries, path);
  return true;
}

// Rows that need no more stages are made here where columns are long: they are fewer than the stages. Short ones are copied
// sooner than they are combined.
void RungeKutta::store(const Ends& ends, std::vector<double>& numbers) {
  const auto add = [&](const auto& values) {
    numbers.insert(numbers.end(), values.data(), values.data() + values.size());
  };
  const bool going_on = ends.t0 == stored_until_;
  const bool makes_rows = tableau_.dense_c.size() == 0 && ends.x1.size() >= long_column;
  if (ends.has_slope && !has_dense_rows_ && makes_rows) make_dense_rows(ends);
  const Stored kind = !ends.has_slope ? line : has_dense_rows_ ? rows : stages;
  const double head[] = {ends.t0, ends.t1,
                         static_cast<double>(kind | (going_on ? goes_on : 0) | (sound_ ? 0 : unsound))};
  numbers.insert(numbers.end(), std::begin(head), std::end(head));
  if (!going_on) add(ends.x0);
  add(ends.x1);
  stored_until_ = kind == line ? std::numeric_limits<double>::quiet_NaN() : ends.t1;
  if (kind == line) return;
  if (!going_on) add(first());
  add(last());
  if (kind == stages) add(stages_of_dense_rows());
  if (kind == rows) add(dense_.rows());
}

RungeKutta::Loaded RungeKutta::load(const double* numbers, Eigen::VectorXd& x0, Eigen::VectorXd& x1) {
  const double t0 = numbers[0], t1 = numbers[1];
  const int what = static_cast<int>(numbers[2]), kind = what & ~(goes_on | unsound);
  const bool going_on = what & goes_on;
  numbers += 3;
  const auto take = [&](auto&& values) {
    std::copy_n(numbers, values.size(), values.data());
    numbers += values.size();
  };
  if (going_on) {
    x0.swap(x1);
    shift();
  } else {
    take(x0);
  }
  take(x1);
  has_dense_rows_ = kind == rows, has_dense_ends_ = false, sound_ = !(what & unsound);
  if (kind != line) {
    if (!going_on) take(K_.col(0));
    take(K_.col(tableau_.stages()));
    if (kind == stages) take(stages_of_dense_rows());
    if (kind == rows) take(dense_.rows());
  }
  return {t0, t1, kind != line, numbers};
}

}  // namespace armature
