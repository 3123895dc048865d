#include "analysis/workspace_map.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "analysis/singular_words.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature {

namespace {

constexpr int halvings = 30;              // of an edge of the grid
constexpr double small_at_edge = 0.05;    // smallest singular value at the edge of the reach: it is singular there
constexpr double vanishing = 1e-11;       // of the largest determinant of the map: round-off
constexpr double as_good_as_zero = 1e-7;  // singular value: a singular pose is closed to the root of the round-off only
constexpr double jump = 1e-3;  // of a determinant at a located zero, against the ends: no zero, but another branch
constexpr std::size_t first_tries = 50;  // cells, the nearest to the start first
constexpr int measures_width = 7;        // numbers of a cell before its state

// A cell in numbers: how it was found (0: not at all), measures or a place, then the state.
int state_width(const State& state) { return static_cast<int>(state.x.size() + state.d.size() + state.w.size()); }

void write_state(const State& state, std::span<double> row) {
  double* next = row.data() + measures_width;
  for (const Eigen::VectorXd* part : {&state.x, &state.d, &state.w})
    next = std::copy(part->data(), part->data() + part->size(), next);
}

State read_state(std::span<const double> row, const State& like) {
  State state = like;
  const double* next = row.data() + measures_width;
  for (Eigen::VectorXd* part : {&state.x, &state.d, &state.w}) {
    std::copy(next, next + part->size(), part->data());
    next += part->size();
  }
  return state;
}

void write_measures(const PoseMeasures& m, std::span<double> row) {
  row[1] = m.rank, row[2] = m.sigma, row[3] = m.sigma_I, row[4] = m.sigma_II, row[5] = m.det_I, row[6] = m.det_II;
}

PoseMeasures read_measures(std::span<const double> row) {
  return {static_cast<int>(row[1]), row[2], row[3], row[4], row[5], row[6]};
}

// What threads need to close poses, kept from one wave to the next.
class Closers {
 public:
  explicit Closers(const PoseMachine& machine) : machine_(machine) {}
  std::shared_ptr<PoseCloser> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) free_.push_back(std::make_unique<PoseCloser>(machine_));
    PoseCloser* closer = free_.back().release();
    free_.pop_back();
    return {closer, [this](PoseCloser* back) {
              const std::lock_guard lock(mutex_);
              free_.emplace_back(back);
            }};
  }

 private:
  const PoseMachine& machine_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PoseCloser>> free_;
};

class Mapping {
 public:
  Mapping(std::shared_ptr<const PoseMachine> machine, const WorkspaceOptions& options)
      : options_(options), machine_(std::move(machine)), closers_(*machine_) {
    result_.over = options.over;
    result_.frame = machine_->frame;
    result_.cells.resize(count(0) * count(1));
    order_.resize(result_.cells.size());
    for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<long>(k);
    std::stable_sort(order_.begin(), order_.end(), [&](long a, long b) { return distance(a) < distance(b); });
    result_.closings = static_cast<long>(order_.size());
  }

  WorkspaceMap run() {
    result_.complete = flood_from(machine_->prepared.start) && flood_beside_start();
    if (result_.reached == 0 || !result_.complete) return std::move(result_);
    find_sizes();
    find_crossings();
    result_.complete = locate_crossings();
    return std::move(result_);
  }

 private:
  using Closing = std::function<void(PoseCloser&, long index, std::span<double> row)>;

  // The next cells of the job, all of them numbered one after the other; false: stopped.
  bool compute(long count, const Closing& closing, CellTable& table) {
    const CellJob job{count, workspace_width(*machine_), [&](const StopFlag&) -> CellFunction {
                        auto closer = closers_.take();
                        return [closer, &closing](long index, std::span<double> row) {
                          std::fill(row.begin(), row.end(), 0.0);
                          closing(*closer, index, row);
                          return true;
                        };
                      }};
    table = options_.cells ? options_.cells(job, next_) : run_cells(job, {.threads = options_.threads});
    next_ += count;
    result_.closings = std::max(result_.closings, next_);
    return table.missing() == 0;
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

  WorkspaceCell& cell(long k) { return result_.cells[static_cast<std::size_t>(k)]; }

  void fill(PoseCloser& closer, long k, const State& from, double found, std::span<double> row) const {
    State state;
    if (!closer.close(place(k), from, state)) return;
    row[0] = found;
    write_measures(closer.measure(state), row);
    write_state(state, row);
  }

  void take(long k, std::span<const double> row) {
    cell(k) = {true, read_measures(row), read_state(row, machine_->prepared.start)};
    ++result_.reached;
  }

  // From a state to the nearest cell that closes and has not been reached, then from neighbour to neighbour.
  bool flood_from(const State& from) {
    std::vector<long> tries;
    for (long k : order_)
      if (!cell(k).reached && tries.size() < first_tries) tries.push_back(k);
    if (tries.empty()) return true;
    CellTable table;
    const auto first = [&](PoseCloser& closer, long, std::span<double> row) {
      for (std::size_t k = 0; k < tries.size() && row[0] == 0; ++k)
        fill(closer, tries[k], from, static_cast<double>(k + 1), row);
    };
    if (!compute(1, first, table)) return false;
    const auto found = static_cast<std::size_t>(table.row(0)[0]);
    if (found == 0) return true;
    take(tries[found - 1], table.row(0));
    std::vector<long> wave{tries[found - 1]};
    while (!wave.empty())
      if (!next_wave(wave)) return false;
    return true;
  }

  // A cell next to the wave, and from where it is tried: place in the wave, which neighbour.
  struct Try {
    long cell;
    std::vector<std::pair<std::size_t, std::size_t>> from;
  };
  std::vector<Try> tries_beside(const std::vector<long>& wave) {
    std::vector<Try> tries;
    std::map<long, std::size_t> known;
    for (std::size_t k = 0; k < wave.size(); ++k) {
      const std::vector<long> beside = neighbours(wave[k]);
      for (std::size_t n = 0; n < beside.size(); ++n) {
        if (cell(beside[n]).reached) continue;
        const auto [entry, fresh] = known.try_emplace(beside[n], tries.size());
        if (fresh) tries.push_back({beside[n], {}});
        tries[entry->second].from.emplace_back(k, n);
      }
    }
    return tries;
  }

  // Cells that close become the next wave, in the order in which a flood cell by cell would meet them.
  bool next_wave(std::vector<long>& wave) {
    const std::vector<Try> tries = tries_beside(wave);
    CellTable table;
    const auto try_one = [&](PoseCloser& closer, long index, std::span<double> row) {
      const Try& one = tries[static_cast<std::size_t>(index)];
      for (std::size_t j = 0; j < one.from.size() && row[0] == 0; ++j)
        fill(closer, one.cell, cell(wave[one.from[j].first]).state, static_cast<double>(j + 1), row);
    };
    if (!compute(static_cast<long>(tries.size()), try_one, table)) return false;
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, long>> found;
    for (std::size_t k = 0; k < tries.size(); ++k) {
      const auto row = table.row(static_cast<long>(k));
      if (row[0] == 0) continue;
      take(tries[k].cell, row);
      found.emplace_back(tries[k].from[static_cast<std::size_t>(row[0]) - 1], tries[k].cell);
    }
    std::sort(found.begin(), found.end());
    wave.clear();
    for (const auto& [from, k] : found) wave.push_back(k);
    return true;
  }

  bool flood_beside_start() {
    for (const State& state : closers_.take()->beside(machine_->prepared.start))
      if (!flood_from(state)) return false;
    return true;
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
    for (std::size_t i = 0; i < at.size(); ++i) square += std::pow(at[i] - machine_->at_start[i], 2);
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
  bool vanishes_I(const PoseMeasures& m) const { return std::abs(m.det_I) <= zero_I_ || m.sigma_I < as_good_as_zero; }
  bool vanishes_II(const PoseMeasures& m) const {
    return std::abs(m.det_II) <= zero_II_ || m.sigma_II < as_good_as_zero;
  }

  // A singular pose of the grid itself (b < 0), or something to be located on the way from a to b: the zero of a
  // determinant, or the edge of the reach.
  struct Crossing {
    long a, b;
    CurvePoint::Kind kind;
  };
  void find_crossings() {
    for (long k = 0; k < static_cast<long>(result_.cells.size()); ++k) {
      look_at(k);
      for (long next : {right_of(k), above(k)})
        if (next >= 0) look_between(k, next);
    }
  }

  void look_at(long k) {
    if (!cell(k).reached) return;
    const PoseMeasures& m = cell(k).measures;
    if (m.sigma < rank_tolerance || (zero_II_ > 0 && vanishes_II(m)))
      crossings_.push_back({k, -1, CurvePoint::Kind::type_II});
    else if (zero_I_ > 0 && vanishes_I(m))
      crossings_.push_back({k, -1, CurvePoint::Kind::type_I});
  }

  void look_between(long a, long b) {
    if (cell(a).reached && cell(b).reached) {
      const PoseMeasures &m = cell(a).measures, &n = cell(b).measures;
      if (m.det_II * n.det_II < 0 && !vanishes_II(m) && !vanishes_II(n))
        crossings_.push_back({a, b, CurvePoint::Kind::type_II});
      if (m.det_I * n.det_I < 0 && !vanishes_I(m) && !vanishes_I(n))
        crossings_.push_back({a, b, CurvePoint::Kind::type_I});
    } else if (cell(a).reached != cell(b).reached) {
      crossings_.push_back({cell(a).reached ? a : b, cell(a).reached ? b : a, CurvePoint::Kind::reach});
    }
  }

  bool locate_crossings() {
    std::vector<Crossing> between;
    for (const Crossing& crossing : crossings_)
      if (crossing.b >= 0) between.push_back(crossing);
    CellTable table;
    const auto locate = [&](PoseCloser& closer, long index, std::span<double> row) {
      const Crossing& one = between[static_cast<std::size_t>(index)];
      one.kind == CurvePoint::Kind::reach ? find_edge(closer, one, row) : find_zero(closer, one, row);
    };
    if (!compute(static_cast<long>(between.size()), locate, table)) return false;
    closer_ = closers_.take();
    words_ = std::make_unique<MotionWords>(machine_->model, machine_->prepared.system->equations());
    long next = 0;
    for (const Crossing& crossing : crossings_) {
      if (crossing.b < 0) {
        add_point(place(crossing.a), cell(crossing.a).state, crossing.kind);
        continue;
      }
      const auto row = table.row(next++);
      if (row[0] == 0) continue;
      std::vector<double> at{row[1]};
      if (options_.over.size() > 1) at.push_back(row[2]);
      add_point(std::move(at), read_state(row, machine_->prepared.start), crossing.kind);
    }
    return true;
  }

  static std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double s) {
    std::vector<double> at;
    for (std::size_t i = 0; i < a.size(); ++i) at.push_back(a[i] + s * (b[i] - a[i]));
    return at;
  }

  static void write_point(const std::vector<double>& at, const State& state, std::span<double> row) {
    row[0] = 1;
    std::copy(at.begin(), at.end(), row.begin() + 1);
    write_state(state, row);
  }

  void find_zero(PoseCloser& closer, const Crossing& crossing, std::span<double> row) {
    const auto begin = place(crossing.a), end = place(crossing.b);
    double PoseMeasures::*const det =
        crossing.kind == CurvePoint::Kind::type_I ? &PoseMeasures::det_I : &PoseMeasures::det_II;
    const WorkspaceCell& from = cell(crossing.a);
    State state = from.state, last = state;
    double low = 0, high = 1, value = from.measures.*det;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (low + high);
      if (!closer.close(between(begin, end, middle), state, last)) return;
      value = closer.measure(last).*det;
      if (value * (from.measures.*det) > 0)
        low = middle, state = last;
      else
        high = middle;
    }
    if (!(std::abs(value) < jump * std::abs(from.measures.*det))) return;  // another branch, not a zero
    write_point(between(begin, end, 0.5 * (low + high)), last, row);
  }

  void find_edge(PoseCloser& closer, const Crossing& crossing, std::span<double> row) {
    const auto begin = place(crossing.a), end = place(crossing.b);
    State state = cell(crossing.a).state, last = state;
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (low + high);
      if (closer.close(between(begin, end, middle), state, last))
        low = middle, state = last;
      else
        high = middle;
    }
    write_point(between(begin, end, low), state, row);
  }

  void add_point(std::vector<double> at, const State& state, CurvePoint::Kind kind) {
    const PoseMeasures measures = closer_->measure(state);
    if (kind == CurvePoint::Kind::reach && measures.sigma_I < small_at_edge) kind = CurvePoint::Kind::type_I;
    if (measures.sigma < near_singular) kind = CurvePoint::Kind::rank_drop;
    CurvePoint point{std::move(at), kind, ""};
    if (kind != CurvePoint::Kind::reach) {
      const bool is_I = kind == CurvePoint::Kind::type_I;
      const auto null =
          closer_->null_direction(state, is_I                                ? SingularityKind::type_I
                                         : kind == CurvePoint::Kind::type_II ? SingularityKind::type_II
                                                                             : SingularityKind::rank_drop);
      point.words = words_->describe(state, null.v, is_I ? result_.frame.output : result_.frame.active);
    }
    result_.curve.push_back(std::move(point));
  }

  const WorkspaceOptions& options_;
  std::shared_ptr<const PoseMachine> machine_;
  Closers closers_;
  std::shared_ptr<PoseCloser> closer_;  // of this thread, for the words
  std::unique_ptr<MotionWords> words_;
  std::vector<long> order_;  // cells, the nearest to the start first
  std::vector<Crossing> crossings_;
  long next_ = 0;  // cell of the job
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

std::shared_ptr<const PoseMachine> workspace_machine(const Model& model, const WorkspaceOptions& options) {
  PoseRequest request{{}, options.hold, options.active, options.output};
  for (const PoseAxis& axis : options.over) request.over.push_back(axis.name);
  return pose_machine(model, request);
}

int workspace_width(const PoseMachine& machine) { return measures_width + state_width(machine.prepared.start); }

WorkspaceMap workspace_map(std::shared_ptr<const PoseMachine> machine, const WorkspaceOptions& options) {
  return Mapping(std::move(machine), options).run();
}

WorkspaceMap workspace_map(const Model& model, const WorkspaceOptions& options) {
  return workspace_map(workspace_machine(model, options), options);
}

}  // namespace armature
