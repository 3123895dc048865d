#include "dynamics/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "dynamics/projection.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature {
namespace {

using Eigen::VectorXd;

struct Pose {
  SparseMatrix M, Phi;
  VectorXd extent;
  std::vector<int> groups;  // of the rows of Phi
  int rank = 0;
};

Pose some_rows(const Pose& pose, const std::vector<int>& rows) {
  StackedRows Phi(static_cast<int>(pose.Phi.cols()));
  std::vector<int> groups;
  for (int row : rows) Phi.add(pose.Phi, row), groups.push_back(pose.groups[row]);
  return {pose.M, Phi.matrix(), pose.extent(rows), groups, 0};
}

KineticRows factored(const Pose& pose) {
  KineticRows rows;
  rows.resize(static_cast<int>(pose.M.rows()), static_cast<int>(pose.Phi.rows()));
  rows.set_groups(pose.groups);
  rows.factor(pose);
  return rows;
}

std::vector<int> pivot_rows(const Pose& pose) {
  const KineticRows rows = factored(pose);
  std::vector<int> independent;
  for (int k = 0; k < rows.rank(); ++k) independent.push_back(rows.row(k));
  std::sort(independent.begin(), independent.end());
  return independent;
}

// Walks from the start to other assembled poses.
class Walk {
 public:
  Walk(SystemEvaluator& evaluator, const State& start, unsigned seed)
      : evaluator_(evaluator),
        configuration_(evaluator.system().equations()),
        projection_(evaluator),
        terms_(evaluator.make_sparse_terms()),
        groups_(row_groups(evaluator.system().equations())),
        t_(start.t),
        x_(start.x),
        generator_(seed) {
    evaluator.set_discrete(start.d);
    evaluator.set_modes(start.w);
    rows_.resize(evaluator.system().layout().nv, evaluator.system().layout().m);
    rows_.set_groups(groups_);
  }

  // Nothing: M or Phi is not finite here.
  std::optional<Pose> here() {
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    if (!rows_.factor(terms_)) return std::nullopt;
    return Pose{terms_.M, terms_.Phi, terms_.extent, groups_, rows_.rank()};
  }

  // A random direction of the tangent space, followed in small steps; time goes on too, for what is driven by it.
  bool go_on() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const VectorXd direction = VectorXd::NullaryExpr(terms_.Phi.cols(), [&] { return uniform(generator_); });
    const double t = t_;
    const VectorXd x = x_;
    for (int k = 0; k < 8; ++k) {
      if (!step(direction)) return t_ = t, x_ = x, false;
    }
    return true;
  }

 private:
  bool step(VectorXd dv) {
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    if (!rows_.factor(terms_)) return false;
    rows_.make_tangent(dv);
    const double size = dv.cwiseAbs().maxCoeff();
    if (size > 1e-12) configuration_.advance(x_.data(), VectorXd(dv * (0.07 / std::max(size, 0.07))).data());
    t_ += 0.01;
    if (!projection_.position(t_, x_.data())) return false;
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    return terms_.phi.size() == 0 || terms_.phi.cwiseAbs().maxCoeff() < 1e-9 * std::max(1.0, largest_entry(terms_.Phi));
  }

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  Projection projection_;
  SparseTerms terms_;
  std::vector<int> groups_;
  KineticRows rows_;
  double t_;
  VectorXd x_;
  std::mt19937 generator_;
};

// The set of rows, among those that pivoting chose at some pose, whose smallest pivot over all poses is largest.
std::size_t best_pose(const std::vector<Pose>& poses, int generic_rank) {
  std::size_t best = 0;
  double best_score = -1;
  std::set<std::vector<int>> judged;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].rank != generic_rank) continue;
    const std::vector<int> rows = pivot_rows(poses[i]);
    if (!judged.insert(rows).second) continue;
    if (static_cast<int>(rows.size()) == poses[i].Phi.rows()) return i;  // all of them
    double score = 1;
    for (const Pose& pose : poses) {
      if (pose.rank != generic_rank) continue;
      const KineticRows there = factored(some_rows(pose, rows));
      score = std::min(score, there.rank() == generic_rank ? there.smallest() : 0);
    }
    if (score > best_score) best_score = score, best = i;
  }
  return best;
}

// Rows beyond the rank, each with the rows it follows from; `names` gives the rows' numbers.
std::vector<Redundancy::Dependence> dependences(const Pose& pose, const std::vector<int>& names) {
  const KineticRows rows = factored(pose);
  std::vector<Redundancy::Dependence> result;
  VectorXd c;
  for (int k = rows.rank(); k < rows.rows(); ++k) {
    Redundancy::Dependence dependence{names[rows.row(k)], {}};
    rows.dependence(k, c);
    for (int i = 0; i < rows.rank(); ++i) {
      if (std::abs(c[i]) > 1e-6) dependence.on.push_back(names[rows.row(i)]);
    }
    std::sort(dependence.on.begin(), dependence.on.end());
    result.push_back(dependence);
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  return result;
}

}  // namespace

Redundancy find_redundancy(SystemEvaluator& evaluator, const State& start, int count, unsigned seed) {
  const Layout& layout = evaluator.system().layout();
  Redundancy result;
  result.degrees_of_freedom = result.degrees_of_freedom_here = layout.nv;
  if (layout.m == 0) return result;

  Walk walk(evaluator, start, seed);
  std::vector<Pose> poses;
  const auto look = [&] {
    if (std::optional<Pose> pose = walk.here()) poses.push_back(*std::move(pose));
  };
  look();
  if (poses.empty()) throw std::domain_error("M or Phi is not finite at the start");
  for (int k = 0; k < 3 * count && static_cast<int>(poses.size()) < count; ++k) {
    if (walk.go_on()) look();
  }

  const KineticRows here = factored(poses[0]);
  for (const Pose& pose : poses) result.generic_rank = std::max(result.generic_rank, pose.rank);
  const Pose& best = poses[best_pose(poses, result.generic_rank)];
  std::vector<int> all(layout.m);
  for (int i = 0; i < layout.m; ++i) all[i] = i;
  result.independent = pivot_rows(best);
  result.always = dependences(best, all);
  result.only_here = dependences(some_rows(poses[0], result.independent), result.independent);
  result.rank_here = here.rank();
  result.smallest_here = here.smallest();
  result.degrees_of_freedom = layout.nv - result.generic_rank;
  result.degrees_of_freedom_here = layout.nv - result.rank_here;
  result.poses = static_cast<int>(poses.size());
  return result;
}

}  // namespace armature
