#include "analysis/workspace_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "analysis/singular_words.hpp"
#include "dynamics/assembly.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/formula_tree.hpp"

namespace armature {

namespace {

constexpr int halvings = 30;            // of an edge of the grid
constexpr double small_at_edge = 0.05;  // smallest singular value at the edge of the reach: it is singular there
constexpr double vanishing = 1e-11;     // of the largest determinant of the map: round-off
constexpr double jump = 1e-3;  // of a determinant at a located zero, against the ends: no zero, but another branch

std::string pose_name(std::size_t k) { return fmt::format("pose.{}", k + 1); }
std::string goal_name(std::size_t k) { return fmt::format("pose goal.{}", k + 1); }

class Mapping {
 public:
  Mapping(const Model& model, const WorkspaceOptions& options) : options_(options) {
    for (const PoseAxis& axis : options.over) names_.push_back(axis.name);
    for (const auto& [name, value] : options.hold) names_.push_back(name), held_.push_back(value);
    const Prepared start = prepare_start(model);
    prepare_goals(start);
    result_.over = options.over;
    result_.frame = singularity_frame(model, prepared_, options.active, options.output);
    evaluator_ = std::make_unique<SystemEvaluator>(prepared_.system);
    pose_ = std::make_unique<SingularPose>(prepared_.system, result_.frame);
    words_ = std::make_unique<MotionWords>(model_, prepared_.system->equations());
    result_.cells.resize(count(0) * count(1));
  }

  WorkspaceMap run() {
    flood();
    if (result_.reached == 0)
      throw std::runtime_error("the loops close at no pose of the grid: change the range, or what is held");
    find_sizes();
    for (long k = 0; k < static_cast<long>(result_.cells.size()); ++k) {
      look_at(k);
      for (long next : {right_of(k), above(k)})
        if (next >= 0) look_between(k, next);
    }
    return std::move(result_);
  }

 private:
  // The machine at its own start, where the flood begins.
  Prepared prepare_start(const Model& model) {
    model_ = with_body_markers(model);
    for (std::size_t k = 0; k < names_.size(); ++k)
      model_.definitions.push_back({pose_name(k), parse_formula(names_[k], {})});
    Prepared start = compile(model_);
    assemble_start(start);
    if (!start.failure.empty()) throw std::runtime_error(start.failure);
    return start;
  }

  // The same with the pose kept at goals, which are free parameters.
  void prepare_goals(const Prepared& start) {
    SystemEvaluator evaluator(start.system);
    evaluator.set(start.start.t, start.start.x.data());
    evaluator.set_discrete(start.start.d);
    Observables now;
    evaluator.observables(now);
    const auto& quantities = start.system->equations().quantities;
    std::vector<std::string> free;
    model_.start = {};
    for (std::size_t k = 0; k < names_.size(); ++k) {
      double value = 0;
      for (std::size_t i = 0; i < quantities.size(); ++i)
        if (quantities[i].name == pose_name(k)) value = now.quantities[static_cast<Eigen::Index>(i)];
      pose_at_start_.push_back(value);
      model_.parameters.push_back({goal_name(k), number_formula(value), value, {}});
      StartEntry entry;
      entry.name = pose_name(k);
      entry.value = name_formula(goal_name(k), {});
      model_.start.keep.push_back(entry);
      free.push_back(goal_name(k));
    }
    prepared_ = compile(model_, free);
    prepared_.start = start.start;
  }

  std::size_t count(std::size_t axis) const {
    return axis < options_.over.size() ? options_.over[axis].values.size() : 1;
  }
  long right_of(long k) const {
    const long n = static_cast<long>(count(0));
    return k % n + 1 < n ? k + 1 : -1;
  }
  long above(long k) const {
    const long next = k + static_cast<long>(count(0));
    return next < static_cast<long>(result_.cells.size()) ? next : -1;
  }
  std::vector<double> place(long k) const {
    std::vector<double> at{options_.over[0].values[static_cast<std::size_t>(k) % count(0)]};
    if (options_.over.size() > 1) at.push_back(options_.over[1].values[static_cast<std::size_t>(k) / count(0)]);
    return at;
  }

  // The pose with the loops closed, from a state nearby; false: they do not close.
  bool close(const std::vector<double>& at, const State& from, State& state) {
    Eigen::VectorXd p(static_cast<Eigen::Index>(names_.size()));
    const auto& order = prepared_.system->equations().p_name;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto place = std::find(order.begin(), order.end(), goal_name(k)) - order.begin();
      p[place] = k < at.size() ? at[k] : held_[k - at.size()];
    }
    evaluator_->set_parameters(p);
    AssemblyResult assembled = assemble(*evaluator_, from, {.conditions = true, .attempts = 1, .seed = 1});
    if (!assembled.success || assembled.attempts > 1) return false;  // a shaken guess would be another assembly
    state = std::move(assembled.state);
    return true;
  }

  bool fill(long k, const State& from) {
    WorkspaceCell& cell = result_.cells[static_cast<std::size_t>(k)];
    if (!close(place(k), from, cell.state)) return false;
    cell.reached = true;
    cell.measures = pose_->measure(cell.state);
    ++result_.reached;
    return true;
  }

  // From the start to the nearest cell that closes, then from neighbour to neighbour, in the same order always.
  void flood() {
    std::vector<long> order(result_.cells.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<long>(k);
    std::stable_sort(order.begin(), order.end(), [&](long a, long b) { return distance(a) < distance(b); });
    std::deque<long> queue;
    for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 50) && queue.empty(); ++k)
      if (fill(order[k], prepared_.start)) queue.push_back(order[k]);
    while (!queue.empty()) {
      const long k = queue.front();
      queue.pop_front();
      for (long next : neighbours(k))
        if (!result_.cells[static_cast<std::size_t>(next)].reached &&
            fill(next, result_.cells[static_cast<std::size_t>(k)].state))
          queue.push_back(next);
    }
  }
  std::vector<long> neighbours(long k) const {
    const long n = static_cast<long>(count(0));
    std::vector<long> list;
    if (k % n > 0) list.push_back(k - 1);
    if (right_of(k) >= 0) list.push_back(k + 1);
    if (k - n >= 0) list.push_back(k - n);
    if (above(k) >= 0) list.push_back(k + n);
    return list;
  }
  double distance(long k) const {
    const std::vector<double> at = place(k);
    double square = 0;
    for (std::size_t i = 0; i < at.size(); ++i) square += std::pow(at[i] - pose_at_start_[i], 2);
    return square;
  }

  // Determinants below round-off of the largest are zero, whatever their sign.
  void find_sizes() {
    for (const WorkspaceCell& cell : result_.cells) {
      if (!cell.reached) continue;
      zero_I_ = std::max(zero_I_, vanishing * std::abs(cell.measures.det_I));
      zero_II_ = std::max(zero_II_, vanishing * std::abs(cell.measures.det_II));
    }
  }
  bool vanishes_I(const PoseMeasures& m) const { return std::abs(m.det_I) <= zero_I_; }
  bool vanishes_II(const PoseMeasures& m) const { return std::abs(m.det_II) <= zero_II_; }

  // A pose of the grid that is singular itself.
  void look_at(long k) {
    const WorkspaceCell& cell = result_.cells[static_cast<std::size_t>(k)];
    if (!cell.reached) return;
    if (cell.measures.sigma < rank_tolerance || (zero_II_ > 0 && vanishes_II(cell.measures)))
      add_point(place(k), cell.state, CurvePoint::Kind::type_II);
    else if (zero_I_ > 0 && vanishes_I(cell.measures))
      add_point(place(k), cell.state, CurvePoint::Kind::type_I);
  }

  void look_between(long a, long b) {
    const WorkspaceCell &one = result_.cells[static_cast<std::size_t>(a)],
                        &other = result_.cells[static_cast<std::size_t>(b)];
    if (one.reached && other.reached) {
      const PoseMeasures &m = one.measures, &n = other.measures;
      if (m.det_II * n.det_II < 0 && !vanishes_II(m) && !vanishes_II(n)) find_zero(a, b, &PoseMeasures::det_II);
      if (m.det_I * n.det_I < 0 && !vanishes_I(m) && !vanishes_I(n)) find_zero(a, b, &PoseMeasures::det_I);
    } else if (one.reached != other.reached) {
      one.reached ? find_edge(a, b) : find_edge(b, a);
    }
  }

  static std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double s) {
    std::vector<double> at;
    for (std::size_t i = 0; i < a.size(); ++i) at.push_back(a[i] + s * (b[i] - a[i]));
    return at;
  }

  void find_zero(long a, long b, double PoseMeasures::*det) {
    const auto begin = place(a), end = place(b);
    const WorkspaceCell& from = result_.cells[static_cast<std::size_t>(a)];
    State state = from.state, last = state;
    double low = 0, high = 1, value = from.measures.*det;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (low + high);
      if (!close(between(begin, end, middle), state, last)) return;
      value = pose_->measure(last).*det;
      if (value * (from.measures.*det) > 0)
        low = middle, state = last;
      else
        high = middle;
    }
    if (!(std::abs(value) < jump * std::abs(from.measures.*det))) return;  // another branch, not a zero
    add_point(between(begin, end, 0.5 * (low + high)), last,
              det == &PoseMeasures::det_I ? CurvePoint::Kind::type_I : CurvePoint::Kind::type_II);
  }

  void find_edge(long inside, long outside) {
    const auto begin = place(inside), end = place(outside);
    State state = result_.cells[static_cast<std::size_t>(inside)].state, last = state;
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (low + high);
      if (close(between(begin, end, middle), state, last))
        low = middle, state = last;
      else
        high = middle;
    }
    add_point(between(begin, end, low), state, CurvePoint::Kind::reach);
  }

  void add_point(std::vector<double> at, const State& state, CurvePoint::Kind kind) {
    const PoseMeasures measures = pose_->measure(state);
    if (kind == CurvePoint::Kind::reach && measures.sigma_I < small_at_edge) kind = CurvePoint::Kind::type_I;
    if (measures.sigma < near_singular) kind = CurvePoint::Kind::rank_drop;
    CurvePoint point{std::move(at), kind, ""};
    if (kind != CurvePoint::Kind::reach) {
      const bool is_I = kind == CurvePoint::Kind::type_I;
      const auto null = pose_->null_direction(state, is_I                                ? SingularityKind::type_I
                                                     : kind == CurvePoint::Kind::type_II ? SingularityKind::type_II
                                                                                         : SingularityKind::rank_drop);
      point.words = words_->describe(state, null.v, is_I ? result_.frame.output : result_.frame.active);
    }
    result_.curve.push_back(std::move(point));
  }

  WorkspaceOptions options_;
  std::vector<std::string> names_;  // of the axes, then of what is held
  std::vector<double> held_, pose_at_start_;
  Model model_;
  Prepared prepared_;
  std::unique_ptr<SystemEvaluator> evaluator_;
  std::unique_ptr<SingularPose> pose_;
  std::unique_ptr<MotionWords> words_;
  WorkspaceMap result_;
  double zero_I_ = 0, zero_II_ = 0;  // determinants that are as good as zero
};

}  // namespace

const char* to_string(CurvePoint::Kind kind) {
  switch (kind) {
    case CurvePoint::Kind::type_I: return "type I";
    case CurvePoint::Kind::type_II: return "type II";
    case CurvePoint::Kind::rank_drop: return "rank drop";
    default: return "reach";
  }
}

WorkspaceMap workspace_map(const Model& model, const WorkspaceOptions& options) {
  return Mapping(model, options).run();
}

}  // namespace armature
