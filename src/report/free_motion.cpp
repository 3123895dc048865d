#include "report/free_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/request_error.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {
namespace {

constexpr double near_singular = 0.02;  // of the smallest singular value, a number from 0 to 1
constexpr double small_step = 1e-3;     // of the size of the coordinates; arrows show only its direction

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

FreeMotion::FreeMotion(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels)
    : prepared_(prepared), frame_(singularity_frame(model, prepared, {}, {})), pose_(prepared.system, frame_) {
  for (const auto& position : prepared.system->equations().positions) {
    const auto found = std::ranges::find(channels, position.name, &Channel::name);
    columns_.push_back(found == channels.end() ? -1 : static_cast<int>(found - channels.begin()));
  }
  for (const SingularityKind kind : {SingularityKind::type_II, SingularityKind::type_I})
    if (frame_.follows(kind)) kinds_.push_back(kind);
}

// Positions of the row, at rest. What it does not have is as at the start.
State FreeMotion::state_of(std::span<const double> row) const {
  State state = prepared_.start;
  const Layout& layout = prepared_.system->layout();
  state.t = row[0];
  state.x.segment(layout.nq, layout.nv).setZero();
  for (int i = 0; i < layout.nq; ++i)
    if (columns_[at(i)] >= 0 && std::isfinite(row[at(columns_[at(i)])])) state.x[i] = row[at(columns_[at(i)])];
  return state;
}

double FreeMotion::distance(std::span<const double> row) {
  const PoseMeasures measures = pose_.measure(state_of(row));
  double least = frame_.loops ? measures.sigma_of(SingularityKind::rank_drop) : 1;
  if (!frame_.chosen_by_pivoting)
    for (const SingularityKind kind : kinds_) least = std::min(least, measures.sigma_of(kind));
  return least;
}

std::vector<double> FreeMotion::moved(std::span<const double> row) {
  State state = state_of(row);
  const PoseMeasures measures = pose_.measure(state);
  kind_ = SingularityKind::rank_drop;
  for (const SingularityKind kind : kinds_)
    if (measures.sigma_of(kind) < measures.sigma_of(kind_)) kind_ = kind;
  measure_ = measures.sigma_of(kind_);
  if (!(measure_ < near_singular)) return {};
  const Layout& layout = prepared_.system->layout();
  state.x.segment(layout.nq, layout.nv) = pose_.null_direction(state, kind_).v;
  SystemEvaluator& evaluator = pose_.evaluator();
  evaluator.set(state);
  Terms terms = evaluator.make_terms();
  evaluator.motion(terms);
  std::vector<double> further(row.begin(), row.end());
  const double largest = terms.qdot.cwiseAbs().maxCoeff();
  for (int i = 0; i < layout.nq && largest > 0; ++i)
    if (columns_[at(i)] >= 0) further[at(columns_[at(i)])] += small_step / largest * terms.qdot[i];
  return further;
}

namespace plot {

std::vector<double> freely_moved(const Model& model, const MotionRows& rows, double t) {
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  FreeMotion motion(model, prepared, rows.channels());
  std::vector<double> moved = motion.moved(rows.row_at(t));
  if (moved.empty())
    throw ComputationError(
        fmt::format("the pose at t = {:g} s is not singular: its smallest singular value is {:.3g}; 'armature "
                    "singularities' finds the times of singular poses",
                    t, motion.measure()));
  return moved;
}

}  // namespace plot
}  // namespace armature::internal
