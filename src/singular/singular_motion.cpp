#include "singular/singular_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "expression/interruption.hpp"
#include "linear/kinetic_rows.hpp"
#include "mechanics/rolling.hpp"
#include "model/request_error.hpp"
#include "observe/observer.hpp"
#include "observe/recorded_rows.hpp"
#include "singular/singular_search.hpp"
#include "singular/singular_words.hpp"

namespace armature::internal {

namespace {

constexpr double risen = 2 * Regularity::singular;  // singular value from which on the next zero is another one
constexpr double as_good_as_zero = 1e-7;            // singular value at which the motion is still singular
constexpr int measure_count = 3;

// Singular values of matrices with so many rows and columns, a nanosecond each.
long operations_of_measures(const Layout& layout) {
  const long n = layout.nv + layout.m;
  return 1000 + 20 * n * n * n;
}

// Writes rows and looks for singular poses in every step.
class SingularWatcher final : public StepWatcher {
 public:
  SingularWatcher(const Model& marked, const Prepared& prepared, SingularMotion& result)
      : e_(prepared.system->equations()),
        pose_operations_(operations_of_measures(prepared.system->layout())),
        rows_(prepared, record_, Observer::Thread::run, Observation::Lists::none),
        pose_(prepared.system, result.frame),
        search_(pose_, result.frame),
        words_(marked, e_),
        state_(prepared.start),
        record_interval_(prepared.options.record),
        result_(result) {
    highest_.fill(std::numeric_limits<double>::infinity());
    last_.fill(-1);
    result_.smallest = pose_.measure(state_);
    result_.t_sigma = state_.t;
  }

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    dynamics_ = &dynamics;
    state_ = start;
    rows_.begin(dynamics, integrator, start);
  }

  bool step(const Integrator& integrator, double until) override {
    rows_.step(integrator, until);
    state_.w = dynamics_->weights();
    const auto path = [&](double t, State& state) {
      state = state_;
      state.t = t;
      integrator.interpolate(t, state.x);
      return t >= integrator.t() || dynamics_->project(t, state.x.data(), nullptr);
    };
    add(search_.find(path, state_.t, until));
    state_.t = until;
    add_rows();
    return true;
  }

  void finish() {
    for (const PathZero& zero : join_.at_end()) add_zero(zero);
    add_rows();
  }

  void restarted() override { rows_.restarted(); }
  void report(Outcome& outcome) override { rows_.report(outcome); }
  bool wants_words() const override { return false; }

 private:
  // Those that have been recorded since the last step.
  void add_rows() {
    State at = state_;
    for (; measured_ < record_.rows() && !interrupted_after(pose_operations_); ++measured_) {
      const auto values = record_.row_at(measured_);
      at.t = values[0];
      at.x = state_of_row(values, e_, at.d);
      result_.t.push_back(at.t);
      result_.measures.push_back(pose_.measure(at));
      lower(at.t, result_.measures.back());
    }
  }

  // Zeros and the places between them, in the order of time.
  void add(std::vector<PathZero> zeros) {
    join_.join(zeros);
    auto zero = zeros.begin();
    for (const PathPoint& place : search_.places()) {
      for (; zero != zeros.end() && zero->s < place.s; ++zero) add_zero(*zero);
      pass(place);
    }
    for (; zero != zeros.end(); ++zero) add_zero(*zero);
  }

  void pass(const PathPoint& place) {
    lower(place.s, place.measures);
    for (int k = 0; k < measure_count; ++k) {
      double& highest = highest_[static_cast<std::size_t>(k)];
      highest = std::max(highest, place.measures.sigma_of(static_cast<SingularityKind>(k)));
      const int last = last_[static_cast<std::size_t>(k)];
      if (last < 0 || highest > as_good_as_zero) continue;
      SingularEvent& event = result_.events[static_cast<std::size_t>(last)];
      if (place.s - event.t > record_interval_) event.until = place.s;
    }
  }

  void lower(double t, const PoseMeasures& measures) {
    PoseMeasures& least = result_.smallest;
    if (measures.sigma < least.sigma) result_.t_sigma = t;
    least.sigma = std::min(least.sigma, measures.sigma), least.rank = std::min(least.rank, measures.rank);
    least.sigma_I = std::min(least.sigma_I, measures.sigma_I);
    least.sigma_II = std::min(least.sigma_II, measures.sigma_II);
  }

  // One pose may be found as zero of several measures, and at the end of one step and the beginning of the next: it is
  // another one only after the measure has risen.
  void add_zero(const PathZero& zero) {
    lower(zero.s, zero.measures);
    const auto kind = zero.measures.sigma < Regularity::singular ? SingularityKind::rank_drop : zero.kind;
    int& last = last_[static_cast<std::size_t>(kind)];
    if (last >= 0 && highest_[static_cast<std::size_t>(kind)] < risen) {
      merge(zero, result_.events[static_cast<std::size_t>(last)]);
      return;
    }
    last = static_cast<int>(result_.events.size());
    highest_[static_cast<std::size_t>(kind)] = 0;
    result_.events.push_back(described(zero, kind));
  }

  // Two crossings so near to each other are a touch, within the integrator's error.
  void merge(const PathZero& zero, SingularEvent& event) {
    if (event.until > event.t) return;
    const bool crosses_back = zero.sign * event.sign < 0 && event.kind != SingularityKind::rank_drop;
    const bool nearer = zero.measures.sigma_of(event.kind) < event.measures.sigma_of(event.kind);
    if (crosses_back)
      event.sign = 0;
    else if ((zero.sign != 0) == (event.sign != 0) ? nearer : zero.sign != 0)
      event = described(zero, event.kind);
  }

  SingularEvent described(const PathZero& zero, SingularityKind kind) {
    const auto null = pose_.null_direction(zero.state, kind);
    const bool is_I = kind == SingularityKind::type_I;
    SingularEvent event{zero.s, zero.s, kind, zero.sign, zero.measures, {}, {}, {}};
    event.coordinates = words_.moving_coordinates(null.v);
    event.loops = involved_loops(e_, pose_.rows(), null.rows);
    event.words = words_.describe(zero.state, null.v, is_I ? result_.frame.output : result_.frame.active);
    return event;
  }

  const Equations& e_;
  MemoryRecorder record_;
  int measured_ = 0;  // rows of it
  long pose_operations_;
  Observer rows_;
  SingularPose pose_;
  SingularSearch search_;
  MotionWords words_;
  State state_;             // where the last step ended: its time, discrete values and outcomes
  double record_interval_;  // a motion that lingers for less is not said to stay
  SingularMotion& result_;
  Dynamics* dynamics_ = nullptr;
  PieceJoin join_;                             // of steps
  std::array<double, measure_count> highest_;  // of each measure since the last event of that kind
  std::array<int, measure_count> last_;        // that event; -1: none
};

}  // namespace

SingularMotion singular_motion(const Model& model, const std::vector<std::string>& active,
                               const std::vector<std::string>& output, const Progress& progress) {
  const Model marked = with_body_markers(model);
  Prepared prepared = compile(marked);
  refuse_velocity_rows(prepared.system->equations(), "singularities");
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  SingularMotion result;
  result.frame = singularity_frame(model, prepared, active, output);
  SingularWatcher watcher(marked, prepared, result);
  result.outcome = follow(prepared, watcher, progress);
  watcher.finish();
  return result;
}

}  // namespace armature::internal
