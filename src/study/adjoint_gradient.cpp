#include "study/adjoint_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

using Kind = Functional::Kind;
using Shift = AdjointJump::Shift;

constexpr long first_piece = 1;      // of a record: what is sampled at the start stands before it
constexpr double round_off = 1e-12;  // relative: a formula that does not jump at an event
constexpr long all_entries = std::numeric_limits<long>::max();

// Those of the varied tables that the equations look up.
std::vector<int> looked_up(const Study& study) {
  std::vector<int> numbers = study.varied_tables();
  std::erase(numbers, -1);
  return numbers;
}

// The motion once more, up to what is known.
class RecordingWatcher : public StepWatcher {
 public:
  explicit RecordingWatcher(MotionRecord& record) : record_(record) {}
  void begin(Dynamics& dynamics, const Integrator&, const State& start) override { record_.begin(dynamics, start); }
  bool step(const Integrator& integrator, double until) override {
    record_.step(integrator, until);
    return !record_.complete();
  }
  bool wants_words() const override { return false; }
  void changing() override { record_.changing(); }
  void sampling(const Samples& samples) override { record_.sampling(samples); }
  void restarted() override {
    if (record_.begun()) record_.restarted();
  }

 private:
  MotionRecord& record_;
};

}  // namespace

AdjointStudy::AdjointStudy(const Study& of, const MotionSensitivity& motion, const std::vector<Expression>& observed,
                           std::size_t numbers)
    : study(of),
      sweep(of.prepared().system, motion, of.prepared().options.alpha, of.prepared().options.beta, observed,
            looked_up(of)),
      start(of.prepared().system),
      limit(numbers) {}

// Records the motion, and notes what the functionals see of it.
class AdjointRun::Watcher : public MotionWatcher {
 public:
  Watcher(const Study& study, MotionRecord& record)
      : MotionWatcher(study.formulas().functionals(), study.observed(), study.prepared().options.end),
        record_(record),
        values_(study.observed()) {
    in_.resize(static_cast<std::size_t>(study.observed()->input_count()));
    y_before_.resize(std::max(1, study.observed()->output_count()));
    y_after_ = y_before_;
  }

  void set(const Prepared& prepared) {
    set_motion(prepared);
    parameters_ = prepared.parameters;
    record_.set(prepared, all_entries);
  }

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    MotionWatcher::begin(dynamics, integrator, start);
    record_.begin(dynamics, start);
    t_start_ = start.t;
    event_ = -1;
    const Sight here{first_piece, start.t};
    seen_.assign(functionals().size(), {here, here, here, here, here, {}, {}});
  }

  bool step(const Integrator& integrator, double until) override {
    const double from = t();
    if (!(until > from)) return MotionWatcher::step(integrator, until);
    record_.step(integrator, until);
    note();
    const bool go_on = MotionWatcher::step(integrator, until);
    for (std::size_t k = 0; k < seen_.size(); ++k) gather(k, from, until);
    return go_on;
  }

  void changing() override { record_.changing(); }
  void sampling(const Samples& samples) override { record_.sampling(samples); }
  void restarted() override {
    if (!record_.begun() || !record_.restarted()) return;
    event_ = record_.count() - 1;
    const RecordedEvent& event = *record_[event_].event;
    evaluate(event.before, y_before_);
    evaluate(event.after, y_after_);
    for (std::size_t k = 0; k < seen_.size(); ++k) pass_event(k, event.before.t);
  }

  // After the motion. by_functional: one row per formula.
  ResultSeeds seeds(const MatrixXd& by_functional) const {
    ResultSeeds seeds;
    seeds.results = by_functional.rows();
    for (std::size_t k = 0; k < seen_.size(); ++k)
      if (const RowVectorXd weights = by_functional.col(static_cast<Eigen::Index>(k)).transpose(); !weights.isZero())
        add(k, weights, seeds);
    return seeds;
  }

 private:
  // What a functional sees of its formula: it at a time, and some shifts of events.
  struct Sight {
    long piece = -1;  // -1: not at any time
    double t = 0;
    struct OfEvent {
      long event;
      Shift::Kind kind;
      double factor;
    };
    std::vector<OfEvent> shifts = {};

    void add_to(ResultSeeds& seeds, int formula, const RowVectorXd& weights) const {
      if (piece >= 0) seeds.points[piece].push_back({t, formula, weights});
      for (const OfEvent& shift : shifts)
        seeds.shifts[shift.event].push_back({shift.kind, formula, shift.factor * weights});
    }
  };
  struct Seen {
    Sight initial, last, largest, smallest, at, integral, time;
  };
  // What a functional knew before the piece.
  struct Noted {
    double largest, when_largest, smallest, when_smallest, first;
  };

  void note() {
    noted_.clear();
    for (std::size_t k = 0; k < functionals().size(); ++k)
      noted_.push_back({largest(k), when_largest(k), smallest(k), when_smallest(k), first(k)});
  }

  void evaluate(const State& state, VectorXd& y) {
    in_[0] = state.t;
    double* next = in_.data() + 1;
    for (const VectorXd* part : std::initializer_list<const VectorXd*>{&state.x, &state.d, &state.w, &parameters_})
      next = std::copy_n(part->data(), part->size(), next);
    values_(in_.data(), y.data());
  }

  // Where an extreme stands at the beginning of a piece, after a jump of the formula at an event, it moves with the event.
  Sight extreme(double t, double from) const {
    Sight sight{record_.count() - 1, t};
    if (t == from && event_ >= 0 && t == event_at_) sight.shifts.push_back({event_, Shift::Kind::rate_after, 1});
    return sight;
  }

  void gather(std::size_t k, double from, double until) {
    const Functional& f = functionals()[k];
    Seen& known = seen_[k];
    const double a = std::max(from, f.from), b = std::min(until, f.to);
    const auto at = [&](double t) { return Sight{record_.count() - 1, t}; };
    if (f.kind == Kind::final) known.last = at(until);
    if (f.kind == Kind::at && f.time > from && f.time <= until) known.at = at(f.time);
    if (!(a < b)) return;
    if (f.has_window() && f.from >= from && f.from > t_start_) known.initial = known.largest = known.smallest = at(a);
    const bool up = largest(k) != noted_[k].largest || when_largest(k) != noted_[k].when_largest;
    const bool down = smallest(k) != noted_[k].smallest || when_smallest(k) != noted_[k].when_smallest;
    if ((f.kind == Kind::max || f.kind == Kind::turns) && up && when_largest(k) >= a)
      known.largest = extreme(when_largest(k), from);
    if ((f.kind == Kind::min || f.kind == Kind::turns) && down && when_smallest(k) >= a)
      known.smallest = extreme(when_smallest(k), from);
    if (f.kind == Kind::first && first(k) != noted_[k].first && first(k) == from && event_ >= 0 && from == event_at_)
      known.time = {-1, 0, {{event_, Shift::Kind::time, 1}}};
    if (f.kind == Kind::last && last(k) > from) known.time = {};
  }

  // The time of an event moves: so does what ends or begins there.
  void pass_event(std::size_t k, double t) {
    event_at_ = t;
    const Functional& f = functionals()[k];
    Seen& known = seen_[k];
    if (t < f.from || t > f.to) return;
    const Eigen::Index formula = f.observed;
    const double jump = y_before_[formula] - y_after_[formula];
    const bool jumps = std::abs(jump) > round_off * std::max(std::abs(y_before_[formula]), std::abs(y_after_[formula]));
    if ((f.kind == Kind::integral || f.kind == Kind::mean) && jumps)
      known.integral.shifts.push_back({event_, Shift::Kind::time, jump});
    if ((f.kind == Kind::max || f.kind == Kind::turns) && when_largest(k) == t)
      known.largest.shifts.push_back({event_, Shift::Kind::rate_before, 1});
    if ((f.kind == Kind::min || f.kind == Kind::turns) && when_smallest(k) == t)
      known.smallest.shifts.push_back({event_, Shift::Kind::rate_before, 1});
    if (f.kind == Kind::last && last(k) == t && jumps) known.time = {-1, 0, {{event_, Shift::Kind::time, 1}}};
  }

  void add(std::size_t k, const RowVectorXd& weights, ResultSeeds& seeds) const {
    const Seen& known = seen_[k];
    const Functional& f = functionals()[k];
    const double from = std::max(f.from, t_start_), to = std::min(f.to, t());
    const auto see = [&](const Sight& sight, double factor = 1) { sight.add_to(seeds, f.observed, factor * weights); };
    switch (f.kind) {
      case Kind::initial: return see(known.initial);
      case Kind::final: return see(known.last);
      case Kind::at: return see(known.at);
      case Kind::max: return see(known.largest);
      case Kind::min: return see(known.smallest);
      case Kind::mean:
      case Kind::integral: {
        const double share = f.kind == Kind::mean ? 1 / (to - from) : 1;
        seeds.integrals.push_back({f.observed, from, to, share * weights});
        return see(known.integral, share);
      }
      case Kind::turns: {
        const bool up = largest(k) - initial(k) >= initial(k) - smallest(k);
        const double share = (up ? 1 : -1) / (2 * std::numbers::pi);
        return see(up ? known.largest : known.smallest, share), see(known.initial, -share);
      }
      case Kind::first:
      case Kind::last: return see(known.time);
    }
  }

  MotionRecord& record_;
  Evaluator values_;
  VectorXd parameters_;
  double t_start_ = 0, event_at_ = 0;
  long event_ = -1;  // the last one
  VectorXd y_before_, y_after_;
  std::vector<double> in_;
  std::vector<Seen> seen_;
  std::vector<Noted> noted_;
};

AdjointRun::AdjointRun(const AdjointStudy& shared)
    : shared_(shared),
      sweep_(shared.sweep),
      start_(shared.start),
      record_(std::make_unique<MotionRecord>(shared.study.prepared().system, shared.limit)),
      watcher_(std::make_unique<Watcher>(shared.study, *record_)) {}

AdjointRun::~AdjointRun() = default;

Outcome AdjointRun::follow(const Prepared& prepared, const Progress& progress) {
  watcher_->set(prepared);
  passes_ = 1;
  Outcome outcome = internal::follow(prepared, *watcher_, progress);
  plain_evaluations_ = outcome.statistics.integrator.evaluations;
  return outcome;
}

const MotionWatcher& AdjointRun::watcher() const { return *watcher_; }

bool AdjointRun::differentiate(const Prepared& prepared, const MatrixXd& by_functional, const VectorXd& scales,
                               const Progress& progress) {
  const long evaluations_before = sweep_.evaluations();
  sweep_.begin(prepared, watcher_->seeds(by_functional));
  for (bool known = sweep_.back(*record_); known && record_->first() > 0; known = sweep_.back(*record_)) {
    record_->set(prepared, record_->first());
    RecordingWatcher again(*record_);
    internal::follow(prepared, again, progress);
    ++passes_;
    failure_ = "stopped";
    if (!record_->complete()) return false;
  }
  evaluations_ = sweep_.evaluations() - evaluations_before;
  failure_ = sweep_.failure();
  if (!failure_.empty()) return false;
  const bool started = start_(prepared, shared_.study.known_positions(), scales, sweep_, by_parameter_);
  failure_ = start_.failure();
  return started;
}

}  // namespace armature::internal
