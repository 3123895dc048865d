// A motion in a page, from its start to its end, by the steps of every run: what run/run.cpp and observe/observation.cpp do, as far as it is
// regular. Freestanding; compiled once for WebAssembly.
//
//   prepare(integers, numbers)   room for both arrays (step/page_table.hpp), which the page fills
//   begin()                      the motion at its start, with its first row
//   advance(steps)               so many steps and the rows in them; a PageStatus
//   respond()                    accelerations with the parameters as they are in the page's array, which act on nothing else yet
//   turn()                       parameters that the page has changed act from now on; it may have moved the end, too
#include "contacts.hpp"
#include "events.hpp"
#include "functions.hpp"
#include "machine.hpp"
#include "step/compiled_motion.hpp"
#include "step/dop853.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"
#include "step/tableaus.hpp"

extern "C" unsigned char __heap_base;
inline void* operator new(__SIZE_TYPE__, void* at) noexcept { return at; }

namespace armature::step {
namespace {

// Memory from the end of the module's own on, which is given back all at once.
class Arena {
 public:
  void clear() { next_ = kept_; }
  void keep() { kept_ = next_; }  // what clear() leaves
  void* take(unsigned long bytes) {
    if (!next_) next_ = kept_ = (reinterpret_cast<unsigned long>(&__heap_base) + 15) / 16 * 16;
    const unsigned long at = next_;
    next_ += (bytes + 15) / 16 * 16;
    const unsigned long page = 65536, there = __builtin_wasm_memory_size(0) * page;
    if (next_ > there) __builtin_wasm_memory_grow(0, (next_ - there + page - 1) / page);
    return reinterpret_cast<void*>(at);
  }
  Row<1>* rows(long count) { return static_cast<Row<1>*>(take(static_cast<unsigned long>(count) * sizeof(Row<1>))); }

 private:
  unsigned long next_ = 0, kept_ = 0;
};

const Tableau& tableau_of(int method) {
  switch (method) {
    case page_euler: return euler();
    case page_midpoint: return midpoint();
    case page_classical: return classical();
    case page_dormand_prince_54: return dormand_prince_54();
    default: return dormand_prince_853();
  }
}

// Where rows and frames go.
class PageRows {
 public:
  PageRows(const PageTables& tables, Arena& arena)
      : t_(tables),
        memory_(arena.rows(PageMachine::memory(tables) + 2L * tables.nx() + tables[page_all_rows] + tables[page_nv] +
                           tables[page_frame_inputs])),
        machine_(tables, memory_),
        x_(memory_ + PageMachine::memory(tables)),
        xdot_((x_ + tables.nx())->lane),
        lambda_(xdot_ + tables.nx()),
        vdot_(lambda_ + tables[page_all_rows]),
        frame_in_(vdot_ + tables[page_nv]) {
    const double expected = (t_[page_end] - t_[page_t]) / t_[page_record];
    capacity_ = expected >= 0 && expected < 1e6 ? static_cast<int>(expected) + 3 : 3;
    rows_ = arena.rows(static_cast<long>(capacity_) * row_size())->lane;
    frames_ = arena.rows(static_cast<long>(capacity_) * t_[page_frame_outputs])->lane;
  }
  int row_size() const { return PageRowLayout(t_.nx(), t_[page_quantities], t_[page_rows], t_[page_wrenches]).size; }
  PageMachine& machine() { return machine_; }
  Row<1>* x() { return x_; }
  int count() const { return count_; }
  bool is_full() const { return count_ == capacity_; }
  double last() const { return last_; }
  const double* rows() const { return rows_; }
  const double* frames() const { return frames_; }

  double next_time() const {
    const double due = t_[page_t] + count_ * t_[page_record];
    return due > t_[page_end] - 1e-9 * t_[page_record] ? t_[page_end] : due;
  }

  // One row at (t, x()).
  void write(double t, const double* d) {
    if (is_full()) return;
    PageModel& model = machine_.model();
    double* to = rows_ + static_cast<long>(count_) * row_size();
    model.hold(d);
    model.set({{t}}, x_);
    *to++ = t;
    for (int i = 0; i < t_.nx(); ++i) *to++ = x_[i][0];
    // accelerations and what follows from them, which other kernels overwrite
    double sine;
    if (machine_.slides()) machine_.derivative(true, {{t}}, x_, reinterpret_cast<Row<1>*>(xdot_));  // finds the weight
    const KernelOutputs<1>& view = model.acceleration();
    const bool solved = machine_.is_solved(view, sine);
    for (int i = 0; i < t_[page_nv]; ++i) vdot_[i] = view.vdot[i][0];
    for (int i = 0; i < t_[page_all_rows]; ++i) lambda_[i] = i < t_[page_rows] ? view.lambda[i][0] : 0;
    const Row<1>* seen = model.observables();
    const int quantities = t_[page_quantities];
    for (int i = 0; i < quantities + 4; ++i) *to++ = seen[i][0];
    const double stored = seen[quantities][0] + seen[quantities + 1][0] + seen[quantities + 3][0];
    for (int i = 0; i < t_[page_rows]; ++i) *to++ = solved ? lambda_[i] : not_a_number;
    if (t_[page_wrenches] > 0) {
      const Row<1>* wrenches = model.reactions(vdot_, lambda_);
      for (int i = 0; i < t_[page_wrenches]; ++i) *to++ = solved ? wrenches[i][0] : not_a_number;
    }
    const double energy = balance(stored);
    if (count_ == 0) energy_at_start_ = energy;
    to[page_energy_error] = energy - energy_at_start_;
    to[page_smallest_pivot] = solved ? sine : not_a_number;
    to[page_position_residual] = to[page_velocity_residual] = not_a_number;
    if (t_[page_rows] > 0) write_residuals(to);
    if (t_.has_frame()) model.frame(frame_in_, frames_ + static_cast<long>(count_) * t_[page_frame_outputs]);
    last_ = t;
    ++count_;
  }

 private:
  static constexpr double not_a_number = __builtin_nan("");

  // As EnergyBalance::sum.
  double balance(double sum) const {
    for (int i = 0; i < t_[page_received]; ++i) sum -= x_[t_.received[i]][0];
    for (int i = 0; i < t_[page_lost]; ++i) sum += x_[t_.lost[i]][0];
    return sum;
  }
  void write_residuals(double* to) {
    const KernelOutputs<1>& view = machine_.model().correct_motion();
    Row<1> phi, phidot;
    largest<1>(t_[page_rows], view.phi, phi);
    largest<1>(t_[page_rows], view.phidot, phidot);
    to[page_position_residual] = phi[0], to[page_velocity_residual] = phidot[0];
  }

  const PageTables& t_;
  Row<1>* memory_;
  PageMachine machine_;
  Row<1>* x_;
  double *xdot_, *lambda_, *vdot_, *frame_in_;
  double *rows_, *frames_, energy_at_start_ = 0, last_ = 0;
  int capacity_, count_ = 0;
};

// With steps of one length comparisons are as they are at every stage, and there are no contacts.
template <class Steps>
inline constexpr bool locates_changes = false;
template <>
inline constexpr bool locates_changes<Embedded<1>> = true;

// Steps: FixedStep or Embedded. What asks for the full engine ends the motion.
template <class Steps>
class PageMotion : public CompiledMotion<PageMotion<Steps>, PageMachine, Steps> {
 public:
  template <class Options>
  PageMotion(const PageTables& tables, PageMachine& machine, PageRows& rows, const Options& options, Arena& arena)
      : Moving(machine, state_in(tables, arena), method_of(tables), options, memory_in(tables, arena)),
        t_(tables),
        seen_(rows) {
    if constexpr (locates_changes<Steps>) make_changes(arena);
    this->take_samples();
    if constexpr (locates_changes<Steps>) begin_changes();
    restart();
    show(state_.x);
    seen_.write(time(), state_.d);
  }

  PageStatus advance(int count) {
    for (; count > 0 && time() < end(); --count)
      if (const PageStatus status = step(); status != page_goes_on) return status;
    return time() < end() ? page_goes_on : page_finished;
  }
  // The page has changed parameters.
  void turn() {
    change_held([&] {
      machine_.model().take_parameters();
      seen_.machine().model().take_parameters();
    });
    restart();
  }
  const double* respond() {
    machine_.model().take_parameters();
    machine_.model().set({{time()}}, this->rows(state_.x));
    return machine_.model().acceleration().vdot->lane;
  }
  double time() const { return *state_.t; }
  const double* state() const { return state_.x; }
  long long taken() const { return taken_; }

  // ---- host of the loop: phases that are the page's own

  // A step that is tried may go anywhere; one that is taken may not.
  Tried<1> attempt(bool) {
    const Tried<1> tried = Moving::attempt(true);
    if (!tried.stepped) out_of_reach = false;
    return tried;
  }
  bool show_all(bool) {
    if (machine_.left() == page_goes_on && this->hides_hump() && !this->is_unsound()) {
      out_of_reach = false;
      restart();
      return false;
    }
    if (!goes_on(out_of_reach ? page_out_of_reach : machine_.left()) || this->is_unsound()) return false;
    ++taken_;
    return true;
  }
  bool find_changes(bool) { return Moving::find_changes(true) && goes_on(machine_.left()); }
  bool watch(bool) { return goes_on(write_rows(this->until())); }

  // ---- what the loop asks for

  double end() const { return t_[page_end]; }
  PageMachine& looking() {
    seen_.machine().model().hold(state_.d);
    return seen_.machine();
  }
  const Tolerance<1>* tolerance() {
    tolerance_ = {t_[page_rtol], reinterpret_cast<const Row<1>*>(t_.atol)};
    return t_.controlled() ? &tolerance_ : nullptr;
  }
  void look_in_vain() {}  // is_unsound() tells
  template <class Step>
  void find([[maybe_unused]] const Step& step, [[maybe_unused]] Change& change) {
    if constexpr (locates_changes<Steps>) {
      if (events_) change.take(ChangeKind::comparison, events_->find_change(step));
      if (contacts_) change.take(ChangeKind::contact, contacts_->find_change(step, change.before(step.t())));
    }
  }
  void change_laws([[maybe_unused]] const Change& change) {
    if constexpr (locates_changes<Steps>) {
      if (change.kind == ChangeKind::contact)
        change_contacts();
      else
        events_->change(time(), state_.x);
      if (events_) hold_outcomes();
      if (contacts_) contacts_->forget();
    }
  }
  template <class Jump>
  void change_held(const Jump& jump) {
    if constexpr (locates_changes<Steps>) {
      if (contacts_) contacts_->forget();
      if (!events_) return jump();
      events_->change_held(time(), state_.x, jump);
      hold_outcomes();
    } else {
      jump();
    }
  }
  void restart() { this->steps_.start(0, time(), state_.x); }

 private:
  using Moving = CompiledMotion<PageMotion, PageMachine, Steps>;
  using Moving::machine_;
  using Moving::state_;

  static const Tableau& method_of(const PageTables& t) { return tableau_of(t[page_method]); }
  static MotionState state_in(const PageTables& t, Arena& arena) {
    MotionState state = {
        arena.rows(1)->lane, arena.rows(t.nx())->lane, arena.rows(t[page_nd])->lane,
        static_cast<SampleClock*>(arena.take(sizeof(SampleClock) * static_cast<unsigned long>(t[page_clocks]))),
        new (arena.take(sizeof(StopMemory))) StopMemory};
    *state.t = t[page_t];
    for (int i = 0; i < t.nx(); ++i) state.x[i] = t.x[i];
    for (int i = 0; i < t[page_nd]; ++i) state.d[i] = t.d[i];
    for (int k = 0; k < t[page_clocks]; ++k)
      state.clocks[k] = SampleClock::from(t.clocks[2 * k], t.clocks[2 * k + 1], t[page_t]);
    return state;
  }
  static MotionMemory memory_in(const PageTables& t, Arena& arena) {
    return {arena.rows(Steps::memory(method_of(t), t.nx())), arena.rows(DenseOutput<1>::memory(method_of(t), t.nx())),
            arena.rows(t.nx()), arena.rows(t[page_lookups])->lane};
  }
  void make_changes(Arena& arena) {
    if (t_[page_nw] > 0) make_events(arena);
    if (t_[page_contacts] > 0) make_contacts(arena);
  }
  void begin_changes() {
    begin_events();
    if (!contacts_) return;
    contacts_->set_time(time());
    contacts_->begin();
    begin_events();
  }
  void make_events(Arena& arena) {
    const auto count = static_cast<unsigned long>(t_[page_nw]);
    auto* comparisons = static_cast<Comparison*>(arena.take(sizeof(Comparison) * count));
    auto* guards = static_cast<Guard*>(arena.take(sizeof(Guard) * 2 * count));
    auto* status = static_cast<ComparisonStatus*>(arena.take(sizeof(ComparisonStatus) * count));
    events_ = new (arena.take(sizeof(PageEvents)))
        PageEvents(t_, machine_, arena.rows(PageEvents::numbers(t_))->lane, comparisons, guards, status);
  }
  void make_contacts(Arena& arena) {
    contacts_ = new (arena.take(sizeof(PageContacts)))
        PageContacts(t_, machine_, state_.x, state_.d, [&](unsigned long bytes) { return arena.take(bytes); });
  }
  void begin_events() {
    if (!events_) return;
    events_->begin(time(), state_.x);
    hold_outcomes();
  }
  // Comparisons of velocities jump with them.
  void change_contacts() {
    contacts_->set_time(time());
    const auto change = [&] { contacts_->change(); };
    events_ ? events_->jump_with(time(), state_.x, change) : change();
  }
  void hold_outcomes() {
    events_->take_outcomes();
    seen_.machine().hold_outcomes(events_->status(), events_->outcomes());
  }

  bool goes_on(PageStatus status) { return status_ = status, status == page_goes_on; }
  PageStatus step() {
    status_ = page_goes_on;
    Tried<1> tried;
    do tried = step::advance<1>(*this, true);
    while (status_ == page_goes_on && machine_.left() == page_goes_on && !this->is_unsound() && !tried.failed &&
           !tried.stepped);
    if (status_ != page_goes_on) return status_;
    if (machine_.left() != page_goes_on) return machine_.left();
    if (tried.failed) return this->steps_.status(0) == StepStatus::projection_failed ? page_off : page_step_too_small;
    return tried.stepped ? page_goes_on : page_not_sound;
  }

  // As Observation::write_rows.
  void show(const double* x) {
    for (int i = 0; i < t_.nx(); ++i) seen_.x()[i][0] = x[i];
  }
  PageStatus write_rows(double until) {
    for (double due = seen_.next_time();
         !seen_.is_full() && due <= until + 1e-12 * t_[page_record] && seen_.last() < end(); due = seen_.next_time()) {
      if (due < this->t()) {
        if (!this->make_dense()) return page_not_sound;
        this->dense().evaluate(this->ends(), {{due}}, seen_.x());
        PageMachine& seeing = seen_.machine();
        if (t_.corrects_rows() && !seeing.project(true, {{due}}, seen_.x(), nullptr)) return seeing.left();
      } else {
        show(this->x());
      }
      seen_.write(due, state_.d);
    }
    return page_goes_on;
  }

  const PageTables& t_;
  PageRows& seen_;
  Tolerance<1> tolerance_;
  PageContacts* contacts_ = nullptr;  // null: there are none
  PageEvents* events_ = nullptr;      // null: there are no comparisons, or their changes are not located
  PageStatus status_ = page_goes_on;
  long long taken_ = 0;
};

// ---- what the page calls

Arena arena;
PageTables* model_tables = nullptr;
PageRows* rows = nullptr;
PageMachine* machine = nullptr;
PageMotion<FixedStep<1>>* fixed = nullptr;
PageMotion<Embedded<1>>* embedded = nullptr;
int* integers = nullptr;
double* numbers = nullptr;

}  // namespace
}  // namespace armature::step

using namespace armature::step;

extern "C" {

// Memory that stays, for the tables of the model's module.
__attribute__((export_name("reserve"))) void* reserve(unsigned long bytes) {
  void* at = arena.take(bytes);
  arena.keep();
  return at;
}

__attribute__((export_name("prepare"))) void prepare(unsigned long integer_count, unsigned long number_count) {
  arena.clear();
  integers = static_cast<int*>(arena.take(integer_count * sizeof(int)));
  numbers = static_cast<double*>(arena.take(number_count * sizeof(double)));
}
__attribute__((export_name("integers"))) int* where_integers() { return integers; }
__attribute__((export_name("numbers"))) double* where_numbers() { return numbers; }
// Some numbers for the page itself, until the next prepare().
__attribute__((export_name("room"))) double* room(unsigned long count) {
  return arena.rows(static_cast<long>(count))->lane;
}

__attribute__((export_name("begin"))) void begin() {
  out_of_reach = false;
  fixed = nullptr, embedded = nullptr;
  model_tables = new (arena.take(sizeof(PageTables))) PageTables(integers, numbers);
  const PageTables& t = *model_tables;
  rows = new (arena.take(sizeof(PageRows))) PageRows(t, arena);
  machine = new (arena.take(sizeof(PageMachine))) PageMachine(t, arena.rows(PageMachine::memory(t)));
  if (t.controlled()) {
    Embedded<1>::Options options;
    options.tolerance = {t[page_rtol], reinterpret_cast<const Row<1>*>(t.atol)};
    options.max_step = t[page_max_step];
    embedded = new (arena.take(sizeof(*embedded))) PageMotion<Embedded<1>>(t, *machine, *rows, options, arena);
  } else {
    const FixedStep<1>::Options options{t[page_step], true, t[page_symplectic] ? t[page_nq] : 0};
    fixed = new (arena.take(sizeof(*fixed))) PageMotion<FixedStep<1>>(t, *machine, *rows, options, arena);
  }
}

__attribute__((export_name("advance"))) int advance(int steps) {
  return embedded ? embedded->advance(steps) : fixed->advance(steps);
}
__attribute__((export_name("respond"))) const double* respond() {
  return embedded ? embedded->respond() : fixed->respond();
}
__attribute__((export_name("turn"))) void turn() { embedded ? embedded->turn() : fixed->turn(); }
__attribute__((export_name("state"))) const double* state() { return embedded ? embedded->state() : fixed->state(); }
__attribute__((export_name("time"))) double time() { return embedded ? embedded->time() : fixed->time(); }
__attribute__((export_name("steps"))) double steps() {
  return static_cast<double>(embedded ? embedded->taken() : fixed->taken());
}
__attribute__((export_name("row_count"))) int row_count() { return rows->count(); }
__attribute__((export_name("row_size"))) int row_size() { return rows->row_size(); }
__attribute__((export_name("rows"))) const double* where_rows() { return rows->rows(); }
__attribute__((export_name("frames"))) const double* where_frames() { return rows->frames(); }
}
