#include "inspect/printing_style.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

namespace armature::internal {

namespace {

constexpr int largest_denominator = 2520;     // the beam's 13/35, 11/210 and 1/105 are below
constexpr int longest_decimal_fraction = 24;  // 7/20 is a fraction, 981/200 is 4.905

struct Fraction {
  long top = 0, bottom = 1;
};

bool reads_better_as_decimal(Fraction fraction) {
  long rest = fraction.bottom;
  while (rest % 2 == 0) rest /= 2;
  while (rest % 5 == 0) rest /= 5;
  return rest == 1 && fraction.bottom > 1 && (fraction.bottom > longest_decimal_fraction || fraction.top > 99);
}

// The fraction that a number is, to rounding, where that reads better than its decimals.
std::optional<Fraction> fraction_of(double value) {
  for (long bottom = 1; bottom <= largest_denominator; ++bottom) {
    const double top = std::round(value * static_cast<double>(bottom));
    if (std::abs(top) > 1e6) return std::nullopt;
    if (std::abs(value * static_cast<double>(bottom) - top) > 1e-13 * std::abs(top)) continue;
    const Fraction fraction{static_cast<long>(top), bottom};
    return reads_better_as_decimal(fraction) ? std::nullopt : std::optional(fraction);
  }
  return std::nullopt;
}

class Printer {
 public:
  Printer(const PrintingAlgebra& algebra, PrintingStyle style, const PrintingNames& names)
      : algebra_(algebra), style_(style), names_(names) {}

  std::string sum(const PrintingSum& terms) const {
    if (terms.empty()) return "0";
    if (terms.size() == 1) return term(terms.begin()->first, terms.begin()->second, "");
    const PrintingMonomial common = common_factor(terms);
    const double number = common_number(terms);
    if (common.is_one() && number == 1) return collected(terms);
    return term(common, number, parenthesized(sum(scaled_down(divided(terms, common), number))));
  }

 private:
  using Kind = PrintingSymbol::Kind;

  // The number that all terms have but for their signs, and a sign that all have.
  static double common_number(const PrintingSum& terms) {
    double size = std::abs(terms.begin()->second);
    bool all_negative = true;
    for (const auto& [monomial, value] : terms) {
      if (std::abs(std::abs(value) - size) > 1e-13 * size) size = 1;
      all_negative = all_negative && value < 0;
    }
    for (const auto& [monomial, value] : terms)
      if (size != 1 && std::abs(std::abs(value) - size) > 1e-13 * size) size = 1;
    return all_negative ? -size : size;
  }

  // Divided, not multiplied by the reciprocal: that of a very small number is infinite.
  static PrintingSum scaled_down(PrintingSum terms, double divisor) {
    for (auto& [monomial, value] : terms) {
      value /= divisor;
      if (std::abs(std::abs(value) - 1) < 1e-13) value = std::copysign(1.0, value);
    }
    return terms;
  }

  // What every term has: powers of symbols, and the sine or cosine.
  static PrintingMonomial common_factor(const PrintingSum& terms) {
    PrintingMonomial common = terms.begin()->first;
    for (const auto& [monomial, value] : terms) {
      if (monomial.wave != common.wave || !(monomial.angle == common.angle))
        common.wave = Wave::none, common.angle = {};
      for (auto& [symbol, n] : common.powers) {
        const auto place = monomial.powers.find(symbol);
        const int other = place == monomial.powers.end() ? 0 : place->second;
        n = n > 0 ? std::min(n, std::max(other, 0)) : std::max(n, std::min(other, 0));
      }
    }
    std::erase_if(common.powers, [](const auto& entry) { return entry.second == 0; });
    return common;
  }

  static PrintingSum divided(const PrintingSum& terms, const PrintingMonomial& factor) {
    PrintingSum result;
    for (const auto& [term, value] : terms) {
      PrintingMonomial monomial = term;
      if (factor.wave != Wave::none) monomial.wave = Wave::none, monomial.angle = {};
      for (const auto& [symbol, n] : factor.powers) monomial.powers[symbol] -= n;
      std::erase_if(monomial.powers, [](const auto& entry) { return entry.second == 0; });
      result[monomial] = value;
    }
    return result;
  }

  // Terms without a wave one by one, then what multiplies each sine and cosine.
  std::string collected(const PrintingSum& terms) const {
    std::string text;
    const auto append = [&](const std::string& part) {
      if (text.empty())
        text = part;
      else if (part.starts_with('-'))
        text += " - " + part.substr(1);
      else
        text += " + " + part;
    };
    std::map<std::pair<Wave, PrintingAngle>, PrintingSum> waves;
    for (const auto& [monomial, value] : terms) {
      if (monomial.wave == Wave::none)
        append(term(monomial, value, ""));
      else
        waves[{monomial.wave, monomial.angle}][monomial] = value;
    }
    for (const auto& [wave, part] : waves) append(sum(part));
    return text;
  }

  std::string parenthesized(const std::string& text) const {
    return style_ == PrintingStyle::latex ? "\\left(" + text + "\\right)" : "(" + text + ")";
  }

  // c s1^n1 ... wave(angle) times a factor already printed.
  std::string term(const PrintingMonomial& monomial, double value, const std::string& factor) const {
    std::vector<std::string> above, below;
    for (const auto& [symbol, n] : monomial.powers) {
      const std::string text = powered(symbol, std::abs(n));
      const bool is_product = style_ == PrintingStyle::c && n == -2;  // x*x, under a line
      (n > 0 ? above : below).push_back(is_product ? parenthesized(text) : text);
    }
    if (!factor.empty()) above.push_back(factor);
    if (monomial.wave != Wave::none) above.push_back(waved(monomial.wave, monomial.angle));
    return style_ == PrintingStyle::latex ? latex_term(value, above, below) : plain_term(value, above, below);
  }

  std::string latex_term(double value, const std::vector<std::string>& above,
                         const std::vector<std::string>& below) const {
    const std::string sign = value < 0 ? "-" : "";
    const auto fraction = fraction_of(std::abs(value));
    std::string front;
    if (!fraction)
      front = fmt::format("{:.9g}", std::abs(value));
    else if (fraction->bottom != 1)
      front = fmt::format("\\frac{{{}}}{{{}}}", fraction->top, fraction->bottom);
    else if (fraction->top != 1 || (above.empty() && below.empty()))
      front = fmt::format("{}", fraction->top);
    if (below.empty()) return sign + joined(front, above, " ");
    const std::string top = joined(fraction && fraction->bottom != 1 ? "" : front, above, " ");
    const std::string quotient = fmt::format("\\frac{{{}}}{{{}}}", top.empty() ? "1" : top, joined("", below, " "));
    return sign + (fraction && fraction->bottom != 1 ? front + " " : "") + quotient;
  }

  std::string plain_term(double value, const std::vector<std::string>& above,
                         const std::vector<std::string>& below) const {
    const std::string sign = value < 0 ? "-" : "";
    std::string front = coefficient(std::abs(value));
    if (front == "1" && !above.empty()) front.clear();
    std::string text = sign + joined(front, above, "*");
    if (below.size() == 1) text += "/" + below[0];
    if (below.size() > 1) text += "/(" + joined("", below, "*") + ")";
    return text;
  }

  std::string coefficient(double value) const {
    const bool code = style_ == PrintingStyle::c;
    const auto fraction = fraction_of(value);
    if (!fraction) return style_ == PrintingStyle::text ? fmt::format("{:.9g}", value) : fmt::format("{:.17g}", value);
    const char* point = code ? ".0" : "";
    if (fraction->bottom == 1) return fmt::format("{}{}", fraction->top, fraction->top == 1 ? "" : point);
    return fmt::format("{}{}/{}{}", fraction->top, point, fraction->bottom, point);
  }

  static std::string joined(std::string text, const std::vector<std::string>& parts, const std::string& separator) {
    for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
    return text;
  }

  std::string powered(int symbol, int n) const {
    const std::string base = symbol_text(symbol);
    if (n == 1) return base;
    switch (style_) {
      case PrintingStyle::text: return fmt::format("{}^{}", base, n);
      case PrintingStyle::latex: return fmt::format("{}^{{{}}}", base, n);
      case PrintingStyle::python: return fmt::format("{}**{}", base, n);
      case PrintingStyle::c: return n == 2 ? fmt::format("{0}*{0}", base) : fmt::format("pow({}, {})", base, n);
    }
    return base;
  }

  std::string symbol_text(int symbol) const {
    const PrintingSymbol& s = algebra_[symbol];
    if (s.kind != Kind::call) return is_code() ? names_.at(s.name) : printed_name(s.name, style_);
    if (s.name.empty()) return parenthesized(sum(s.arguments[0]));
    if (style_ == PrintingStyle::latex && s.name == "sqrt") return "\\sqrt{" + sum(s.arguments[0]) + "}";
    if (is_code() && (s.name == "if" || s.name == "step")) return choice(s);
    std::string text;
    for (const PrintingSum& argument : s.arguments) text += (text.empty() ? "" : ", ") + sum(argument);
    return function(s.name) + parenthesized(text);
  }

  bool is_code() const { return style_ == PrintingStyle::c || style_ == PrintingStyle::python; }

  // step(x) is 1 where x >= 0, else 0; if(w, a, b) is a where w is 1.
  std::string choice(const PrintingSymbol& s) const {
    const bool is_step = s.name == "step";
    const std::string condition = sum(s.arguments[0]) + (is_step ? " >= 0" : " > 0.5");
    const std::string a = is_step ? "1.0" : sum(s.arguments[1]), b = is_step ? "0.0" : sum(s.arguments[2]);
    return style_ == PrintingStyle::python ? fmt::format("(({}) if {} else ({}))", a, condition, b)
                                           : fmt::format("(({}) ? ({}) : ({}))", condition, a, b);
  }

  std::string function(const std::string& name) const {
    if (style_ != PrintingStyle::latex) return called_name(name, style_);
    for (const char* known : {"sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "max", "min"})
      if (name == known) return "\\" + name;
    return "\\operatorname{" + name + "}";
  }

  std::string waved(Wave wave, const PrintingAngle& angle) const {
    std::string inside;
    for (const auto& [symbol, factor] : angle.factors) {
      const std::string part = term({Wave::none, {}, {{symbol, 1}}}, factor, "");
      if (inside.empty())
        inside = part;
      else
        inside += part.starts_with('-') ? " - " + part.substr(1) : " + " + part;
    }
    if (angle.phase != 0) inside += (angle.phase < 0 ? " - " : " + ") + phase(std::abs(angle.phase));
    const std::string name = wave == Wave::sine ? "sin" : "cos";
    if (style_ == PrintingStyle::latex && angle.phase == 0 && angle.factors.size() == 1)
      return "\\" + name + " " + inside;
    return function(name) + (style_ == PrintingStyle::latex ? "\\left(" + inside + "\\right)" : "(" + inside + ")");
  }

  // Of pi where it is a simple part of it.
  std::string phase(double value) const {
    const auto part = fraction_of(value / std::numbers::pi);
    const bool readable = style_ == PrintingStyle::text || style_ == PrintingStyle::latex;
    if (!part || part->bottom > 24 || !readable) return fmt::format("{:.17g}", value);
    if (style_ == PrintingStyle::latex)
      return part->bottom == 1
                 ? fmt::format("{}\\pi", part->top)
                 : fmt::format("\\frac{{{}\\pi}}{{{}}}", part->top == 1 ? "" : std::to_string(part->top), part->bottom);
    return fmt::format("{}pi{}", part->top == 1 ? "" : fmt::format("{}*", part->top),
                       part->bottom == 1 ? "" : fmt::format("/{}", part->bottom));
  }

  const PrintingAlgebra& algebra_;
  PrintingStyle style_;
  const PrintingNames& names_;
};

}  // namespace

std::string printed(const PrintingSum& sum, const PrintingAlgebra& algebra, PrintingStyle style,
                    const PrintingNames& names) {
  return Printer(algebra, style, names).sum(sum);
}

}  // namespace armature::internal
