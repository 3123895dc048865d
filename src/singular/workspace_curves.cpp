#include "singular/workspace_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

constexpr double vanishing = 1e-11;   // of the largest determinant of the map: round-off
constexpr double nearly_zero = 1e-7;  // singular value: a singular pose is closed to the root of the round-off only
constexpr double same_pose = 1e-6;    // of a line: zeros of several measures
constexpr double same_drop = 1e-3;    // of a line: zeros beside a rank drop
constexpr double same_cell = 1e-2;    // of a line: a zero beside a cell that is listed itself

CurvePoint::Kind curve_kind(SingularityKind kind) {
  switch (kind) {
    case SingularityKind::type_I: return CurvePoint::Kind::type_I;
    case SingularityKind::type_II: return CurvePoint::Kind::type_II;
    default: return CurvePoint::Kind::rank_drop;
  }
}

SingularityKind singularity(CurvePoint::Kind kind) {
  switch (kind) {
    case CurvePoint::Kind::type_I: return SingularityKind::type_I;
    case CurvePoint::Kind::type_II: return SingularityKind::type_II;
    default: return SingularityKind::rank_drop;
  }
}

}  // namespace

BranchEnd follow_between(PoseBranch& branch, const PoseGrid& grid, const std::vector<WorkspaceCell>& cells, long from,
                         long to) {
  const WorkspaceCell& cell = cells[static_cast<std::size_t>(from)];
  const Place a = grid.place(from), b = grid.place(to);
  if (!cell.meeting) return branch.follow(a, b, cell.state);
  const int axis = grid.axis_between(from, to);
  if (axis != cell.axis) return BranchEnd::undecided;
  const double way = b[static_cast<std::size_t>(axis)] - a[static_cast<std::size_t>(axis)];
  return branch.follow(a, b, cell.state, way * cell.tangent);
}

WorkspaceCurves::WorkspaceCurves(const PoseMachine& machine, const PoseGrid& grid, PoseJobs& jobs, WorkspaceMap& map)
    : machine_(machine),
      grid_(grid),
      jobs_(jobs),
      map_(map),
      closer_(jobs.take()),
      words_(machine.model, machine.prepared.system->equations()) {}

bool WorkspaceCurves::find() {
  find_sizes();
  // marks on each line between neighboring cells, by all threads; a row holds their number, then place and kind
  const std::vector<Line> all = lines();
  CellTable table;
  const auto look = [&](PoseCloser& closer, long index, std::span<double> row) {
    const std::vector<Mark> found = marks(closer, all[static_cast<std::size_t>(index)]);
    const std::size_t count = std::min(found.size(), (row.size() - 1) / 2);
    row[0] = static_cast<double>(found.size());
    for (std::size_t k = 0; k < count; ++k)
      row[1 + 2 * k] = found[k].s, row[2 + 2 * k] = static_cast<double>(found[k].kind);
  };
  if (!jobs_.compute(static_cast<long>(all.size()), look, table)) return false;
  // points in the order of the cells, whichever thread found them
  std::size_t next = 0;
  for (long k = 0; k < grid_.size(); ++k) {
    if (const auto kind = kind_of_cell(k)) add_point(grid_.place(k), cell(k).state, *kind);
    for (; next < all.size() && std::min(all[next].from, all[next].to) == k; ++next)
      add_line(all[next], table.row(static_cast<long>(next)));
  }
  return true;
}

// In the order of their lower cells. From a cell where branches meet the line is looked at from its other end.
std::vector<WorkspaceCurves::Line> WorkspaceCurves::lines() const {
  std::vector<Line> list;
  for (long k = 0; k < grid_.size(); ++k)
    for (const long next : {grid_.right_of(k), grid_.above(k)}) {
      if (next < 0) continue;
      const bool here = cell(k).reached, there = cell(next).reached;
      if (here && there)
        list.push_back(cell(k).meeting ? Line{next, k, false} : Line{k, next, false});
      else if (here || there)
        list.push_back(here ? Line{k, next, true} : Line{next, k, true});
    }
  return list;
}

// Determinants below round-off of the largest are zero, whatever their sign.
void WorkspaceCurves::find_sizes() {
  for (const WorkspaceCell& cell : map_.cells) {
    if (!cell.reached) continue;
    zero_I_ = std::max(zero_I_, vanishing * std::abs(cell.measures.det_I));
    zero_II_ = std::max(zero_II_, vanishing * std::abs(cell.measures.det_II));
  }
}

std::optional<CurvePoint::Kind> WorkspaceCurves::kind_of_cell(long k) const {
  if (!cell(k).reached) return std::nullopt;
  const PoseMeasures& m = cell(k).measures;
  const auto vanishes = [&](SingularityKind kind, double zero) {
    return map_.frame.follows(kind) && (std::abs(m.det_of(kind)) <= zero || m.sigma_of(kind) < nearly_zero);
  };
  if (map_.frame.loops && m.sigma < Regularity::singular) return Kind::rank_drop;
  if (vanishes(SingularityKind::type_II, zero_II_)) return Kind::type_II;
  if (vanishes(SingularityKind::type_I, zero_I_)) return Kind::type_I;
  return std::nullopt;
}

std::vector<WorkspaceCurves::Mark> WorkspaceCurves::marks(PoseCloser& closer, const Line& line) const {
  const BranchEnd end = follow_between(closer.branch(), grid_, map_.cells, line.from, line.to);
  // a line with one end out of reach: the edge of the workspace lies on it
  if (line.edge) {
    if (end == BranchEnd::reached) return {};
    if (end == BranchEnd::turned) closer.branch().follow_to_edge();
    const BranchKnot& last = closer.branch().knots().back();
    if (end == BranchEnd::undecided && !(closer.measure(last.state).sigma < Regularity::singular)) return {};
    return {{last.s, Kind::reach, 1}};
  }
  if (end != BranchEnd::reached || !closer.branch().ends_at(cell(line.to).state)) return {};  // another branch
  return zeros(closer, line);
}

std::vector<WorkspaceCurves::Mark> WorkspaceCurves::zeros(PoseCloser& closer, const Line& line) const {
  const auto path = [&](double s, State& state) { return closer.branch().at(s, state); };
  const std::vector<BranchKnot>& knots = closer.branch().knots();
  std::vector<Mark> list;
  PieceJoin pieces;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    std::vector<PathZero> found = closer.search().find(path, knots[k - 1].s, std::min(1.0, knots[k].s));
    pieces.join(found);
    for (const PathZero& zero : found)
      if (zero.place == PathZero::Place::inside) add_mark(line, zero, list);
  }
  return list;
}

// A rank drop is a zero of all measures: what is found beside it is the same pose.
void WorkspaceCurves::add_mark(const Line& line, const PathZero& zero, std::vector<Mark>& list) const {
  const auto kind = zero.measures.sigma < Regularity::singular ? Kind::rank_drop : curve_kind(zero.kind);
  const Mark mark{zero.s, kind, zero.measures.sigma};
  if (near_marked_end(line, mark)) return;
  for (Mark& other : list) {
    const bool drops = other.kind == Kind::rank_drop || mark.kind == Kind::rank_drop;
    if (std::abs(other.s - mark.s) > (drops ? same_drop : same_pose) || (!drops && other.kind != mark.kind)) continue;
    if (drops && mark.sigma < other.sigma) other = mark;
    return;
  }
  list.push_back(mark);
}

bool WorkspaceCurves::near_marked_end(const Line& line, const Mark& mark) const {
  return (mark.s < same_cell && kind_of_cell(line.from) == mark.kind) ||
         (mark.s > 1 - same_cell && kind_of_cell(line.to) == mark.kind);
}

void WorkspaceCurves::add_line(const Line& line, std::span<const double> row) {
  if (row[0] == 0) return;
  if (follow_between(closer_->branch(), grid_, map_.cells, line.from, line.to) == BranchEnd::turned)
    closer_->branch().follow_to_edge();
  const Place a = grid_.place(line.from), b = grid_.place(line.to);
  const auto found = static_cast<std::size_t>(row[0]), room = (row.size() - 1) / 2;
  if (found > room) note_crowd(room);
  for (std::size_t k = 0; k < std::min(found, room); ++k) {
    const double s = row[1 + 2 * k];
    State state;
    if (!closer_->branch().at(s, state)) continue;
    Place at;
    for (std::size_t i = 0; i < a.size(); ++i) at.push_back(a[i] + s * (b[i] - a[i]));
    add_point(std::move(at), state, static_cast<Kind>(static_cast<int>(row[2 + 2 * k])));
  }
}

void WorkspaceCurves::note_crowd(std::size_t room) {
  const std::string note =
      fmt::format("only the first {} singular poses between two neighboring nodes are listed: use a finer grid", room);
  std::vector<std::string>& notes = map_.frame.notes;
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

// By the measure that vanishes there.
CurvePoint::Kind WorkspaceCurves::kind_of_edge(const PoseMeasures& measures) const {
  Kind kind = Kind::reach;
  double least = Regularity::near;  // the edge of the reach is singular
  for (const auto type : {SingularityKind::type_I, SingularityKind::type_II})
    if (map_.frame.follows(type) && measures.sigma_of(type) < least)
      least = measures.sigma_of(type), kind = curve_kind(type);
  return kind;
}

void WorkspaceCurves::add_point(Place at, const State& state, Kind kind) {
  at.resize(grid_.dimensions());
  const PoseMeasures measures = closer_->measure(state);
  if (kind == Kind::reach) kind = kind_of_edge(measures);
  if (map_.frame.loops && measures.sigma < Regularity::singular) kind = Kind::rank_drop;
  CurvePoint point{std::move(at), kind, ""};
  if (kind != Kind::reach) {
    const auto null = closer_->null_direction(state, singularity(kind));
    const auto& standing = kind == Kind::type_I ? map_.frame.output : map_.frame.active;
    point.words = words_.describe(state, null.v, standing);
  }
  map_.curve.push_back(std::move(point));
}

}  // namespace armature::internal
