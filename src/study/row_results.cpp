#include "study/row_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "study/variables.hpp"

namespace armature::internal {

namespace {

using Kind = Functional::Kind;

// By the cubic through the four rows around t.
double interpolated(const std::vector<double>& times, const std::vector<double>& y, double t) {
  const auto after = std::ranges::lower_bound(times, t) - times.begin();
  if (after < static_cast<std::ptrdiff_t>(times.size()) && times[static_cast<std::size_t>(after)] == t)
    return y[static_cast<std::size_t>(after)];
  const auto count = static_cast<std::ptrdiff_t>(times.size());
  const std::ptrdiff_t nodes = std::min<std::ptrdiff_t>(4, count),
                       first = std::clamp<std::ptrdiff_t>(after - 2, 0, count - nodes);
  double sum = 0;
  for (std::ptrdiff_t i = first; i < first + nodes; ++i) {
    double weight = 1;
    for (std::ptrdiff_t j = first; j < first + nodes; ++j)
      if (j != i)
        weight *= (t - times[static_cast<std::size_t>(j)]) /
                  (times[static_cast<std::size_t>(i)] - times[static_cast<std::size_t>(j)]);
    sum += weight * y[static_cast<std::size_t>(i)];
  }
  return sum;
}

// The part of a motion inside a window, with rows at its ends.
struct Rows {
  std::vector<double> t, y;
};

Rows rows_between(const std::vector<double>& t, const std::vector<double>& y, double from, double to) {
  Rows rows;
  const auto add = [&](double when, double value) { rows.t.push_back(when), rows.y.push_back(value); };
  const double begin = std::max(from, t.front()), end = std::min(to, t.back());
  if (begin > end) return rows;
  add(begin, interpolated(t, y, begin));
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] > begin && t[k] < end) add(t[k], y[k]);
  if (end > begin) add(end, interpolated(t, y, end));
  return rows;
}

// Simpson's rule, with the middle of each interval interpolated: exact for cubics.
double integral_of(const Rows& rows) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < rows.t.size(); ++k) {
    const double h = rows.t[k + 1] - rows.t[k], middle = interpolated(rows.t, rows.y, rows.t[k] + 0.5 * h);
    sum += h / 6 * (rows.y[k] + 4 * middle + rows.y[k + 1]);
  }
  return sum;
}

double first_time(const Rows& rows) {
  for (std::size_t k = 0; k < rows.t.size(); ++k)
    if (rows.y[k] >= 0.5) return rows.t[k];
  return std::numeric_limits<double>::infinity();
}

double last_time(const Rows& rows) {
  for (std::size_t k = rows.t.size(); k-- > 0;)
    if (rows.y[k] >= 0.5) return rows.t[k];
  return rows.t.front();
}

}  // namespace

double value_of_rows(const Functional& functional, const std::vector<double>& t, const std::vector<double>& y) {
  if (functional.kind == Kind::at) return interpolated(t, y, functional.time);
  const Rows rows = rows_between(t, y, functional.from, functional.to);
  if (rows.t.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (functional.kind == Kind::initial) return rows.y.front();
  if (functional.kind == Kind::final) return rows.y.back();
  if (std::ranges::any_of(rows.y, [](double value) { return std::isnan(value); }))
    return std::numeric_limits<double>::quiet_NaN();
  const auto [least, most] = std::ranges::minmax(rows.y);
  switch (functional.kind) {
    case Kind::max: return most;
    case Kind::min: return least;
    case Kind::integral: return integral_of(rows);
    case Kind::mean: return integral_of(rows) / (rows.t.back() - rows.t.front());
    case Kind::turns: return std::max(most - rows.y.front(), rows.y.front() - least) / (2 * std::numbers::pi);
    case Kind::first: return first_time(rows);
    case Kind::last: return last_time(rows);
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

double time_undefined(const Functional& functional, const std::vector<double>& t, const std::vector<double>& y) {
  if (functional.kind == Kind::at) return functional.time;
  if (functional.kind == Kind::final) return t.back();
  const Rows rows = rows_between(t, y, functional.from, functional.to);
  for (std::size_t k = 0; k < rows.t.size(); ++k)
    if (std::isnan(rows.y[k])) return rows.t[k];
  return t.front();
}

Model with_observed(Model model, const MotionFormulas& formulas) {
  for (std::size_t k = 0; k < formulas.observed().size(); ++k)
    model.record.quantities.emplace_back(fmt::format("#{}", k), formulas.observed()[k]);
  return model;
}

void RowGatherer::begin(const std::vector<Channel>& channels) {
  std::vector<Channel> passed;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (const int observed = functional_number(channels[k].name); observed >= 0)
      column_[static_cast<std::size_t>(observed)] = k;
    else
      passed_.push_back(k), passed.push_back(channels[k]);
  }
  row_.resize(passed_.size());
  recorder_.begin(passed);
}

void RowGatherer::row(std::span<const double> values) {
  t_.push_back(values[0]);
  for (std::size_t k = 0; k < column_.size(); ++k) values_[k].push_back(values[column_[k]]);
  for (std::size_t k = 0; k < passed_.size(); ++k) row_[k] = values[passed_[k]];
  recorder_.row(row_);
}

Functionals RowGatherer::values_of(const std::vector<Functional>& functionals) const {
  Functionals all;
  for (const Functional& functional : functionals) {
    const std::vector<double>& y = values_[static_cast<std::size_t>(functional.observed)];
    all.values.push_back(value_of_rows(functional, t_, y));
    all.undefined_at.push_back(time_undefined(functional, t_, y));
  }
  return all;
}

RowResults::RowResults(const Model& model, const std::vector<std::pair<std::string, std::string>>& results)
    : model_(model), varied_(vary(model, {})), formulas_(varied_.model, {}) {
  for (const auto& [name, formula] : results) {
    const std::string option = fmt::format("result {}={}", name, formula);
    if (std::ranges::count(names_, name) > 0)
      throw RequestError(option, fmt::format("there are two results '{}'", name));
    in_option(option, [&, &formula = formula] { return formulas_.add_number(formula); });
    names_.push_back(name);
  }
}

void RowResults::require_columns(const std::vector<std::string>& missing, const std::string& why) const {
  for (const std::string& name : missing)
    if (const int k = functional_number(name); k >= 0)
      throw RequestError("result " + formulas_.observed()[static_cast<std::size_t>(k)].text, why);
}

NamedNumbers RowResults::numbers(const RowGatherer& rows) const {
  MotionEvaluator evaluator(formulas_);
  const Functionals functionals = rows.values_of(formulas_.functionals());
  return named_numbers(formulas_, names_, evaluator(functionals.values, {}), functionals);
}

}  // namespace armature::internal
