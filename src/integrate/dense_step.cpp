#include "integrate/dense_step.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "integrate/one_lane.hpp"

namespace armature::internal {

namespace {

using step::Row;

// The first stage after k_1 that dense output, or a further stage of it, makes use of.
int first_after_the_slope(const step::Tableau& tableau) {
  const auto used = [&](int i) {
    bool any = false;
    for (int row = 0; row < tableau.dense_rows; ++row) any |= tableau.D[row][i] != 0;
    for (int row = 0; row < tableau.further_stages; ++row) any |= tableau.further_A[row][i] != 0;
    return any;
  };
  int first = 1;
  while (first < tableau.stages && !used(first)) ++first;
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

constexpr int long_column = 24;  // beyond it combining stages takes less time than copying them

struct EndTimes {
  Row<1> t0, t1;
  explicit EndTimes(const DenseStep::Ends& ends) : t0{{ends.t0}}, t1{{ends.t1}} {}
};

}  // namespace

DenseStep::DenseStep(step::RungeKutta<1>& method, Ode& ode, long& evaluations, const step::Tolerance<1>* tolerance)
    : method_(method),
      ode_(ode),
      evaluations_(evaluations),
      tolerance_(tolerance),
      first_of_rows_(first_after_the_slope(method.tableau())),
      memory_(static_cast<std::size_t>(step::DenseOutput<1>::memory(method.tableau(), method.size()))),
      dense_(method.tableau(), method.size(), memory_.data()) {}

void DenseStep::make_rows(const Ends& ends) {
  const EndTimes times(ends);
  OneLane f{ode_};
  const bool complete = dense_.make_rows(f, method_, true, {times.t0, times.t1, ends.x0, ends.x1});
  evaluations_ += tableau().further_stages;
  has_rows_ = true;
  sound_ = true;
  if (tableau().further_stages == 0 || !tolerance_) return;
  make_ends(ends);
  sound_ = complete && dense_.stages_lie_on_course(method_, {times.t0, times.t1, ends.x0, ends.x1}, *tolerance_);
}

void DenseStep::make_ends(const Ends& ends) {
  const EndTimes times(ends);
  dense_.make_ends(method_, {times.t0, times.t1, ends.x0, ends.x1});
  has_ends_ = true;
}

void DenseStep::make(const Ends& ends) {
  if (!has_rows_) make_rows(ends);
  if (!has_ends_) make_ends(ends);
}

bool DenseStep::is_sound(const Ends& ends) {
  if (!ends.has_slope || tableau().further_stages == 0) return true;
  if (!has_rows_) make_rows(ends);
  return sound_;
}

void DenseStep::interpolate(const Ends& ends, double t, Eigen::VectorXd& x) {
  const Eigen::Map<const Eigen::VectorXd> x0(ends.x0->lane, size()), x1(ends.x1->lane, size());
  // The end itself; a line where the slope at the end has no value; else the method's polynomial.
  if (t == ends.t1) {
    x = x1;
  } else if (!ends.has_slope) {
    x = x1 + (ends.t1 - t) / (ends.t1 - ends.t0) * (x0 - x1);
  } else {
    make(ends);
    x.resize(size());
    const EndTimes times(ends);
    dense_.evaluate({times.t0, times.t1, ends.x0, ends.x1}, Row<1>{{t}}, reinterpret_cast<Row<1>*>(x.data()));
  }
}

bool DenseStep::path(const Ends& ends, const std::vector<int>& entries, StepPath& path) {
  if (!ends.has_slope || !is_sound(ends)) return false;
  make(ends);
  path.begin(ends.t0, ends.t1, dense_.columns(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Row<1> powers[StepPath::most] = {};
    dense_.powers(entries[i], ends.x0, powers);
    path.set(i, [&](int power) { return powers[power][0]; });
  }
  return true;
}

// Rows that need no more stages are made here where columns are long: they are fewer than the stages. Short ones are copied
// sooner than they are combined.
void DenseStep::store(const Ends& ends, std::vector<double>& numbers) {
  const auto add = [&](const Row<1>* values, long count) {
    numbers.insert(numbers.end(), values->lane, values->lane + count);
  };
  const bool going_on = ends.t0 == stored_until_;
  const bool makes_rows = tableau().further_stages == 0 && size() >= long_column;
  if (ends.has_slope && !has_rows_ && makes_rows) make_rows(ends);
  const Stored kind = !ends.has_slope ? line : has_rows_ ? rows : stages;
  // The head: both times and what follows. A step that goes on from the last one shares its state and slope.
  const double head[] = {ends.t0, ends.t1,
                         static_cast<double>(kind | (going_on ? goes_on : 0) | (sound_ ? 0 : unsound))};
  numbers.insert(numbers.end(), std::begin(head), std::end(head));
  if (!going_on) add(ends.x0, size());
  add(ends.x1, size());
  stored_until_ = kind == line ? std::numeric_limits<double>::quiet_NaN() : ends.t1;
  if (kind == line) return;
  if (!going_on) add(method_.first(), size());
  add(method_.last(), size());
  if (kind == stages) add(stages_of_rows(), numbers_of_stages());
  if (kind == rows) add(dense_.rows(), numbers_of_rows());
}

DenseStep::Loaded DenseStep::load(const double* numbers, Row<1>* x0, Row<1>* x1) {
  const double t0 = numbers[0], t1 = numbers[1];
  const int what = static_cast<int>(numbers[2]), kind = what & ~(goes_on | unsound);
  const bool going_on = what & goes_on;
  numbers += 3;
  const auto take = [&](Row<1>* values, long count) {
    std::copy_n(numbers, count, values->lane);
    numbers += count;
  };
  // What is shared with the step before is still there, as that one's end.
  if (going_on) {
    std::copy_n(x1, size(), x0);
    method_.shift(true);
  } else {
    take(x0, size());
  }
  take(x1, size());
  has_rows_ = kind == rows, has_ends_ = false, sound_ = !(what & unsound);
  if (kind != line) {
    if (!going_on) take(method_.stage(0), size());
    take(method_.last(), size());
    if (kind == stages) take(stages_of_rows(), numbers_of_stages());
    if (kind == rows) take(dense_.rows(), numbers_of_rows());
  }
  return {t0, t1, kind != line, numbers};
}

}  // namespace armature::internal
