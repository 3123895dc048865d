#include "singular/workspace_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "singular/pose_jobs.hpp"
#include "singular/workspace_curves.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t first_tries = 50;  // cells, the nearest to the start first
constexpr int head = 9;                  // numbers of a cell before its state

// A cell in numbers: how it was found (0: not at all, -1: undecided), its measures, whether branches meet there, the axis of
// the tangent, then the state and the tangent.
int state_width(const State& state) { return static_cast<int>(state.x.size() + state.d.size() + state.w.size()); }

void write_cell(const WorkspaceCell& cell, std::span<double> row) {
  const PoseMeasures& m = cell.measures;
  const double numbers[] = {0,        double(m.rank),       m.sigma,          m.sigma_I, m.sigma_II, m.det_I,
                            m.det_II, double(cell.meeting), double(cell.axis)};
  std::copy(std::begin(numbers) + 1, std::end(numbers), row.begin() + 1);
  double* next = row.data() + head;
  for (const Eigen::VectorXd* part : {&cell.state.x, &cell.state.d, &cell.state.w, &cell.tangent})
    next = std::copy(part->data(), part->data() + part->size(), next);
}

WorkspaceCell read_cell(std::span<const double> row, const State& like, Eigen::Index nv) {
  WorkspaceCell cell{true,
                     false,
                     {static_cast<int>(row[1]), row[2], row[3], row[4], row[5], row[6]},
                     like,
                     row[7] != 0,
                     static_cast<int>(row[8]),
                     Eigen::VectorXd(nv)};
  const double* next = row.data() + head;
  for (Eigen::VectorXd* part : {&cell.state.x, &cell.state.d, &cell.state.w, &cell.tangent}) {
    std::copy(next, next + part->size(), part->data());
    next += part->size();
  }
  return cell;
}

class Mapping {
 public:
  Mapping(std::shared_ptr<const PoseMachine> machine, const WorkspaceOptions& options)
      : machine_(std::move(machine)),
        grid_(options.over, machine_->held),
        jobs_(
            *machine_, workspace_width(*machine_),
            options.cells ? options.cells : [&options](const CellJob& job, long) {
              return run_cells(job, {.threads = options.threads});
            }) {
    result_.over = options.over;
    result_.frame = machine_->frame;
    result_.cells.resize(static_cast<std::size_t>(grid_.size()));
    result_.closings = grid_.size();
  }

  WorkspaceMap run() {
    const State& start = machine_->prepared.start;
    note_meeting();
    result_.complete = flood_from(start, Closing::along_branches) && flood_beside_start() &&
                       (result_.reached > 0 || flood_from(start, Closing::anew));
    if (result_.reached > 0 && result_.complete)
      result_.complete = WorkspaceCurves(*machine_, grid_, jobs_, result_).find();
    for (const WorkspaceCell& cell : result_.cells) result_.undecided += cell.undecided && !cell.reached;
    result_.closings = std::max(result_.closings, jobs_.done());
    return std::move(result_);
  }

 private:
  WorkspaceCell& cell(long k) { return result_.cells[static_cast<std::size_t>(k)]; }

  // The end of the branch that the closer has followed, come upon along an axis (-1: along none).
  static void fill(PoseCloser& closer, int axis, double way, double found, std::span<double> row) {
    WorkspaceCell cell;
    PoseBranch& branch = closer.branch();
    if (!branch.at(1, cell.state)) return;
    cell.measures = closer.measure(cell.state);
    cell.meeting = branch.is_meeting(cell.state);
    cell.axis = axis;
    cell.tangent = branch.tangent_at(1);
    if (axis >= 0) cell.tangent /= way;
    row[0] = found;
    write_cell(cell, row);
  }

  void take(long k, std::span<const double> row) {
    cell(k) = read_cell(row, machine_->prepared.start,
                        static_cast<Eigen::Index>(machine_->prepared.system->equations().v.size()));
    ++result_.reached;
  }

  // From a state to the nearest cell that it leads to and that has not been reached, then from neighbor to neighbor.
  enum class Closing { along_branches, anew };  // anew: as at any start, where no branch leads into the grid
  bool flood_from(const State& from, Closing closing) {
    const Place here = place_of(*machine_, from);
    // Cells near the pose are tried, the nearest first, until one closes.
    const std::vector<long> tries = nearest(here);
    if (tries.empty()) return true;
    CellTable table;
    const auto first = [&](PoseCloser& closer, long, std::span<double> row) {
      for (std::size_t k = 0; k < tries.size() && row[0] == 0; ++k)
        if (closing == Closing::anew)
          assemble(closer, tries[k], from, static_cast<double>(k + 1), row);
        else if (closer.branch().follow(here, grid_.place(tries[k]), from) == BranchEnd::reached)
          fill(closer, -1, 1, static_cast<double>(k + 1), row);
    };
    if (!jobs_.compute(1, first, table)) return false;
    const auto found = static_cast<std::size_t>(table.row(0)[0]);
    if (found == 0) return true;
    take(tries[found - 1], table.row(0));
    if (closing == Closing::anew) note_assembly(tries[found - 1]);
    // From there the flood goes on in waves, until one reaches no new cell.
    std::vector<long> wave{tries[found - 1]};
    while (!wave.empty())
      if (!next_wave(wave)) return false;
    return true;
  }

  // Cells that are not reached, the nearest first.
  std::vector<long> nearest(const Place& here) {
    std::vector<std::pair<double, long>> distances;
    for (long k = 0; k < grid_.size(); ++k)
      if (!cell(k).reached) distances.emplace_back(grid_.distance(k, here), k);
    const auto count = std::min(first_tries, distances.size());
    std::partial_sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(count), distances.end());
    std::vector<long> order;
    for (std::size_t k = 0; k < count; ++k) order.push_back(distances[k].second);
    return order;
  }

  // Where no line leads from the start into the grid, its loops are closed as at any start.
  void assemble(PoseCloser& closer, long k, const State& from, double found, std::span<double> row) {
    State state;
    if (!closer.assemble_at(grid_.place(k), from, state)) return;
    if (closer.branch().follow(grid_.place(k), grid_.place(k), state) != BranchEnd::reached) return;
    fill(closer, -1, 1, found, row);
  }

  void note_assembly(long k) {
    Place at = grid_.place(k);
    at.resize(grid_.dimensions());
    result_.frame.notes.push_back(fmt::format(
        "no branch leads from the start into the grid: the map shows the one on which the loops close at ({:.6g})",
        fmt::join(at, ", ")));
  }

  void note_meeting() {
    if (jobs_.take()->branch().is_meeting(machine_->prepared.start))
      result_.frame.notes.emplace_back("branches meet at the start: the map shows one of them");
  }

  // A cell next to the wave, and from where it is tried: place in the wave, which neighbor.
  struct Try {
    long cell;
    std::vector<std::pair<std::size_t, std::size_t>> from;
  };
  std::vector<Try> tries_beside(const std::vector<long>& wave) {
    std::vector<Try> tries;
    std::map<long, std::size_t> known;
    for (std::size_t k = 0; k < wave.size(); ++k) {
      const std::vector<long> beside = grid_.neighbors(wave[k]);
      for (std::size_t n = 0; n < beside.size(); ++n) {
        if (cell(beside[n]).reached) continue;
        const auto [entry, fresh] = known.try_emplace(beside[n], tries.size());
        if (fresh) tries.push_back({beside[n], {}});
        tries[entry->second].from.emplace_back(k, n);
      }
    }
    return tries;
  }

  void try_cell(PoseCloser& closer, const Try& one, const std::vector<long>& wave, std::span<double> row) {
    bool undecided = false;
    for (std::size_t j = 0; j < one.from.size() && row[0] == 0; ++j) {
      const long from = wave[one.from[j].first];
      const BranchEnd end = follow_between(closer.branch(), grid_, result_.cells, from, one.cell);
      const int axis = grid_.axis_between(from, one.cell);
      const auto along = static_cast<std::size_t>(axis);
      if (end == BranchEnd::reached)
        fill(closer, axis, grid_.place(one.cell)[along] - grid_.place(from)[along], static_cast<double>(j + 1), row);
      undecided = undecided || end == BranchEnd::undecided;
    }
    if (row[0] == 0 && undecided) row[0] = -1;
  }

  // Cells that are reached become the next wave, in the order in which a flood cell by cell would meet them.
  bool next_wave(std::vector<long>& wave) {
    // All cells beside the wave at once; each is reached from the first neighbor from which it closes.
    const std::vector<Try> tries = tries_beside(wave);
    CellTable table;
    const auto one = [&](PoseCloser& closer, long index, std::span<double> row) {
      try_cell(closer, tries[static_cast<std::size_t>(index)], wave, row);
    };
    if (!jobs_.compute(static_cast<long>(tries.size()), one, table)) return false;
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, long>> found;
    for (std::size_t k = 0; k < tries.size(); ++k) {
      const auto row = table.row(static_cast<long>(k));
      if (row[0] < 0) cell(tries[k].cell).undecided = true;
      if (row[0] <= 0) continue;
      take(tries[k].cell, row);
      found.emplace_back(tries[k].from[static_cast<std::size_t>(row[0]) - 1], tries[k].cell);
    }
    std::sort(found.begin(), found.end());
    wave.clear();
    for (const auto& [from, k] : found) wave.push_back(k);
    return true;
  }

  bool flood_beside_start() {
    for (const State& state : jobs_.take()->beside(machine_->prepared.start))
      if (!flood_from(state, Closing::along_branches)) return false;
    return true;
  }

  std::shared_ptr<const PoseMachine> machine_;
  PoseGrid grid_;
  PoseJobs jobs_;
  WorkspaceMap result_;
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

int workspace_width(const PoseMachine& machine) {
  constexpr int least = 1 + 2 * 16;  // so many zeros of a line have room
  return std::max(least, head + state_width(machine.prepared.start) + machine.prepared.system->layout().nv);
}

WorkspaceMap workspace_map(std::shared_ptr<const PoseMachine> machine, const WorkspaceOptions& options) {
  return Mapping(std::move(machine), options).run();
}

WorkspaceMap workspace_map(const Model& model, const WorkspaceOptions& options) {
  return workspace_map(workspace_machine(model, options), options);
}

}  // namespace armature::internal
