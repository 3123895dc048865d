// The form in which equations are printed. It is made for reading only; programs are not built from it.
//
//   sum of  c s1^n1 s2^n2 ... [1 | sin(k.s + p) | cos(k.s + p)]
//
// with symbols s (parameters, coordinates, rates), whole powers n, and at most one sine or cosine a term: products of
// them become sums of angles, so that two equal expressions of this kind have the same terms. What does not fit (roots,
// quotients by sums, tables, comparisons) is a symbol of its own that holds its arguments.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

struct PrintingAngle {
  std::map<int, double> factors;  // by symbol; the first is positive
  double phase = 0;
  auto operator<=>(const PrintingAngle&) const = default;
};

enum class Wave { none, cosine, sine };

struct PrintingMonomial {
  Wave wave = Wave::none;
  PrintingAngle angle;
  std::map<int, int> powers;  // by symbol, none of them zero

  PrintingMonomial() = default;
  PrintingMonomial(Wave wave, const PrintingAngle& angle, const std::map<int, int>& powers)
      : wave(wave), angle(angle), powers(powers) {}
  bool is_one() const { return wave == Wave::none && powers.empty(); }
  auto operator<=>(const PrintingMonomial&) const = default;
};

using PrintingSum = std::map<PrintingMonomial, double>;

struct PrintingSymbol {
  enum class Kind { parameter, time, coordinate, rate, other, call };  // other: currents and the like, inputs
  Kind kind = Kind::parameter;
  std::string name;                    // of a call its function; empty: a sum in parentheses
  std::vector<PrintingSum> arguments;  // of a call
};

// Symbols by number, and the arithmetic of sums over them.
class PrintingAlgebra {
 public:
  // A leaf of the graph as a symbol. Symbols are numbered in the order in which they are added: so are they printed.
  int add_symbol(Expression leaf, PrintingSymbol symbol);
  const PrintingSymbol& operator[](int symbol) const { return symbols_[symbol]; }
  int size() const { return static_cast<int>(symbols_.size()); }
  // The tables that are looked up, by their numbers: table2(x), and its derivatives table2'(x), …
  const std::map<int, std::shared_ptr<const Table>>& tables() const { return tables_; }

  // Throws std::length_error where a sum would get more terms than anyone reads.
  PrintingSum expand(Expression x);

  PrintingSum product(const PrintingSum& a, const PrintingSum& b);
  static PrintingSum added(PrintingSum a, const PrintingSum& b, double factor = 1);
  static PrintingSum number(double value);
  PrintingSum symbol(int index) const;

 private:
  PrintingSum of_node(Graph& graph, std::int32_t id);
  PrintingSum of_comparison(const Graph::Comparison& comparison);
  PrintingSum call(const std::string& name, std::vector<PrintingSum> arguments);
  PrintingSum inverse(const PrintingSum& x);
  PrintingSum power(const PrintingSum& x, int n);
  PrintingSum wave(Wave kind, const PrintingSum& argument);
  PrintingSum times(const PrintingMonomial& a, double factor_a, const PrintingMonomial& b, double factor_b);

  std::vector<PrintingSymbol> symbols_;
  std::map<std::pair<std::string, std::vector<PrintingSum>>, int> calls_;
  std::unordered_map<std::int32_t, int> leaves_;
  std::unordered_map<std::int32_t, PrintingSum> known_;
  std::map<int, std::shared_ptr<const Table>> tables_;
};

}  // namespace armature::internal
