#include "import/robot_text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

#include "expression/lower.hpp"
#include "expression/number_text.hpp"

namespace armature::internal {

namespace {

// Names that mean something in formulas, and words that are nothing to YAML.
bool is_reserved_word(const std::string& name) {
  static const std::set<std::string> words = {"ground", "and", "or", "not", "null", "Null", "NULL"};
  return words.contains(name) || is_built_in(name);
}

}  // namespace

std::string number_text(double x) {
  if (x == 0) return "0";
  for (const int digits : {4, 6, 9, 12, 15}) {
    std::string text = fmt::format("{:.{}g}", x, digits);
    if (std::abs(*read_number(text) - x) <= 2e-15 * std::abs(x)) return text;
  }
  return fmt::format("{:.17g}", x);
}

Eigen::Vector3d without_round_off(const Eigen::Vector3d& x) {
  const double small = std::max(1e-14 * x.cwiseAbs().maxCoeff(), 1e-15);
  return x.unaryExpr([&](double each) { return std::abs(each) <= small ? 0.0 : each; });
}

std::string vector_text(const Eigen::Vector3d& x) {
  const Eigen::Vector3d clean = without_round_off(x);
  return fmt::format("[{}, {}, {}]", number_text(clean.x()), number_text(clean.y()), number_text(clean.z()));
}

std::string axis_text(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d n = axis.normalized();
  for (int i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0})
      if ((n - sign * Eigen::Vector3d::Unit(i)).cwiseAbs().maxCoeff() < 1e-14)
        return fmt::format("{}{}", sign < 0 ? "-" : "", "xyz"[i]);
  return vector_text(n);
}

std::string as_word(const std::string& name) {
  std::string word;
  for (const unsigned char c : name) word += c < 128 && (std::isalnum(c) || c == '_') ? static_cast<char>(c) : '_';
  if (word.empty() || !std::isalpha(static_cast<unsigned char>(word[0]))) word = "n" + word;
  return word;
}

std::string ModelNames::take(const std::string& wanted, const std::string& kind) {
  const std::string word = as_word(wanted).substr(0, 200);
  std::string name = word;
  for (int k = 1; is_reserved_word(name) || taken_.contains(name); ++k)
    name = k == 1 ? fmt::format("{}_{}", word, kind) : fmt::format("{}_{}{}", word, kind, k);
  taken_.insert(name);
  return name;
}

}  // namespace armature::internal
