#include "dynamics/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "dynamics/assembly_steps.hpp"
#include "dynamics/projection.hpp"
#include "expression/derivative.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

constexpr double another_pose = 1e-3;  // rad, or share of the machine's length, that a coordinate differs by
// A step of the walk to other poses, and the time that goes on with it, as a share of the motion.
constexpr double walk_step = 0.07;  // rad, or share of the machine's length
constexpr double walk_time = 1e-3;
// Times at which poses beside the start are looked for, as shares of the motion; and how far guesses lie from it, as shares of half
// a turn. The nearest come first: they lie on the branch of the start.
constexpr double closed_again = 1e-9;  // of the size of a row: loops after a step of the walk
constexpr double depends = 1e-6;       // coefficient of a row in the combination that gives another one
constexpr double later[] = {1e-3, 1e-2, 0.03, 0.1, 0.3, 0.6, 1};
constexpr double further[] = {0.01, 0.03, 0.1, 0.3};

struct SampledPose {
  SparseMatrix M, Phi;
  VectorXd extent;
  std::vector<int> groups;  // of the rows of Phi
  int rank = 0;
};

SampledPose some_rows(const SampledPose& pose, const std::vector<int>& rows) {
  StackedRows Phi(static_cast<int>(pose.Phi.cols()));
  std::vector<int> groups;
  for (int row : rows) Phi.add(pose.Phi, row), groups.push_back(pose.groups[row]);
  return {pose.M, Phi.matrix(), pose.extent(rows), groups, 0};
}

KineticRows factored(const SampledPose& pose) {
  KineticRows rows;
  rows.resize(static_cast<int>(pose.M.rows()), static_cast<int>(pose.Phi.rows()));
  rows.set_groups(pose.groups);
  rows.factor(pose);
  return rows;
}

std::vector<int> pivot_rows(const SampledPose& pose) {
  const KineticRows rows = factored(pose);
  std::vector<int> independent;
  for (int k = 0; k < rows.rank(); ++k) independent.push_back(rows.row(k));
  std::sort(independent.begin(), independent.end());
  return independent;
}

// Walks from the start to other assembled poses.
class Walk {
 public:
  // until: the end of the motion
  Walk(SystemEvaluator& evaluator, const State& start, double until, unsigned seed)
      : evaluator_(evaluator),
        configuration_(evaluator.system().equations()),
        projection_(evaluator),
        terms_(evaluator.make_sparse_terms()),
        groups_(row_groups(evaluator.system().equations())),
        start_(start),
        t_(start.t),
        time_step_(walk_time * std::max(until - start.t, 0.0)),
        x_(start.x),
        generator_(seed) {
    evaluator.hold(start);
    rows_.resize(evaluator.system().layout().nv, evaluator.system().layout().m);
    rows_.set_groups(groups_);
  }

  // Nothing: M or Phi is not finite here.
  std::optional<SampledPose> here() {
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    if (!size_.known()) size_ = MachineSize(evaluator_.system().equations(), terms_, x_.data());
    if (!rows_.factor(terms_)) return std::nullopt;
    return SampledPose{terms_.M, terms_.Phi, terms_.extent, groups_, rows_.rank()};
  }

  // Whether the pose is another than the start.
  bool left_start() const {
    const VectorXd moved = x_ - start_.x;
    return size_.of_positions(moved.data()) > another_pose;
  }

  // To a closed pose beside the start, some time later.
  bool go_beside(double t, double shake) {
    AssemblySteps steps(evaluator_, false);
    State pose = start_;
    steps.begin(pose);
    pose.t = t;
    steps.shake(pose, shake, generator_);
    take_outcomes(pose);
    if (!steps.close(pose)) return false;
    t_ = t, x_ = pose.x;
    return left_start();
  }

  // A random direction of the tangent space, followed in small steps; time goes on too, for what is driven by it.
  bool go_on() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    VectorXd direction = VectorXd::NullaryExpr(terms_.Phi.cols(), [&] { return uniform(generator_); });
    direction.array() /= size_.per_velocity().array();
    const double t = t_;
    const VectorXd x = x_;
    for (int k = 0; k < 8; ++k) {
      if (!step(direction)) return t_ = t, x_ = x, false;
    }
    return true;
  }

 private:
  // Comparisons as they are then: a drive may begin to move at some time.
  void take_outcomes(State& pose) {
    evaluator_.set(pose.t, pose.x.data());
    evaluator_.take_outcomes(pose.w);
  }

  bool step(VectorXd dv) {
    // along the tangent, no further than a step
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    if (!rows_.factor(terms_)) return false;
    rows_.make_tangent(dv);
    const double way = size_.of_velocities(dv.data());
    constexpr double no_way = 1e-12;  // rad, or share of the machine's length
    if (way > no_way) configuration_.advance(x_.data(), VectorXd(dv * (walk_step / std::max(way, walk_step))).data());
    // and back onto the constraints
    t_ += time_step_;
    if (!projection_.position(t_, x_.data())) return false;
    evaluator_.set(t_, x_.data());
    evaluator_.position(terms_);
    return terms_.phi.size() == 0 || size_.of_rows(terms_.phi) < closed_again;
  }

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  Projection projection_;
  SparseTerms terms_;
  std::vector<int> groups_;
  KineticRows rows_;
  State start_;
  MachineSize size_;
  double t_, time_step_;
  VectorXd x_;
  std::mt19937 generator_;
};

// The set of rows, among those that pivoting chose at some pose, whose smallest pivot over all poses is largest.
std::size_t best_pose(const std::vector<SampledPose>& poses, int generic_rank) {
  std::size_t best = 0;
  double best_score = -1;
  std::set<std::vector<int>> judged;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].rank != generic_rank) continue;
    const std::vector<int> rows = pivot_rows(poses[i]);
    if (!judged.insert(rows).second) continue;
    if (static_cast<int>(rows.size()) == poses[i].Phi.rows()) return i;  // all of them
    double score = 1;
    for (const SampledPose& pose : poses) {
      if (pose.rank != generic_rank) continue;
      const KineticRows there = factored(some_rows(pose, rows));
      score = std::min(score, there.rank() == generic_rank ? there.smallest() : 0);
    }
    if (score > best_score) best_score = score, best = i;
  }
  return best;
}

// Rows beyond the rank, each with the rows it follows from; `names` gives the rows' numbers.
std::vector<Redundancy::Dependence> dependences(const SampledPose& pose, const std::vector<int>& names) {
  const KineticRows rows = factored(pose);
  std::vector<Redundancy::Dependence> result;
  VectorXd c;
  for (int k = rows.rank(); k < rows.rows(); ++k) {
    Redundancy::Dependence dependence{names[rows.row(k)], {}};
    rows.dependence(k, c);
    for (int i = 0; i < rows.rank(); ++i) {
      if (std::abs(c[i]) > depends) dependence.on.push_back(names[rows.row(i)]);
    }
    std::sort(dependence.on.begin(), dependence.on.end());
    result.push_back(dependence);
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  return result;
}

bool moves_with_time(const Equations& equations) {
  return std::any_of(equations.rows.begin(), equations.rows.end(),
                     [&](const ConstraintRow& row) { return depends_on(row.phi, equations.t); });
}

bool add_pose(Walk& walk, std::vector<SampledPose>& poses) {
  std::optional<SampledPose> pose = walk.here();
  if (!pose) return false;
  poses.push_back(*std::move(pose));
  return true;
}

// Poses beside a start that the walk cannot leave, at the start's own time where nothing moves with it.
void look_beside(Walk& walk, const State& start, double until, bool moving, std::size_t count,
                 std::vector<SampledPose>& poses) {
  const double whole = moving ? std::max(until - start.t, 0.0) : 0;
  for (const double shake : further)
    for (const double share : later)
      if (poses.size() < count && walk.go_beside(start.t + share * whole, shake)) add_pose(walk, poses);
}

// The start and others, and whether there are any others where the machine should have them: it has freedom, or time moves it.
struct Poses {
  std::vector<SampledPose> list;
  bool in_doubt = false;
};

Poses find_poses(SystemEvaluator& evaluator, const State& start, double until, int count, unsigned seed) {
  // the start, and poses on a walk from it
  Walk walk(evaluator, start, until, seed);
  Poses poses;
  if (!add_pose(walk, poses.list)) throw std::domain_error("M or Phi is not finite at the start");
  bool left_start = false;
  for (int k = 0; k < 3 * count && static_cast<int>(poses.list.size()) < count; ++k) {
    if (!walk.go_on() || !add_pose(walk, poses.list)) continue;
    left_start = left_start || walk.left_start();
  }
  const Layout& layout = evaluator.system().layout();
  const bool dependent = poses.list[0].rank < layout.m, moving = moves_with_time(evaluator.system().equations());
  if (left_start || !dependent) return poses;
  // where the walk stays at a start whose rows depend on each other: poses beside it
  const std::size_t before = poses.list.size();
  look_beside(walk, start, until, moving, before + static_cast<std::size_t>(count), poses.list);
  const bool can_move = moving || poses.list[0].rank < layout.nv;
  poses.in_doubt = can_move && poses.list.size() == before && layout.m <= layout.nv;
  return poses;
}

std::vector<int> all_rows(int m) {
  std::vector<int> all(static_cast<std::size_t>(m));
  for (int i = 0; i < m; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

}  // namespace

Redundancy find_redundancy(SystemEvaluator& evaluator, const State& start, double until, int count, unsigned seed) {
  const Layout& layout = evaluator.system().layout();
  Redundancy result;
  result.degrees_of_freedom = result.degrees_of_freedom_here = layout.nv;
  if (layout.m == 0) return result;

  // the largest rank of all poses is that of the machine
  const auto [poses, in_doubt] = find_poses(evaluator, start, until, count, seed);
  const KineticRows here = factored(poses[0]);
  for (const SampledPose& pose : poses) result.generic_rank = std::max(result.generic_rank, pose.rank);
  if (in_doubt) result.generic_rank = layout.m;
  // rows that are independent at every pose, and what the others follow from
  const SampledPose& best = in_doubt ? poses[0] : poses[best_pose(poses, result.generic_rank)];
  const std::vector<int> all = all_rows(layout.m);
  result.independent = in_doubt ? all : pivot_rows(best);
  if (!in_doubt) result.always = dependences(best, all);
  // what is special about the start
  result.only_here = dependences(some_rows(poses[0], result.independent), result.independent);
  result.rank_here = here.rank();
  result.smallest_here = here.smallest();
  result.degrees_of_freedom = layout.nv - result.generic_rank;
  result.degrees_of_freedom_here = layout.nv - result.rank_here;
  result.poses = static_cast<int>(poses.size());
  return result;
}

}  // namespace armature::internal
