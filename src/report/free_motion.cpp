#include "report/free_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/request_error.hpp"
#include "prepare/prepare.hpp"
#include "record/stored_state.hpp"
#include "singular/singular_pose.hpp"

namespace armature::internal::plot {
namespace {

constexpr double near_singular = 0.02;  // of the smallest singular value, a number from 0 to 1
constexpr double small_step = 1e-3;     // of the size of the coordinates; arrows show only its direction

// Positions of the row, at rest.
State state_of(const Prepared& prepared, const MotionRows& rows, double t) {
  const Equations& equations = prepared.system->equations();
  StoredState stored = store(prepared.start, equations);
  stored.t = t;
  for (auto& [name, value] : stored.q)
    if (const double recorded = rows.value(name, t); std::isfinite(recorded)) value = recorded;
  return restore(stored, equations);
}

}  // namespace

std::vector<double> freely_moved(const Model& model, const MotionRows& rows, double t) {
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  const State state = state_of(prepared, rows, t);
  const SingularityFrame frame = singularity_frame(model, prepared, {}, {});
  SingularPose pose(prepared.system, frame);
  const PoseMeasures measures = pose.measure(state);
  SingularityKind least = SingularityKind::rank_drop;
  for (const SingularityKind kind : {SingularityKind::type_II, SingularityKind::type_I})
    if (frame.follows(kind) && measures.sigma_of(kind) < measures.sigma_of(least)) least = kind;
  if (!(measures.sigma_of(least) < near_singular))
    throw ComputationError(fmt::format("the pose at t = {:g} s is not singular: its smallest singular value is {:.3g}; 'armature "
                                       "singularities' finds the times of singular poses",
                                       t, measures.sigma_of(least)));
  const Layout& layout = prepared.system->layout();
  State moving = state;
  moving.x.segment(layout.nq, layout.nv) = pose.null_direction(state, least).v;
  SystemEvaluator& evaluator = pose.evaluator();
  evaluator.set(moving);
  Terms terms = evaluator.make_terms();
  evaluator.motion(terms);
  std::vector<double> row = rows.row_at(t);
  const double largest = terms.qdot.cwiseAbs().maxCoeff();
  const auto& positions = prepared.system->equations().positions;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto found = std::ranges::find(rows.channels(), positions[i].name, &Channel::name);
    if (found != rows.channels().end() && largest > 0)
      row[static_cast<std::size_t>(found - rows.channels().begin())] += small_step / largest * terms.qdot[static_cast<Eigen::Index>(i)];
  }
  return row;
}

}  // namespace armature::internal::plot
