#include "analysis/singular_motion.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/singular_words.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature {

namespace {

const char* const event_I = "singularity I";
const char* const event_II = "singularity II";

// A located zero lies within the integrator's error of the pose: the rank is judged by what counts as nearly singular.
constexpr double rank_is_lost = near_singular;
constexpr double same_time = 1e-6;  // s, between zeros of both determinants where Phi loses rank

Prepared with_events(Prepared prepared, const SingularityFrame& frame, bool& located) {
  auto e = std::make_shared<Equations>(prepared.system->equations());
  const auto follow = [&](const char* name, const std::vector<Expression>& rates) {
    const auto value = singularity_determinant(*prepared.system, rates);
    if (!value || value->is_constant() || rates.empty()) return false;
    e->events.push_back({name, *value});
    return true;
  };
  const bool II = follow(event_II, frame.active_rates), I = follow(event_I, frame.output_rates);
  located = I || II;
  prepared.system = std::make_shared<const System>(e, prepared.system->options());
  return prepared;
}

class Describing {
 public:
  Describing(const Model& marked, const Prepared& prepared, SingularMotion& result)
      : e_(prepared.system->equations()),
        pose_(prepared.system, result.frame),
        words_(marked, e_),
        state_(prepared.start),
        result_(result) {}

  void add_rows(const MemoryRecorder& record) {
    for (int row = 0; row < record.rows(); ++row) {
      const auto values = record.row_at(row);
      state_.t = values[0];
      for (Eigen::Index i = 0; i < state_.x.size(); ++i) state_.x[i] = values[static_cast<std::size_t>(i) + 1];
      add_measures();
    }
  }

  void add_event(const RunEvent& event) {
    const bool is_I = event.what.starts_with(std::string(event_I) + " ");
    if (!is_I && !event.what.starts_with(event_II)) return;
    state_.t = event.t, state_.x = event.x;
    SingularEvent found;
    found.t = event.t;
    found.rising = event.what.ends_with("rising");
    found.measures = pose_.measure(state_);
    found.kind = found.measures.sigma < rank_is_lost ? SingularityKind::rank_drop
                 : is_I                              ? SingularityKind::type_I
                                                     : SingularityKind::type_II;
    if (found.kind == SingularityKind::rank_drop && seen(found)) return;
    describe(found);
    result_.events.push_back(std::move(found));
  }

 private:
  bool seen(const SingularEvent& found) const {
    return std::any_of(result_.events.begin(), result_.events.end(), [&](const SingularEvent& other) {
      return other.kind == found.kind && std::abs(other.t - found.t) < same_time;
    });
  }

  void add_measures() {
    const PoseMeasures measures = pose_.measure(state_);
    PoseMeasures& least = result_.smallest;
    if (result_.t.empty()) least = measures;
    if (measures.sigma <= least.sigma) result_.t_sigma = state_.t;
    least.sigma = std::min(least.sigma, measures.sigma), least.rank = std::min(least.rank, measures.rank);
    least.sigma_I = std::min(least.sigma_I, measures.sigma_I);
    least.sigma_II = std::min(least.sigma_II, measures.sigma_II);
    result_.t.push_back(state_.t);
    result_.measures.push_back(measures);
  }

  void describe(SingularEvent& event) {
    const auto null = pose_.null_direction(state_, event.kind);
    const bool is_I = event.kind == SingularityKind::type_I;
    event.coordinates = words_.moving_coordinates(null.v);
    event.loops = involved_loops(e_, pose_.rows(), null.rows);
    event.words = words_.describe(state_, null.v, is_I ? result_.frame.output : result_.frame.active);
  }

  const Equations& e_;
  SingularPose pose_;
  MotionWords words_;
  State state_;
  SingularMotion& result_;
};

}  // namespace

SingularMotion singular_motion(const Model& model, const std::vector<std::string>& active,
                               const std::vector<std::string>& output, const Progress& progress) {
  const Model marked = with_body_markers(model);
  Prepared prepared = compile(marked);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw std::runtime_error(prepared.failure);
  SingularMotion result;
  result.frame = singularity_frame(model, prepared, active, output);
  prepared = with_events(std::move(prepared), result.frame, result.located);
  MemoryRecorder record;
  result.outcome = simulate(prepared, record, progress);
  Describing describing(marked, prepared, result);
  describing.add_rows(record);
  for (const RunEvent& event : result.outcome.events) describing.add_event(event);
  return result;
}

}  // namespace armature
