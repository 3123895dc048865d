// A motion of a map or a sweep as a motion of gpu/motions.hpp: from its assembled start, step by step with error control or with steps
// of one length, until its end or until its class is known. What its formulas gather on the way (gathered.hpp) is its result. A motion in
// which anything is special leaves: a small pivot, a step that fails, several comparisons that slide at once, what a warning would be
// about.
//
// Common:  rtol  max_step  step  end  rate  alpha  beta  open_gap  energy_error
// Inputs:  t | x | d | w | status of comparisons | p | atol | per_row | per_position | per_velocity | point | gaps
//          per_…: MachineSizes, and with rigid contacts the machine's length; point: what is varied; gaps: of each constraint row, the size that its gap is measured by, or less;
//          infinite for what is watched besides, which leaves where it is not a number
// Results: class (-1: not known before the end) | t at the end | functionals
//
// Plant, which study_card.cpp writes:
//   nq, nv, nz, nx, nd, nw, np, rows, constraints, point, formulas, functional_count    sizes
//   inputs, outputs, looks                                     numbers of the kernels' inputs and outputs, and of look()
//   input_alpha, input_position_error, input_velocity_error, input_weight, input_vdot, d, w, p     places among the inputs
//   work                                                       the state that counts what stabilization adds, among z; -1: none
//   controlled, projects, pulled, follows                      method; stabilization; whether discrete values follow steps
//   clock_count, clocks[], clock_of[]                          of sampled values: {period, offset}; CompiledMotion: clock_of
//   has_stops, lookups                                         next_stop: a step ends there; numbers by which it hides a hump of a table
//   kinds[], breakaway[], affine, root_entries[], root_entry_count    of comparisons; accelerations are affine in weights
//   RootRanges, FormulaRanges, Functions                       ranges of roots and formulas (study_ranges.hpp); sin, cos, exp and atan2
//   follows_ranges, is_formula[]                               whether some formula is searched by its ranges; what is no coordinate
//   plain[], quaternions[], plain_count, quaternion_count      as in Configuration
//   watches, gates[], terms[], term_count, term_outputs[], term_signs[], term_gates[]    whether forces may hide in a step; NarrowList
//   WatchedRanges, slope_entries[], slope_count                ranges of its outputs; entries of x whose slopes are compared
//   contacts, contact_numbers, contact_indices, contact_modes   of rigid contacts: how many, and room that they need (ContactMemory)
//   contact_places[], contact_softness, impact_work, sequential_impacts, GapRanges    ContactSizes, ContactOptions; ranges of their gaps
//   seen[], seen_count                                         comparisons that formulas depend on
//   received[], lost[], stabilization, balances                as in EnergyBalance
//   friction                                                   the state that counts the heat of friction; -1: none
//   method(), steps_memory, dense_memory                       the tableau, and rows that the steps and dense output need
//   functionals[], decides, decided(bounds, point)             Measured; whether there are classes; the class, -1: it cannot be told yet
//   kernels by name: KernelOutputs of each;  observe(in, y), look(in, out): formulas; energies (kinetic, potential, magnetic) and phi
#pragma once

#include "gpu/motions.hpp"
#include "step/chatter.hpp"
#include "step/checked_steps.hpp"
#include "step/dop853.hpp"
#include "step/motion_limits.hpp"
#include "step/stability_limit.hpp"
#include "step/tableaus.hpp"
#include "study/gathered.hpp"
#include "study/interval.hpp"
#include "study/signal_search.hpp"
#include "study/study_contacts.hpp"
#include "study/study_events.hpp"
#include "study/study_forces.hpp"

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
  template <class Jump>
  ARMATURE_STEP void change_held(const Jump& jump) {
    jump();
  }
  template <class Jump>
  ARMATURE_STEP void jump_with(const Jump& jump) {
    jump();
  }
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

// The method, and room for its steps.
template <class Plant, bool controlled>
struct StudyMethod {
  using Steps = FixedStep<1>;
  ARMATURE_STEP static typename Steps::Options options(const double* common, const Tolerance<1>&) {
    return {common[2], true, 0};
  }
};
template <class Plant>
struct StudyMethod<Plant, true> {
  using Steps = Embedded<1>;
  ARMATURE_STEP static typename Steps::Options options(const double* common, const Tolerance<1>& tolerance) {
    return {tolerance, 0, common[1]};
  }
};
template <class Plant>
struct StudyRoom {
  using Method = StudyMethod<Plant, Plant::controlled>;
  StudyState<Plant>& s_;
  StudyDynamics<Plant> dynamics_;
  Tolerance<1> tolerance_;
  Row<1> steps_memory_[Plant::steps_memory], dense_memory_[Plant::dense_memory], x_[Plant::nx + 1];
  double lookups_[Plant::lookups + 1];  // of tables, where the step begins

  ARMATURE_STEP StudyRoom(StudyState<Plant>& s, const double* common)
      : s_(s), dynamics_(s, common), tolerance_{common[0], reinterpret_cast<const Row<1>*>(s.atol)} {}
  ARMATURE_STEP MotionState state() { return {&s_.t, s_.x, s_.d, s_.clocks, &s_.stops}; }
  ARMATURE_STEP MotionMemory memory() { return {steps_memory_, dense_memory_, x_, lookups_}; }
};

// One step of the method, and the motion inside it: Path of Gathering, and host of CompiledMotion.
template <class Plant>
class StudyStep
    : private StudyRoom<Plant>,
      public CompiledMotion<StudyStep<Plant>, StudyDynamics<Plant>, typename StudyRoom<Plant>::Method::Steps> {
 public:
  ARMATURE_CALLED StudyStep(StudyState<Plant>& s, const double* common)
      : Room(s, common),
        Moving(dynamics_, Room::state(), Plant::method(), Room::Method::options(common, tolerance_), Room::memory()),
        events_(s, dynamics_, common),
        contacts_(s, dynamics_, common),
        end_(common[3]) {
    if constexpr (Plant::controlled) {
      if (s.has_begun) this->steps_.resume(0, s.t, s.x, s.f, s.control);
    } else {
      if (s.knows_f) this->steps_.resume(0, s.t, s.x, s.f, s.grid);
    }
    if (!s.knows_f) this->steps_.start(0, s.t, s.x);
  }

  // The start of a motion: samples and outcomes.
  ARMATURE_STEP void begin() {
    for (int k = 0; k < Plant::clock_count; ++k)
      s_.clocks[k] = SampleClock::from(Plant::clocks[2 * k], Plant::clocks[2 * k + 1], s_.t);
    this->take_samples();
    events_.begin();
    if (Plant::contacts == 0) return;
    contacts_.begin();
    events_.begin();
  }
  // What was found at the end of the step before changes.
  ARMATURE_STEP void settle_found(ChangeKind kind) {
    this->change_.kind = kind;
    this->settle(true);
  }

  // |lambda| of the step is at the boundary of stability; before dense output is made.
  ARMATURE_STEP bool is_stiff() {
    RungeKutta<1>& rk = this->steps_.method();
    const auto slope = [&](int e) { return rk.last()[e][0] - rk.last_stage()[e][0]; };
    const auto apart = [&](int e) { return this->steps_.x()[e][0] - rk.stage_x()[e][0]; };
    const auto allowed = [&](int e) { return s_.atol[e] + tolerance_.rtol * absolute(this->steps_.x()[e][0]); };
    return StabilityLimit::of(Plant::nx, this->steps_.last_length(0), rk.tableau().stable, slope, apart, allowed)
        .reached;
  }

  ARMATURE_STEP const Change& change() const { return this->change_; }
  ARMATURE_STEP double until() const { return Moving::until(); }
  // What error control has not seen: the step is taken again, or left to the processor where its length is fixed.
  ARMATURE_CALLED bool hides_something() {
    if (this->hides_hump()) return true;
    const double force = StudyForces<Plant, Plant::watches>::find(*this, dynamics_, s_, tolerance_.rtol);
    if (!Plant::controlled && force < infinity) dynamics_.leave();
    return this->hides_force(force);
  }
  ARMATURE_STEP StudyModel<Plant>& model() { return dynamics_.model(); }
  ARMATURE_STEP bool special() const { return dynamics_.special(); }
  ARMATURE_STEP bool slides() const {  // a comparison that is seen
    if constexpr (Plant::nw > 0)
      for (int i = 0; i < Plant::seen_count; ++i)
        if (s_.events.status[Plant::seen[i]] == ComparisonStatus::sliding) return true;
    return false;
  }

  // ---- host of CompiledMotion

  ARMATURE_STEP double end() const { return end_; }
  ARMATURE_STEP StudyDynamics<Plant>& looking() { return dynamics_; }
  ARMATURE_STEP const Tolerance<1>* tolerance() const { return Plant::controlled ? &tolerance_ : nullptr; }
  ARMATURE_STEP void look_in_vain() { dynamics_.leave(); }
  template <class Step>
  ARMATURE_STEP void find(const Step& step, Change& change) {
    change.take(ChangeKind::comparison, events_.find_change(step));
    events_.keep_search();
    change.take(ChangeKind::contact, contacts_.find_change(step, change.before(step.t())));
  }
  ARMATURE_STEP void change_laws(const Change& change) {
    if (change.kind == ChangeKind::contact)
      events_.jump_with([&] { contacts_.change(); });
    else
      events_.change();
    contacts_.forget();
  }
  template <class Jump>
  ARMATURE_STEP void change_held(const Jump& jump) {
    events_.change_held(jump);
    contacts_.forget();
  }
  ARMATURE_STEP void restart() { s_.knows_f = false; }

  // What the next step goes on with: f where it begins, and its control.
  ARMATURE_STEP void keep() { keep(this->steps_.method().last()); }
  ARMATURE_STEP void keep_rejected() { keep(this->steps_.method().first()); }
  ARMATURE_STEP void keep_hidden() { keep(), restart(); }
  ARMATURE_CALLED const double* observe(double t) { return observe_at(t, rows(this->at(t))); }
  ARMATURE_STEP const double* observe_on_constraints(double t) {
    const Row<1>* x = rows(this->at(t));
    if (t < this->t()) dynamics_.project(true, {{t}}, x_, nullptr);
    return observe_at(t, x);
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
      if (!this->make_dense()) return false;
      formulas_.ranges.begin(this->dense(), this->ends(), model().inputs());
    }
    return true;
  }

 private:
  using Room = StudyRoom<Plant>;
  using Moving = CompiledMotion<StudyStep, StudyDynamics<Plant>, typename Room::Method::Steps>;
  using Moving::rows;
  using Room::dynamics_;
  using Room::s_;
  using Room::tolerance_;
  using Room::x_;

  ARMATURE_STEP void keep(const Row<1>* f) {
    s_.knows_f = s_.has_begun = true;
    for (int i = 0; i < Plant::nx; ++i) s_.f[i] = f[i][0];
    if constexpr (Plant::controlled)
      s_.control = this->steps_.control(0);
    else
      s_.grid = this->steps_.grid(0);
  }

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

  ARMATURE_STEP const double* observe_at(double t, const Row<1>* x) {
    model().set(t, x->lane);
    Plant::observe(model().inputs(), y_);
    return y_;
  }

  typename StudyEventsOf<Plant, (Plant::nw > 0)>::Type events_;
  typename StudyContactsOf<Plant, (Plant::contacts > 0)>::Type contacts_;
  using Formulas = StudyFormulaRanges<Plant, Plant::follows_ranges>;
  Formulas formulas_;
  double y_[Plant::formulas + 1];
  double end_;
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
    if (returns_ || !(gap_ <= margin * common[7])) return false;
    return !Plant::balances ||
           (error_ <= margin * common[8] * size_ && added_ <= margin * MotionLimits::unbalanced * size_);
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
                                Plant::nv + Plant::point + Plant::constraints + (Plant::contacts > 0);
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
    s_.stops = {};
    take(Plant::np, s_.p), take(Plant::nx, s_.atol);
    take(Plant::rows, s_.per_row), take(Plant::nq, s_.per_position), take(Plant::nv, s_.per_velocity);
    if constexpr (Plant::contacts > 0) take(1, &s_.contacts.length);
    take(Plant::point, point_);
    steps_ = stiff_ = 0, class_ = -1, change_next_ = ChangeKind::none;
    chatter_ = {s_.t, common[3]};
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

  // A change of a comparison or a contact was found, and is settled next.
  ARMATURE_STEP bool is_rare_next() const { return change_next_ != ChangeKind::none; }

  ARMATURE_STEP Progress advance(const double* common) {
    StudyStep<Plant> step(s_, common);
    if (is_rare_next()) {
      step.settle_found(change_next_);
      change_next_ = ChangeKind::none;
      return step.special() || Plant::take_out_of_reach() ? leave() : Progress::goes_on;
    }
    Turn turn{*this, step, common};
    step::advance<1>(turn, true);
    if (turn.left) return leave();
    if (Plant::take_out_of_reach() || (turn.ended && !is_sound(common))) return Progress::leaves;
    return turn.ended ? Progress::ended : Progress::goes_on;
  }

  ARMATURE_STEP void result(const double*, double* numbers) const {
    numbers[0] = class_, numbers[1] = s_.t;
    for (int k = 0; k < Plant::functional_count; ++k)
      numbers[2 + k] = known_[k].value(Plant::functionals[k], s_.t, t_start_);
  }

 private:
  static constexpr int count = Plant::formulas;

  // One turn of the loop: its host. A step that is rejected is tried again in the next turn, while other motions go on; a change that is
  // found is settled in the next one.
  struct Turn {
    StudyMotion& motion;
    StudyStep<Plant>& step;
    const double* common;
    double before = motion.s_.t;
    bool left = false, ended = false, hidden = false;

    ARMATURE_STEP bool goes_on(bool yes = true) { return left = left || !yes || step.special(), !left; }
    ARMATURE_STEP Tried<1> attempt(bool) {
      const Tried<1> tried = step.attempt(true);
      if (goes_on(!tried.failed) && !tried.stepped) step.keep_rejected();
      return {tried.stepped && !left, left};
    }
    ARMATURE_STEP bool show_all(bool) {
      ++motion.steps_;
      if (Plant::controlled && motion.steps_ % check_interval == 0) motion.stiff_ += step.is_stiff();
      if (step.hides_something()) step.keep_hidden(), hidden = true;
      return goes_on() && !hidden;
    }
    ARMATURE_STEP bool find_changes(bool) { return step.find_changes(true), goes_on(); }
    ARMATURE_STEP bool watch(bool) {
      return goes_on(!(step.until() > before) || motion.gather(step, before, step.until()));
    }
    // Its end: enough is known, or there is no more.
    ARMATURE_STEP bool move(bool) {
      const double until = step.until();
      step.move(true);
      motion.class_ = until > before ? motion.decide(until, step.end()) : -1;
      ended = motion.class_ >= 0 || !(until < step.end());
      motion.checks_.step(motion.s_.x, motion.s_.atol);
      if (ended || is_checked(motion.steps_)) motion.look(step);
      return true;
    }
    ARMATURE_STEP bool follow(bool) { return step.follow(true); }
    ARMATURE_STEP bool settle(bool) {
      step.keep();
      motion.change_next_ = step.change().kind;
      if (!ended && !step.change().any()) step.settle(true);
      motion.chatter_.look(motion.s_.t, step.change().any());
      return goes_on(!motion.chatter_.nearly_endless());
    }
  };

  ARMATURE_CALLED bool begin_step(const double* common) {
    if (Plant::nw == 0 && Plant::clock_count == 0 && Plant::contacts == 0) return true;
    StudyStep<Plant> step(s_, common);
    step.begin();
    return !step.special();
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

  // Nothing to be warned of, by far.
  ARMATURE_STEP bool is_sound(const double* common) const {
    constexpr long many_steps = StabilityLimit::many_steps / 5;
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
  Chatter chatter_{0, 0};
  int class_;
  ChangeKind change_next_;
};

}  // namespace armature::step
