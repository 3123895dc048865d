#include "dynamics/traced_size.hpp"

#include <algorithm>
#include <set>

#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_qr.hpp"
#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

namespace {

// The velocities at which each row is met while they are eliminated, by numbers that ascend as they are.
struct Pattern {
  std::vector<int> start{0}, places;
  void add(const std::vector<int>& row) {
    places.insert(places.end(), row.begin(), row.end());
    start.push_back(static_cast<int>(places.size()));
  }
};

// The factor R of W' = Q R has the pattern of that of S = W W'. A row of W with k entries adds to as many products.
long schur_size(int nv, const Pattern& pattern) {
  SparseQr qr;
  qr.analyze(nv, pattern.start, pattern.places);
  long size = 0;
  for (int k = 0; k < qr.columns(); ++k) size += static_cast<long>(qr.row(k).count) * qr.row(k).count;
  return size;
}

long composite_size(const SparseTerms& terms, const std::vector<int>& independent_rows) {
  SparseCholesky llt;
  llt.analyze(terms.M);
  long size = 0;
  if (llt.size() > 0) size += llt.entries() * llt.entries() / llt.size();  // at least: columns of equal length
  Pattern pattern;
  std::vector<int> reached;
  for (int row : independent_rows) {
    reached.clear();
    for (SparseMatrix::InnerIterator entry(terms.Phi, row); entry; ++entry)
      reached.push_back(llt.place(static_cast<int>(entry.col())));
    llt.close(reached);
    size += static_cast<long>(reached.size() * reached.size());
    pattern.add(reached);
  }
  return size + schur_size(static_cast<int>(terms.M.rows()), pattern);
}

// Velocities in the order of elimination, and what each link has of them.
struct Places {
  explicit Places(const ArticulatedTree& tree, int nv)
      : of_velocity(static_cast<std::size_t>(nv)), link_of(of_velocity) {
    std::fill(link_of.begin(), link_of.end(), -1);
    int next = 0;
    for (int velocity : tree.outside) of_velocity[static_cast<std::size_t>(velocity)] = next++;
    for (std::size_t i = tree.links.size(); i-- > 0;)
      for (const Freedom& freedom : tree.links[i].freedoms) {
        of_velocity[static_cast<std::size_t>(freedom.velocity)] = next++;
        link_of[static_cast<std::size_t>(freedom.velocity)] = static_cast<int>(i);
      }
  }
  std::vector<int> of_velocity, link_of;
};

// All velocities between those of a row and the link where its sides meet.
std::vector<int> met(const ArticulatedTree& tree, const Places& places, const SparseMatrix& Phi, int row) {
  int common = -2;
  std::set<int> result;
  for (SparseMatrix::InnerIterator entry(Phi, row); entry; ++entry) {
    const auto k = static_cast<std::size_t>(entry.col());
    common = common == -2 ? places.link_of[k] : tree.common_link(common, places.link_of[k]);
    result.insert(places.of_velocity[k]);
  }
  for (SparseMatrix::InnerIterator entry(Phi, row); entry; ++entry)
    for (int link = places.link_of[static_cast<std::size_t>(entry.col())]; link > common;
         link = tree.links[static_cast<std::size_t>(link)].parent)
      for (const Freedom& freedom : tree.links[static_cast<std::size_t>(link)].freedoms)
        result.insert(places.of_velocity[static_cast<std::size_t>(freedom.velocity)]);
  return {result.begin(), result.end()};
}

// About 300 operations a velocity, 40 for each that a row meets, and 100 to eliminate a row (docs/design/011-long-trees.md).
long articulated_size(const ArticulatedTree& tree, const SparseTerms& terms, const std::vector<int>& independent_rows) {
  const int nv = static_cast<int>(terms.M.rows());
  const Places places(tree, nv);
  long size = 300L * nv + 100L * static_cast<long>(independent_rows.size());
  Pattern pattern;
  for (int row : independent_rows) {
    const std::vector<int> reached = met(tree, places, terms.Phi, row);
    size += 40L * static_cast<long>(reached.size());
    pattern.add(reached);
  }
  return size + schur_size(nv, pattern);
}

}  // namespace

long traced_size(const System& system, const SparseTerms& terms, const std::vector<int>& independent_rows) {
  long solve = composite_size(terms, independent_rows);
  if (const auto& tree = system.equations().tree)
    solve = std::min(solve, articulated_size(*tree, terms, independent_rows));
  return system.operation_count() + solve;
}

}  // namespace armature::internal
