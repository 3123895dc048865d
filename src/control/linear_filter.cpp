#include "control/linear_filter.hpp"

#include <fmt/format.h>

#include <memory>

#include "control/controllers.hpp"

namespace armature::internal {

namespace {

// From the constant to the highest power of s, over a_n; both of the same length.
struct Monic {
  std::vector<Expression> b, a;
  std::size_t order() const { return a.size() - 1; }
};

Monic monic_of(EquationsBuilder& builder, const FilterCoefficients& given, const Formula& denominator) {
  builder.require_positive(square(given.denominator.front()), denominator.where,
                           denominator.given() ? "the first coefficient of the denominator is zero; leave it out"
                                               : "the time is too short, or the frequency too high, to compute with");
  if (given.numerator.size() > given.denominator.size())
    throw FormulaError(denominator.where,
                       fmt::format("the numerator has {} coefficients and the denominator {}: a filter cannot "
                                   "differentiate what it is given",
                                   given.numerator.size(), given.denominator.size()));
  const Expression leading = given.denominator.front();
  Monic monic;
  for (auto each = given.denominator.rbegin(); each != given.denominator.rend(); ++each)
    monic.a.push_back(*each / leading);
  for (auto each = given.numerator.rbegin(); each != given.numerator.rend(); ++each) monic.b.push_back(*each / leading);
  monic.b.resize(monic.a.size(), 0.0);
  return monic;
}

double constant_of(Expression x, Location where) {
  if (!x.is_constant()) throw FormulaError(where, "a filter that does not start at zero needs constant coefficients");
  return x.value();
}

// The states with which the output rests at y, under an input that is constant.
std::vector<double> states_at_rest(const Monic& filter, double y, Location where) {
  const std::size_t n = filter.order();
  std::vector<double> a, b, x(n);
  for (std::size_t k = 0; k <= n; ++k)
    a.push_back(constant_of(filter.a[k], where)), b.push_back(constant_of(filter.b[k], where));
  if (b[0] == 0 && a[0] != 0)
    throw FormulaError(where, "this filter passes no constant input: at rest its output is zero");
  const double u = a[0] == 0 ? 0 : y * a[0] / b[0];
  x[n - 1] = y - b[n] * u;
  for (std::size_t k = n - 1; k > 0; --k) x[k - 1] = a[k] * y - b[k] * u;
  return x;
}

void start_at_rest(EquationsBuilder& builder, const Controller& controller, const Monic& filter,
                   const std::vector<Expression>& x) {
  const Formula& start = controller.values["start"];
  const Expression y = builder.scalar(start);
  if (y.is(0)) return;
  const std::vector<double> values = states_at_rest(filter, constant_of(y, start.where), start.where);
  const std::vector<Expression>& z = builder.equations().z;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto place = std::ranges::find(z, x[k].id(), [](const Expression& each) { return each.id(); });
    builder.equations().z_initial.emplace_back(static_cast<int>(place - z.begin()), values[k]);
  }
}

}  // namespace

void offer_filter(EquationsBuilder& builder, const Controller& controller, const FilterCoefficients& coefficients) {
  const auto filter = std::make_shared<const Monic>(monic_of(builder, coefficients, controller.values["denominator"]));
  const std::size_t n = filter->order();
  // One state for each power of s, at rest in the beginning.
  std::vector<Expression> x;
  for (std::size_t k = 1; k <= n; ++k)
    x.push_back(builder.add_state(fmt::format("{}.state{}", controller.name, k), "", controller.name));
  const Formula& start = controller.values["start"];
  if (n > 0)
    start_at_rest(builder, controller, *filter, x);
  else if (start.given())
    throw FormulaError(start.where, "a filter without a power of s in its denominator has no state to start from");

  // The output needs the input at once only where b_n is not zero.
  const auto input = [&builder, &controller] { return builder.scalar(controller.values["of"]); };
  builder.offer(controller.name, [filter, x, input, n] {
    Expression y = n > 0 ? x[n - 1] : Expression(0.0);
    if (!filter->b[n].is(0)) y += filter->b[n] * input();
    return Value(y);
  });
  // The rates of the states, which formulas may name, too.
  for (std::size_t k = 0; k < n; ++k) {
    const std::string rate = fmt::format("{}.state{}'", controller.name, k + 1);
    builder.offer(rate, [&builder, &controller, filter, x, input, k] {
      const Expression y = builder.look_up(controller.name)->parts[0];
      Expression xdot = filter->b[k] * input() - filter->a[k] * y;
      if (k > 0) xdot += x[k - 1];
      return Value(xdot);
    });
    builder.when_named([&builder, rate, leaf = x[k]] { builder.set_rate(leaf, builder.look_up(rate)->parts[0]); });
  }
  record_signal(builder, controller);
}

}  // namespace armature::internal
