// A motion of a map or a sweep as a motion of gpu/motions.hpp: from its assembled start, step by step with error control or with steps
// of one length, until its end or until its class is known. What its formulas gather on the way (gathered.hpp) is its result. A motion in
// which anything is special leaves: a small pivot, a step that fails, several comparisons that slide at once, what a warning would be
// about.
//
// Common:  rtol  max_step  step  end  rate  alpha  beta  open_gap  energy_error
// Inputs:  t | x | d | w | status of comparisons | p | atol | per_row | per_position | per_velocity | point | gaps
//          per_…: MachineSizes; point: what is varied; gaps: of each constraint row, the size that its gap is measured by, or less;
//          infinite for what is watched besides, which leaves where it is not a number
// Results: class (-1: not known before the end) | t at the end | functionals
//
// Plant, which study_card.cpp writes:
//   nq, nv, nz, nx, nd, nw, np, rows, constraints, point, formulas, functional_count    sizes
//   inputs, outputs, looks                                     numbers of the kernels' inputs and outputs, and of look()
//   input_alpha, input_position_error, input_velocity_error, input_weight, input_vdot, d, w, p     places among the inputs
//   work                                                       the state that counts what stabilization adds, among z; -1: none
//   controlled, projects, pulled, follows, follows_steps[]     method; stabilization; discrete values that follow steps
//   clock_count, clocks[], clock_of[]                          of sampled values: {period, offset}; the clock of a discrete value, -1: none
//   has_stops, lookups                                         next_stop: a step ends there; numbers by which it hides a hump of a table
//   kinds[], breakaway[], affine, root_entries[], root_entry_count    of comparisons; accelerations are affine in weights
//   RootRanges, FormulaRanges, Functions                       ranges of roots and formulas (study_ranges.hpp); sin, cos, exp and atan2
//   follows_ranges, is_formula[]                               whether some formula is searched by its ranges; what is no coordinate
//   plain[], quaternions[], plain_count, quaternion_count      as in Configuration
//   seen[], seen_count                                         comparisons that formulas depend on
//   received[], lost[], stabilization, balances                as in EnergyBalance
//   friction                                                   the state that counts the heat of friction; -1: none
//   method(), steps_memory, dense_memory                       the tableau, and rows that the steps and dense output need
//   functionals[], decides, decided(bounds, point)             Measured; whether there are classes; the class, -1: it cannot be told yet
//   kernels by name: KernelOutputs of each;  observe(in, y), look(in, out): formulas; energies (kinetic, potential, magnetic) and phi
#pragma once

#include "gpu/motions.hpp"
#include "step/checked_steps.hpp"
#include "step/dop853.hpp"
#include "step/hidden_hump.hpp"
#include "step/tableaus.hpp"
#include "study/gathered.hpp"
#include "study/interval.hpp"
#include "study/signal_search.hpp"
#include "study/study_events.hpp"

namespace armature::step {

// Events of a motion without comparisons.
template <class Plant>
struct NoStudyEvents {
  ARMATURE_STEP NoStudyEvents(StudyState<Plant>&, StudyDynamics<Plant>&, const double*) {}
  template <class Step>
  ARMATURE_STEP EventTime find_change(const Step&) {
    return {};
  }
  ARMATURE_STEP void begin() {}
  ARMATURE_STEP void change() {}
  ARMATURE_STEP void before_jump() {}
  ARMATURE_STEP void jump() {}
  ARMATURE_STEP void keep_search() {}
};
template <class Plant, bool compares>
struct StudyEventsOf {
  using Type = StudyEvents<Plant>;
};
template <class Plant>
struct StudyEventsOf<Plant, false> {
  using Type = NoStudyEvents<Plant>;
};

// Ranges of the formulas over a motion, where some are searched.
template <class Plant, bool follows>
struct StudyFormulaRanges {
  using Ranges = StudyRanges<typename Plant::FormulaRanges, typename Plant::Functions>;
  Ranges ranges;
};
template <class Plant>
struct StudyFormulaRanges<Plant, false> {};

// One step of the method, and the motion inside it: Path of Gathering.
template <class Plant>
class StudyStep {
 public:
  ARMATURE_CALLED StudyStep(StudyState<Plant>& s, const double* common)
      : s_(s),
        dynamics_(s, common),
        tolerance_{common[0], reinterpret_cast<const Row<1>*>(s.atol)},
        steps_(method(), Plant::nx, options(common, tolerance_), memory_),
        dense_(method(), Plant::nx, dense_memory_),
        events_(s, dynamics_, common) {
    if constexpr (Plant::controlled) {
      if (s.has_begun) steps_.resume(0, s.t, s.x, s.f, s.control);
    } else {
      if (s.knows_f) steps_.resume(0, s.t, s.x, s.f, s.grid);
    }
    if (!s.knows_f) steps_.start(0, s.t, s.x);
  }

  // The start of a motion: samples and outcomes.
  ARMATURE_STEP void begin() {
    for (int k = 0; k < Plant::clock_count; ++k)
      s_.clocks[k] = SampleClock::from(Plant::clocks[2 * k], Plant::clocks[2 * k + 1], s_.t);
    take_samples();
    events_.begin();
  }
  ARMATURE_STEP double next_sample() const {
    double time = infinity;
    for (int k = 0; k < Plant::clock_count; ++k) time = smaller(time, s_.clocks[k].time());
    return time;
  }
  ARMATURE_STEP double next_stop() {
    if constexpr (Plant::has_stops) {
      dynamics_.model().set(s_.t, s_.x);
      const double* tables = dynamics_.model().next_stop();
      for (int i = 0; i < Plant::lookups; ++i) lookups_[i] = tables[1 + i];
      return stop_beyond(s_.t, tables[0]);
    }
    return infinity;
  }
  // Of a table: the step has to be taken again.
  ARMATURE_CALLED bool hides_hump() {
    if constexpr (Plant::lookups > 0) {
      const auto look = [&](double t) {
        interpolate(t);
        dynamics_.model().set(t, x_->lane);
        return dynamics_.model().next_stop() + 1;
      };
      return end_before_hump(Plant::lookups, lookups_, s_.t, t(), false, look) < infinity;
    }
    return false;
  }

  // One attempt. A step that is rejected is tried again in the next turn, while other motions go on.
  enum class Attempt { stepped, rejected, special };
  ARMATURE_CALLED Attempt attempt(double end) {
    const Tried<1> tried = steps_.attempt(dynamics_, true, {{end}});
    if (dynamics_.special() || tried.failed) return Attempt::special;
    if (tried.stepped) return Attempt::stepped;
    keep(steps_.method().first());
    return Attempt::rejected;
  }

  // |lambda| of the step is at the boundary of stability (integrate/stiffness.hpp); before dense output is made.
  ARMATURE_STEP bool is_stiff() {
    RungeKutta<1>& rk = steps_.method();
    int entry = 0;
    double most = -1;
    for (int e = 0; e < Plant::nx; ++e) {
      const double slope = absolute(rk.last()[e][0] - rk.last_stage()[e][0]);
      const double share = slope / (s_.atol[e] + tolerance_.rtol * absolute(steps_.x()[e][0]));
      if (share > most) most = share, entry = e;
    }
    const double change = absolute(rk.last()[entry][0] - rk.last_stage()[entry][0]);
    const double apart = absolute(steps_.x()[entry][0] - rk.stage_x()[entry][0]), h = steps_.last_length(0);
    constexpr double least_share = 0.85, most_share = 1.5;
    const double boundary = rk.tableau().stable;
    return h * change > least_share * boundary * apart && h * change < most_share * boundary * apart;
  }

  // False: it is not sound.
  ARMATURE_CALLED bool make_dense() {
    if (!made_)
      sound_ = dense_.make(dynamics_, steps_.method(), true, ends(), Plant::controlled ? &tolerance_ : nullptr) &&
               !dynamics_.special();
    made_ = true;
    return sound_;
  }
  ARMATURE_STEP const DenseOutput<1>& dense() const { return dense_; }
  ARMATURE_STEP Ends<1> ends() const { return {steps_.previous_t(), steps_.t(), steps_.previous_x(), steps_.x()}; }

  // The first change of a comparison in the step.
  ARMATURE_STEP EventTime find_change() {
    const EventTime change = events_.find_change(Last{*this});
    events_.keep_search();
    return change;
  }
  // To its end, or to a change before it.
  ARMATURE_CALLED void move_to(double until) {
    s_.t = until;
    if (until == t()) {
      for (int i = 0; i < Plant::nx; ++i) s_.x[i] = x()[i];
      return;
    }
    interpolate(until);
    dynamics_.project(true, {{until}}, x_, nullptr);
    for (int i = 0; i < Plant::nx; ++i) s_.x[i] = x_[i][0];
  }
  // What changes at the state: outcomes where a change was found; sampled values that are due. Steps begin anew then.
  ARMATURE_CALLED void settle(bool change, double end) {
    if (change) {
      events_.change();
      s_.knows_f = false;
    }
    if (Plant::clock_count == 0 || !(s_.t < end) || !samples_due()) return;
    events_.before_jump();
    take_samples();
    events_.jump();
    s_.knows_f = false;
  }

  ARMATURE_STEP double t() const { return steps_.t()[0]; }
  ARMATURE_STEP const double* x() const { return steps_.x()->lane; }
  ARMATURE_STEP StudyModel<Plant>& model() { return dynamics_.model(); }
  ARMATURE_STEP bool special() const { return dynamics_.special(); }
  ARMATURE_STEP bool slides() const {  // a comparison that is seen
    if constexpr (Plant::nw > 0)
      for (int i = 0; i < Plant::seen_count; ++i)
        if (s_.events.status[Plant::seen[i]] == ComparisonStatus::sliding) return true;
    return false;
  }

  // What the next step goes on with: f where it begins, and its control.
  ARMATURE_STEP void keep() { keep(steps_.method().last()); }
  ARMATURE_STEP void keep(const Row<1>* f) {
    s_.knows_f = s_.has_begun = true;
    for (int i = 0; i < Plant::nx; ++i) s_.f[i] = f[i][0];
    if constexpr (Plant::controlled)
      s_.control = steps_.control(0);
    else
      s_.grid = steps_.grid(0);
  }

  ARMATURE_CALLED const double* observe(double t) {
    interpolate(t);
    return observe_x(t);
  }
  ARMATURE_STEP const double* observe_on_constraints(double t) {
    interpolate(t);
    if (t < this->t()) dynamics_.project(true, {{t}}, x_, nullptr);
    return observe_x(t);
  }
  ARMATURE_STEP void raise(const Measured& f, double sign, double from, double to, PieceTop& top, Searched& searched) {
    if constexpr (Plant::follows_ranges)
      if (is_searched(f)) raise_by_ranges(f, sign, from, to, top, searched);
  }
  ARMATURE_STEP double integral(const Measured& f, double from, double to, const double* y, Searched& searched) {
    if constexpr (Plant::follows_ranges)
      if (is_searched(f)) return integral_of(&formulas_.ranges, f, from, to, y, searched);
    return integral_of(static_cast<NoRanges*>(nullptr), f, from, to, y, searched);
  }
  // Before the formulas of a piece of the step are gathered. False: dense output is not sound.
  ARMATURE_STEP bool begin_ranges() {
    if constexpr (Plant::follows_ranges) {
      if (!make_dense()) return false;
      formulas_.ranges.begin(dense_, ends(), model().inputs());
    }
    return true;
  }

 private:
  // As the search for events looks at it.
  struct Last {
    StudyStep& step;
    ARMATURE_STEP double previous_t() const { return step.steps_.previous_t()[0]; }
    ARMATURE_STEP double t() const { return step.t(); }
    ARMATURE_STEP const double* x() const { return step.x(); }
    ARMATURE_CALLED const double* at(double t) const {
      step.interpolate(t);
      return step.x_->lane;
    }
    ARMATURE_STEP bool make_dense() const { return step.make_dense(); }
    ARMATURE_STEP const DenseOutput<1>& dense() const { return step.dense(); }
    ARMATURE_STEP Ends<1> ends() const { return step.ends(); }
  };

  template <bool controlled, class = void>
  struct Method {
    using Steps = FixedStep<1>;
    ARMATURE_STEP static typename Steps::Options options(const double* common, const Tolerance<1>&) {
      return {common[2], true, 0};
    }
  };
  template <class Unused>
  struct Method<true, Unused> {
    using Steps = Embedded<1>;
    ARMATURE_STEP static typename Steps::Options options(const double* common, const Tolerance<1>& tolerance) {
      return {tolerance, 0, common[1]};
    }
  };
  using Steps = typename Method<Plant::controlled>::Steps;
  ARMATURE_STEP static typename Steps::Options options(const double* common, const Tolerance<1>& tolerance) {
    return Method<Plant::controlled>::options(common, tolerance);
  }
  ARMATURE_STEP static const Tableau& method() { return Plant::method(); }

  // As MotionWatcher::follows_ranges().
  ARMATURE_STEP static bool is_searched(const Measured& f) {
    return !f.looks_at_ends() && f.kind != FunctionalKind::first && f.kind != FunctionalKind::last &&
           Plant::is_formula[f.observed];
  }
  // Longer searches would hold up the other motions of the card.
  static constexpr double most_parts = 4000;
  ARMATURE_CALLED void raise_by_ranges(const Measured& f, double sign, double from, double to, PieceTop& top,
                                       Searched& searched) {
    const auto formula = [&](double t) { return observe(t)[f.observed]; };
    SignalSearch<typename Formulas::Ranges> search(&formulas_.ranges, f.observed, searched, most_parts);
    search.raise(formula, sign, from, to, top);
    if (search.finish()) dynamics_.leave();
  }
  template <class Ranges>
  ARMATURE_CALLED double integral_of(Ranges* ranges, const Measured& f, double from, double to, const double* y,
                                     Searched& searched) {
    const auto formula = [&](double t) { return observe(t)[f.observed]; };
    SignalSearch<Ranges> search(ranges, f.observed, searched, most_parts);
    const double part = search.integral(formula, from, to, y);
    if (search.finish()) dynamics_.leave();
    return part;
  }

  ARMATURE_STEP void interpolate(double t) {
    if (t == this->t()) {
      copy<1>(true, Plant::nx, steps_.x(), x_);
      return;
    }
    if (!make_dense()) dynamics_.leave();
    dense_.evaluate(ends(), {{t}}, x_);
  }
  ARMATURE_STEP const double* observe_x(double t) {
    model().set(t, x_->lane);
    Plant::observe(model().inputs(), y_);
    return y_;
  }

  ARMATURE_STEP bool samples_due() const {
    for (int k = 0; k < Plant::clock_count; ++k)
      if (s_.clocks[k].due(s_.t)) return true;
    return false;
  }
  // All of them from the values before.
  ARMATURE_STEP void take_samples() {
    const Row<1>* values = nullptr;
    for (int k = 0; k < Plant::clock_count; ++k) {
      if (!s_.clocks[k].due(s_.t)) continue;
      if (!values) {
        model().set(s_.t, s_.x);
        values = model().discrete();
      }
      for (int i = 0; i < Plant::nd; ++i)
        if (Plant::clock_of[i] == k) s_.d[i] = values[i][0];
      s_.clocks[k].tick();
    }
    if (values) model().hold(s_.d);
  }

  StudyState<Plant>& s_;
  StudyDynamics<Plant> dynamics_;
  Tolerance<1> tolerance_;
  Row<1> memory_[Plant::steps_memory], dense_memory_[Plant::dense_memory];
  double lookups_[Plant::lookups + 1];  // of tables, where the step begins
  Steps steps_;
  DenseOutput<1> dense_;
  bool made_ = false, sound_ = false;  // dense output of the step
  typename StudyEventsOf<Plant, (Plant::nw > 0)>::Type events_;
  using Formulas = StudyFormulaRanges<Plant, Plant::follows_ranges>;
  Formulas formulas_;
  Row<1> x_[Plant::nx + 1];
  double y_[Plant::formulas + 1];
};

// What warnings are about (run/judgement.hpp), measured as MotionChecks does. A motion that comes near to one leaves, and the
// processor judges it.
template <class Plant>
class StudyChecks {
 public:
  ARMATURE_STEP void begin(const double* energies, const double* x, const double* gaps) {
    *this = {};
    at_start_ = sum(energies, x), potential_ = energies[1];
    if (Plant::friction >= 0) heat_ = x[Plant::friction];
    for (int i = 0; i < Plant::constraints; ++i) gap_sizes_[i] = gaps[i];
  }
  // After every step: heat of friction does not come back.
  ARMATURE_STEP void step(const double* x, const double* atol) {
    if (Plant::friction < 0) return;
    heat_ = larger(heat_, x[Plant::friction]);
    returns_ = returns_ || heat_ - x[Plant::friction] > atol[Plant::friction];
  }
  ARMATURE_STEP void look(const double* energies, const double* x) {
    error_ = larger(error_, absolute(sum(energies, x) - at_start_));
    if (Plant::stabilization >= 0) added_ = larger(added_, absolute(x[Plant::stabilization]));
    double moving = energies[0] + absolute(energies[1] - potential_) + energies[2];
    for (int i = 0; i < Plant::received_count; ++i) moving += absolute(x[Plant::received[i]]);
    size_ = larger(size_, moving);
    for (int i = 0; i < Plant::constraints; ++i) {
      const double gap = absolute(energies[3 + i]);
      if (gap > 0) gap_ = larger(gap_, gap / gap_sizes_[i]);
      if (gap != gap) gap_ = infinity;
    }
  }
  // Far from all limits.
  ARMATURE_STEP bool pass(const double* common) const {
    constexpr double margin = 0.5;
    constexpr double unbalanced = 0.01;
    if (returns_ || !(gap_ <= margin * common[7])) return false;
    return !Plant::balances || (error_ <= margin * common[8] * size_ && added_ <= margin * unbalanced * size_);
  }

 private:
  ARMATURE_STEP static double sum(const double* energies, const double* x) {
    double sum = energies[0] + energies[1] + energies[2];
    for (int i = 0; i < Plant::received_count; ++i) sum -= x[Plant::received[i]];
    for (int i = 0; i < Plant::lost_count; ++i) sum += x[Plant::lost[i]];
    return sum;
  }

  double at_start_ = 0, potential_ = 0, error_ = 0, added_ = 0, size_ = 0, gap_ = 0, heat_ = 0;
  bool returns_ = false;
  double gap_sizes_[Plant::constraints + 1] = {};
};

template <class Plant>
class StudyMotion {
 public:
  static constexpr int inputs = 1 + 2 * Plant::nx + Plant::nd + 2 * Plant::nw + Plant::np + Plant::rows + Plant::nq +
                                Plant::nv + Plant::point + Plant::constraints;
  static constexpr int results = 2 + Plant::functional_count;
  static constexpr bool is_large = true;

  ARMATURE_STEP Progress begin(const double* common, const double* in, long long) {
    // its start
    const double* from = in + 1;
    const auto take = [&](int n, double* to) {
      for (int i = 0; i < n; ++i) to[i] = *from++;
    };
    s_.t = t_start_ = in[0], s_.knows_f = s_.has_begun = false;
    take(Plant::nx, s_.x), take(Plant::nd, s_.d);
    if constexpr (Plant::nw > 0) {
      take(Plant::nw, s_.events.w);
      for (int k = 0; k < Plant::nw; ++k)
        s_.events.status[k] = static_cast<ComparisonStatus>(static_cast<int>(*from++));
      s_.events.search = {};
    }
    take(Plant::np, s_.p), take(Plant::nx, s_.atol);
    take(Plant::rows, s_.per_row), take(Plant::nq, s_.per_position), take(Plant::nv, s_.per_velocity);
    take(Plant::point, point_);
    steps_ = stiff_ = changes_ = 0, standing_ = 0, class_ = -1, changes_next_ = false;
    if (!(s_.t < common[3]) || !begin_step(common)) return leave();
    // what is seen of it
    StudyModel<Plant> model(s_, common[5], common[6]);
    double y[Plant::formulas + 1], looked[Plant::looks];
    Plant::observe(model.inputs(), y);
    for (int k = 0; k < Plant::functional_count; ++k)
      known_[k].begin(Plant::functionals[k], s_.t, y[Plant::functionals[k].observed]);
    Plant::look(model.inputs(), looked);
    checks_.begin(looked, s_.x, from);
    return Plant::take_out_of_reach() ? Progress::leaves : Progress::goes_on;
  }

  // A change of a comparison was found, and is settled next.
  ARMATURE_STEP bool is_rare_next() const { return changes_next_; }

  ARMATURE_STEP Progress advance(const double* common) {
    StudyStep<Plant> step(s_, common);
    const double before = s_.t, end = common[3];
    if (changes_next_) {
      changes_next_ = false;
      step.settle(true, end);
      return step.special() || Plant::take_out_of_reach() ? leave() : Progress::goes_on;
    }
    const Attempt attempt = step.attempt(smaller(smaller(end, step.next_sample()), step.next_stop()));
    if (attempt == Attempt::special) return leave();
    if (attempt == Attempt::rejected) return Plant::take_out_of_reach() ? Progress::leaves : Progress::goes_on;
    ++steps_;
    if (Plant::controlled && steps_ % check_interval == 0) stiff_ += step.is_stiff();
    if (step.hides_hump() || step.special()) return leave();
    // what is seen of it, up to its end or to the first change of a comparison
    const EventTime change = step.find_change();
    if (step.special()) return leave();
    const double until = change.found ? change.t : step.t();
    if (until > before && !gather(step, before, until)) return leave();
    step.move_to(until);
    // its end: enough is known, or there is no more
    class_ = until > before ? decide(until, end) : -1;
    const bool ended = class_ >= 0 || !(until < end);
    checks_.step(s_.x, s_.atol);
    if (ended || is_checked(steps_)) look(step);
    follow_step(step);
    step.keep();
    changes_next_ = change.found;
    if (!ended && !change.found) step.settle(false, end);
    if (step.special() || keeps_changing(before, change.found, end)) return leave();
    if (Plant::take_out_of_reach() || (ended && !is_sound(common))) return Progress::leaves;
    return ended ? Progress::ended : Progress::goes_on;
  }

  ARMATURE_STEP void result(const double*, double* numbers) const {
    numbers[0] = class_, numbers[1] = s_.t;
    for (int k = 0; k < Plant::functional_count; ++k)
      numbers[2 + k] = known_[k].value(Plant::functionals[k], s_.t, t_start_);
  }

 private:
  using Attempt = typename StudyStep<Plant>::Attempt;
  static constexpr int count = Plant::formulas;

  ARMATURE_CALLED bool begin_step(const double* common) {
    if (Plant::nw == 0 && Plant::clock_count == 0) return true;
    StudyStep<Plant> step(s_, common);
    step.begin();
    return !step.special();
  }

  // On the way to what Chatter would end a run for.
  ARMATURE_STEP bool keeps_changing(double before, bool change, double end) {
    constexpr double no_progress = resolved(1e-12);
    constexpr int most_standing = 100, most_changes = 99'000;
    const bool stands = s_.t - before < no_progress * larger(end - t_start_, absolute(s_.t));
    standing_ = change && stands ? standing_ + 1 : 0;
    changes_ += change;
    return standing_ > most_standing || changes_ > most_changes;
  }

  ARMATURE_STEP static Progress leave() {
    Plant::take_out_of_reach();
    return Progress::leaves;
  }

  ARMATURE_STEP static bool looks_inside() {
    for (int k = 0; k < Plant::functional_count; ++k)
      if (!Plant::functionals[k].looks_at_ends()) return true;
    return false;
  }
  ARMATURE_STEP bool needs_dense(double from, double to) const {
    if (looks_inside()) return true;
    for (int k = 0; k < Plant::functional_count; ++k) {
      const Measured& f = Plant::functionals[k];
      if (f.kind == FunctionalKind::at && f.time > from && f.time < to) return true;
    }
    return false;
  }

  ARMATURE_CALLED bool gather(StudyStep<Plant>& step, double from, double until) {
    if (step.slides()) return false;  // the weights of each sample are to be solved
    if (needs_dense(from, until) && !step.make_dense()) return false;
    if (!step.begin_ranges()) return false;
    double t[piece_samples], y[piece_samples * count + 1] = {}, room[piece_samples * count + 1];
    sample_times(from, until, t);
    for (int j = looks_inside() ? 0 : piece_samples - 1; j < piece_samples; ++j) {
      const double* here = step.observe(t[j]);
      for (int i = 0; i < count; ++i) y[j * count + i] = here[i];
    }
    Gathering<StudyStep<Plant>> gathering(step, count, room);
    for (int k = 0; k < Plant::functional_count; ++k) gathering.take(Plant::functionals[k], known_[k], t, y);
    return !step.special();
  }

  ARMATURE_STEP int decide(double t, double end) const {
    if (!Plant::decides) return -1;
    bounds::Interval open[Plant::functional_count + 1];
    for (int k = 0; k < Plant::functional_count; ++k)
      known_[k].bounds(Plant::functionals[k], t, t_start_, end, open[k].least, open[k].most);
    return Plant::decided(open, point_);
  }

  ARMATURE_CALLED void look(StudyStep<Plant>& step) {
    double looked[Plant::looks];
    step.model().set(s_.t, s_.x);
    Plant::look(step.model().inputs(), looked);
    checks_.look(looked, s_.x);
  }

  ARMATURE_STEP void follow_step(StudyStep<Plant>& step) {
    if (!Plant::follows) return;
    step.model().set(s_.t, s_.x);
    const Row<1>* values = step.model().discrete();
    for (int i = 0; i < Plant::nd; ++i)
      if (Plant::follows_steps[i]) s_.d[i] = values[i][0];
    step.model().hold(s_.d);
  }

  // Nothing to be warned of. Below so many steps a run is over before anybody minds that they are short.
  ARMATURE_STEP bool is_sound(const double* common) const {
    constexpr long many_steps = 2000;
    const bool mostly_stiff = steps_ >= many_steps && 2 * check_interval * stiff_ > steps_;
    return !mostly_stiff && checks_.pass(common) && has_numbers();
  }

  ARMATURE_STEP bool has_numbers() const {
    for (int k = 0; k < Plant::functional_count; ++k)
      if (!is_number(known_[k].value(Plant::functionals[k], s_.t, t_start_))) return false;
    return true;
  }

  StudyState<Plant> s_;
  double t_start_, point_[Plant::point + 1];
  Gathered known_[Plant::functional_count + 1];
  StudyChecks<Plant> checks_;
  long long steps_, stiff_;  // taken; of those that were looked at, at the boundary of stability
  int changes_, standing_;   // of comparisons: all, and those in a row without progress
  int class_;
  bool changes_next_;
};

}  // namespace armature::step
