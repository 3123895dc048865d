#include "system/determinants.hpp"

#include <map>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t most_rows = 10;  // rows; expansion by minors grows as 2^rows

}  // namespace

std::vector<std::vector<Expression>> columns_of_Phi(const Equations& e, const std::vector<std::string>& coordinates,
                                                    Location where) {
  LeafMap flow{{e.t.id(), 1.0}};
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  Derivative along_flow(flow);
  std::vector<std::vector<Expression>> block(e.rows.size());
  for (const std::string& name : coordinates) {
    const auto found = std::find_if(e.velocities.begin(), e.velocities.end(),
                                    [&](const Coordinate& velocity) { return velocity.name == name + "'"; });
    if (found == e.velocities.end())
      throw FormulaError(
          where, "'" + name + "' is not a coordinate of the tree (its joint is cut), so it has no column in Phi");
    Derivative along({{e.v[found - e.velocities.begin()].id(), 1.0}});
    for (std::size_t r = 0; r < e.rows.size(); ++r) block[r].push_back(along(rate_of(e.rows[r], along_flow)));
  }
  return block;
}

// Laplace's expansion along the rows; minors are kept by their columns.
Expression determinant(const std::vector<std::vector<Expression>>& matrix) {
  const std::size_t n = matrix.size();
  std::map<unsigned, Expression> minors{{0u, 1.0}};  // of the first rows, by the set of columns
  // minors of one more row from those of the rows before
  for (std::size_t row = 0; row < n; ++row) {
    std::map<unsigned, Expression> next;
    for (const auto& [columns, minor] : minors)
      for (std::size_t k = 0; k < n; ++k) {
        if (columns >> k & 1u || matrix[row][k].is(0)) continue;
        const bool odd = __builtin_popcount(columns >> k) % 2 == 1;
        const Expression term = matrix[row][k] * minor;
        next[columns | 1u << k] += odd ? -term : term;
      }
    minors = std::move(next);
  }
  const auto full = minors.find((1u << n) - 1);
  return full == minors.end() ? Expression(0.0) : full->second;
}

void add_determinants(const Model& model, Equations& equations) {
  std::vector<Diagnostic> wrong;
  for (const auto& wanted : model.record.determinants) {
    const std::string key = "record.determinants." + wanted.name;
    const std::size_t rows = equations.rows.size();
    if (wanted.coordinates.size() != rows || rows > most_rows) {
      wrong.push_back(
          {wanted.where, key,
           "needs as many coordinates as there are constraint rows (" + std::to_string(rows) + ", at most 10)"});
      continue;
    }
    try {
      const Expression value = determinant(columns_of_Phi(equations, wanted.coordinates, wanted.where));
      equations.quantities.push_back({wanted.name, "", value});
      if (!value.is_constant()) equations.events.push_back({wanted.name, value});
    } catch (const FormulaError& error) {
      wrong.push_back({error.where, key, error.what()});
    }
  }
  if (!wrong.empty()) throw ModelError(model, wrong);
}

}  // namespace armature::internal
