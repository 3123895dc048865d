#include "study/law_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "expression/units.hpp"
#include "model/request_error.hpp"
#include "study/dimensions.hpp"

namespace armature::internal {
namespace {

constexpr Law::Kind all_laws[] = {Law::Kind::uniform, Law::Kind::normal, Law::Kind::lognormal, Law::Kind::triangular};

std::optional<Law::Kind> law_kind(const std::string& range) {
  for (const Law::Kind kind : all_laws)
    if (range.starts_with(fmt::format("{}(", name_of(kind)))) return kind;
  return std::nullopt;
}

// Parts between the commas that no parentheses enclose.
std::vector<std::string> law_arguments(const std::string& range) {
  const std::size_t open = range.find('(');
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : range.substr(open + 1, range.size() - open - 2)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  return parts;
}

const char* law_form(Law::Kind kind) {
  switch (kind) {
    case Law::Kind::uniform: return "uniform(FROM, TO)";
    case Law::Kind::normal: return "normal(MEAN, DEVIATION) or normal(MEAN, DEVIATION, FROM, TO)";
    case Law::Kind::lognormal: return "lognormal(MEDIAN, FACTOR) or lognormal(MEDIAN, FACTOR, FROM, TO)";
    case Law::Kind::triangular: return "triangular(FROM, MODE, TO)";
  }
  return "";
}

bool law_takes(Law::Kind kind, std::size_t count) {
  if (kind == Law::Kind::uniform) return count == 2;
  if (kind == Law::Kind::triangular) return count == 3;
  return count == 2 || count == 4;
}

// Where the ends are not given.
void set_law_ends(Axis& axis) {
  const double reach = law_ends * axis.law.spread;
  const bool factor = axis.law.kind == Law::Kind::lognormal;
  axis.from = factor ? axis.law.center * std::exp(-reach) : axis.law.center - reach;
  axis.to = factor ? axis.law.center * std::exp(reach) : axis.law.center + reach;
}

// Where the density is below the smallest number, all points would be the same.
bool is_empty_tail(const Axis& axis) {
  constexpr double far = 30;
  const Law& law = axis.law;
  if (law.kind != Law::Kind::normal && law.kind != Law::Kind::lognormal) return false;
  const auto deviations = [&](double x) {
    return (law.kind == Law::Kind::normal ? x - law.center : std::log(x / law.center)) / law.spread;
  };
  return deviations(axis.from) > far || deviations(axis.to) < -far;
}

void refuse_law(const Axis& axis, const std::string& option) {
  const Law& law = axis.law;
  const auto fail = [&](const char* why) { throw RequestError(fmt::format("{}: {}", option, why)); };
  if (law.kind == Law::Kind::normal && !(law.spread > 0)) fail("the deviation must be positive");
  if (law.kind == Law::Kind::lognormal && !(law.spread > 0)) fail("the factor must be greater than 1");
  if (law.kind == Law::Kind::lognormal && !(law.center > 0 && axis.from > 0)) fail("median and ends must be positive");
  if (!(axis.from < axis.to)) fail("the range is empty");
  if (!std::isfinite(axis.from) || !std::isfinite(axis.to)) fail("the ends of the range are infinite");
  if (is_empty_tail(axis)) fail("the range lies more than 30 deviations away from the middle of the distribution");
  if (law.kind == Law::Kind::triangular && !(axis.from <= law.center && law.center <= axis.to))
    fail("the mode must lie between the ends");
}

}  // namespace

bool is_law(const std::string& range) { return law_kind(range) && range.ends_with(')'); }

Axis read_law(const std::string& option, const std::string& name, const std::string& range, const Model& model,
              std::optional<Dimension> dimension) {
  const Law::Kind kind = *law_kind(range);
  const std::vector<std::string> parts = law_arguments(range);
  if (!law_takes(kind, parts.size())) throw RequestError(fmt::format("{}: expected {}", option, law_form(kind)));
  std::vector<double> values;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool factor = kind == Law::Kind::lognormal && k == 1;
    values.push_back(constant_in(parts[k], model, factor ? std::optional(dimensionless) : dimension));
  }
  Axis axis{name, values.front(), values.back(), 0, {kind}};
  if (kind == Law::Kind::triangular) axis.law.center = values[1];
  if (kind == Law::Kind::normal || kind == Law::Kind::lognormal) {
    axis.law.center = values[0];
    axis.law.spread = kind == Law::Kind::normal ? values[1] : std::log(values[1]);
    if (values.size() == 4)
      axis.from = values[2], axis.to = values[3];
    else
      set_law_ends(axis);
  }
  refuse_law(axis, option);
  return axis;
}

}  // namespace armature::internal
