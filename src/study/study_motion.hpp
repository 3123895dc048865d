// A motion of a map or a sweep as a motion of gpu/motions.hpp: from its assembled start, step by step with error control or with steps
// of one length, until its end or until its class is known. What its formulas gather on the way (gathered.hpp) is its result. A motion in
// which anything is special leaves: a small pivot, a step that fails, what a warning would be about.
//
// Common:  rtol  max_step  step  end  rate  alpha  beta  open_gap  energy_error
// Inputs:  t | x | d | p | atol | per_row | per_position | per_velocity | point | gaps
//          per_…: MachineSizes; point: what is varied; gaps: of each constraint row, the size that its gap is measured by, or less
// Results: class (-1: not known before the end) | t at the end | functionals
//
// Plant, which study_card.cpp writes:
//   nq, nv, nz, nx, nd, np, rows, constraints, point, formulas, functional_count    sizes
//   inputs, outputs, looks                                     numbers of the kernels' inputs and outputs, and of look()
//   input_alpha, input_position_error, input_velocity_error, input_weight, d, p     places among the inputs
//   work                                                       the state that counts what stabilization adds, among z; -1: none
//   controlled, projects, pulled, follows, follows_steps[]     method; stabilization; discrete values that follow steps
//   plain[], quaternions[], plain_count, quaternion_count      as in Configuration
//   received[], lost[], stabilization, balances                as in EnergyBalance
//   method(), steps_memory, dense_memory                       the tableau, and rows that the steps and dense output need
//   functionals[], decides, decided(bounds, point)             Measured; whether there are classes; the class, -1: it cannot be told yet
//   kernels by name: StudyOutputs of each;  observe(in, y), look(in, out): formulas; energies (kinetic, potential, magnetic) and phi
#pragma once

#include "gpu/motions.hpp"
#include "step/dense_output.hpp"
#include "step/dop853.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"
#include "step/motion.hpp"
#include "step/tableaus.hpp"
#include "study/gathered.hpp"
#include "study/interval.hpp"

// Stays a function: it is called in several places, and large.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ARMATURE_CALLED __host__ __device__ __noinline__
#else
#define ARMATURE_CALLED __attribute__((noinline))
#endif

namespace armature::step {

// Of a kernel, those that it has.
struct StudyOutputs {
  const Row<1>*vdot = nullptr, *lambda = nullptr, *qdot = nullptr, *zdot = nullptr, *dq = nullptr, *dv = nullptr;
  const Row<1>*d_position_error = nullptr, *d_velocity_error = nullptr, *position_error = nullptr, *velocity_error = nullptr;
  const Row<1>*work = nullptr, *phi = nullptr, *phidot = nullptr, *mass_pivots = nullptr, *pivots = nullptr;
  const Row<1>*scales = nullptr, *discrete = nullptr, *energy = nullptr;
};

// Kernels that a model does not have; nobody calls them then.
struct NoStudyKernels {
  ARMATURE_STEP static StudyOutputs acceleration(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs acceleration_baumgarte(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs correct_motion(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs correct_position(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs correct_velocity(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs correct_velocity_and_errors(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs step_end(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs discrete(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static StudyOutputs energy(const double*, Row<1>*) { return {}; }
};

// What a motion keeps from step to step.
template <class Plant>
struct StudyState {
  double t, x[Plant::nx + 1], f[Plant::nx + 1], d[Plant::nd + 1], p[Plant::np + 1];
  double atol[Plant::nx + 1], per_row[Plant::rows + 1], per_position[Plant::nq + 1], per_velocity[Plant::nv + 1];
  bool knows_f;  // f is that at (t, x): a step was taken
  StepControl control;
  StepGrid grid;
};

// Model of Motion.
template <class Plant>
class StudyModel {
 public:
  ARMATURE_STEP StudyModel(const StudyState<Plant>& s, double alpha, double beta) {
    in_[0] = s.t;
    for (int i = 0; i < Plant::nx; ++i) in_[1 + i] = s.x[i];
    for (int i = 0; i < Plant::nd; ++i) in_[Plant::d + i] = s.d[i];
    for (int i = 0; i < Plant::np; ++i) in_[Plant::p + i] = s.p[i];
    if (Plant::pulled) in_[Plant::input_alpha] = alpha, in_[Plant::input_alpha + 1] = beta;
  }
  ARMATURE_STEP const double* inputs() const { return in_; }
  ARMATURE_STEP void set(const Row<1>& t, const Row<1>* x) { set(t[0], x->lane); }
  ARMATURE_STEP void set(double t, const double* x) {
    in_[0] = t;
    for (int i = 0; i < Plant::nx; ++i) in_[1 + i] = x[i];
  }
  ARMATURE_STEP void hold(const double* d) {
    for (int i = 0; i < Plant::nd; ++i) in_[Plant::d + i] = d[i];
  }
  ARMATURE_STEP StudyOutputs acceleration() { return Plant::acceleration(in_, out_); }
  ARMATURE_STEP StudyOutputs acceleration_baumgarte() { return Plant::acceleration_baumgarte(in_, out_); }
  ARMATURE_STEP StudyOutputs correct_motion() { return Plant::correct_motion(in_, out_); }
  ARMATURE_STEP StudyOutputs correct_position() { return Plant::correct_position(in_, out_); }
  ARMATURE_STEP StudyOutputs correct_velocity() { return Plant::correct_velocity(in_, out_); }
  ARMATURE_STEP StudyOutputs correct_velocity_and_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    set_errors(position_error, velocity_error);
    return Plant::correct_velocity_and_errors(in_, out_);
  }
  ARMATURE_STEP StudyOutputs step_end(const Row<1>* position_error, const Row<1>* velocity_error, const Row<1>& weight) {
    set_errors(position_error, velocity_error);
    in_[Plant::input_weight] = weight[0];
    return Plant::step_end(in_, out_);
  }
  ARMATURE_STEP const Row<1>* discrete() { return Plant::discrete(in_, out_).discrete; }
  ARMATURE_STEP const Row<1>& energy() {  // the outputs of other kernels stay
    Plant::energy(in_, &energy_);
    return energy_;
  }

  // Nothing slides here.
  ARMATURE_STEP Row<1>* weights() { return nullptr; }
  ARMATURE_STEP const Row<1>* roots() { return nullptr; }
  ARMATURE_STEP const Row<1>* root_rates(const Row<1>*) { return nullptr; }

 private:
  ARMATURE_STEP void set_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    for (int i = 0; i < Plant::nv; ++i) {
      in_[Plant::input_position_error + i] = position_error[i][0];
      in_[Plant::input_velocity_error + i] = velocity_error[i][0];
    }
  }

  double in_[Plant::inputs];
  Row<1> out_[Plant::outputs], energy_;
};

// f with its return to the constraints: F of the steps, and Engine of Motion, to which everything special comes.
template <class Plant>
class StudyDynamics {
 public:
  ARMATURE_STEP StudyDynamics(const StudyState<Plant>& s, const double* common)
      : s_(s), model_(s, common[5], common[6]), motion_(model_, sizes(), memory_) {
    LaneTraits traits;
    traits.plain = true, traits.pulled = Plant::pulled, traits.projects = Plant::projects;
    traits.finishes = Plant::projects && !Plant::pulled;
    traits.rate = common[4];
    motion_.set(0, traits);
  }
  ARMATURE_STEP bool special() const { return special_; }  // something was
  ARMATURE_STEP StudyModel<Plant>& model() { return model_; }

  ARMATURE_CALLED bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    return motion_.derivative(*this, lanes, t, x, xdot);
  }
  ARMATURE_CALLED bool project(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* error) {
    return motion_.project(*this, lanes, t, x, error);
  }
  ARMATURE_CALLED Finish<1> finish(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* xdot, Row<1>* error, const Row<1>& weight) {
    return motion_.finish(*this, lanes, t, x, xdot, error, weight);
  }

  ARMATURE_STEP bool derivative(int, double, const double*, double*) { return special_ = true, false; }
  ARMATURE_STEP bool project(int, double, double*, double*) { return special_ = true, false; }
  ARMATURE_STEP MachineSizes sizes(int, double, const double*) { return {s_.per_row, s_.per_position, s_.per_velocity}; }
  ARMATURE_STEP void take_weight(int, int, double) {}
  ARMATURE_STEP void hold(int) {}

 private:
  using Moving = Motion<1, StudyModel<Plant>>;
  ARMATURE_STEP static typename Moving::Sizes sizes() {
    typename Moving::Sizes sizes;
    sizes.nq = Plant::nq, sizes.nv = Plant::nv, sizes.nz = Plant::nz, sizes.rows = Plant::rows;
    sizes.work = Plant::work, sizes.counts_work = Plant::work >= 0;
    sizes.configuration = {Plant::nq,    Plant::nv,         Plant::plain_count, Plant::quaternion_count,
                           Plant::plain, Plant::quaternions};
    return sizes;
  }

  const StudyState<Plant>& s_;
  StudyModel<Plant> model_;
  // as Motion::memory(): 2 nv + nq + rows, 2 nx, 2 (nx + 1)
  Row<1> memory_[2 * Plant::nv + Plant::nq + Plant::rows + 4 * Plant::nx + 2];
  Moving motion_;
  bool special_ = false;
};

// One step of the method, and the motion inside it: Path of Gathering.
template <class Plant>
class StudyStep {
 public:
  ARMATURE_STEP StudyStep(StudyState<Plant>& s, const double* common)
      : s_(s),
        dynamics_(s, common),
        tolerance_{common[0], reinterpret_cast<const Row<1>*>(s.atol)},
        steps_(method(), Plant::nx, options(common, tolerance_), memory_),
        dense_(method(), Plant::nx, dense_memory_) {
    if (!s.knows_f)
      steps_.start(0, s.t, s.x);
    else if constexpr (Plant::controlled)
      steps_.resume(0, s.t, s.x, s.f, s.control);
    else
      steps_.resume(0, s.t, s.x, s.f, s.grid);
  }

  // False: something is special.
  ARMATURE_STEP bool take(double end) {
    for (;;) {
      const Tried<1> tried = steps_.attempt(dynamics_, true, {{end}});
      if (dynamics_.special() || tried.failed) return false;
      if (tried.stepped) return true;
    }
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
  ARMATURE_STEP bool make_dense() {
    const Ends<1> ends{steps_.previous_t(), steps_.t(), steps_.previous_x(), steps_.x()};
    return dense_.make(dynamics_, steps_.method(), true, ends, Plant::controlled ? &tolerance_ : nullptr) &&
           !dynamics_.special();
  }

  ARMATURE_STEP double t() const { return steps_.t()[0]; }
  ARMATURE_STEP const double* x() const { return steps_.x()->lane; }
  ARMATURE_STEP StudyModel<Plant>& model() { return dynamics_.model(); }
  ARMATURE_STEP bool special() const { return dynamics_.special(); }

  // The state at the end of the step, for the next one.
  ARMATURE_STEP void keep() {
    s_.t = t(), s_.knows_f = true;
    for (int i = 0; i < Plant::nx; ++i) s_.x[i] = x()[i], s_.f[i] = steps_.method().last()[i][0];
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
  ARMATURE_STEP void raise(const Measured&, double, double, double, PieceTop&) {}
  ARMATURE_STEP double integral(const Measured&, double from, double to, const double* y, double) {
    return (to - from) * boole(y);
  }

 private:
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

  ARMATURE_STEP void interpolate(double t) {
    if (t == this->t()) {
      copy<1>(true, Plant::nx, steps_.x(), x_);
      return;
    }
    dense_.evaluate({steps_.previous_t(), steps_.t(), steps_.previous_x(), steps_.x()}, {{t}}, x_);
  }
  ARMATURE_STEP const double* observe_x(double t) {
    model().set(t, x_->lane);
    Plant::observe(model().inputs(), y_);
    return y_;
  }

  StudyState<Plant>& s_;
  StudyDynamics<Plant> dynamics_;
  Tolerance<1> tolerance_;
  Row<1> memory_[Plant::steps_memory], dense_memory_[Plant::dense_memory];
  Steps steps_;
  DenseOutput<1> dense_;
  Row<1> x_[Plant::nx + 1];
  double y_[Plant::formulas + 1];
};

// What warnings are about (run/judgement.hpp), measured as MotionChecks does. A motion that comes near to one leaves, and the
// processor judges it.
template <class Plant>
class StudyChecks {
 public:
  static constexpr int interval = 32;  // steps

  ARMATURE_STEP void begin(const double* energies, const double* x, const double* gaps) {
    *this = {};
    at_start_ = sum(energies, x), potential_ = energies[1];
    for (int i = 0; i < Plant::constraints; ++i) gap_sizes_[i] = gaps[i];
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
    if (!(gap_ <= margin * common[7])) return false;
    return !Plant::balances || (error_ <= margin * common[8] * size_ && added_ <= margin * unbalanced * size_);
  }

 private:
  ARMATURE_STEP static double sum(const double* energies, const double* x) {
    double sum = energies[0] + energies[1] + energies[2];
    for (int i = 0; i < Plant::received_count; ++i) sum -= x[Plant::received[i]];
    for (int i = 0; i < Plant::lost_count; ++i) sum += x[Plant::lost[i]];
    return sum;
  }

  double at_start_ = 0, potential_ = 0, error_ = 0, added_ = 0, size_ = 0, gap_ = 0;
  double gap_sizes_[Plant::constraints + 1] = {};
};

template <class Plant>
class StudyMotion {
 public:
  static constexpr int inputs = 1 + 2 * Plant::nx + Plant::nd + Plant::np + Plant::rows + Plant::nq + Plant::nv +
                                Plant::point + Plant::constraints;
  static constexpr int results = 2 + Plant::functional_count;

  ARMATURE_STEP Progress begin(const double* common, const double* in, long long) {
    // its start
    const double* from = in + 1;
    const auto take = [&](int n, double* to) {
      for (int i = 0; i < n; ++i) to[i] = *from++;
    };
    s_.t = t_start_ = in[0], s_.knows_f = false;
    take(Plant::nx, s_.x), take(Plant::nd, s_.d), take(Plant::np, s_.p), take(Plant::nx, s_.atol);
    take(Plant::rows, s_.per_row), take(Plant::nq, s_.per_position), take(Plant::nv, s_.per_velocity);
    take(Plant::point, point_);
    steps_ = stiff_ = 0, class_ = -1;
    // what is seen of it
    StudyModel<Plant> model(s_, common[5], common[6]);
    double y[Plant::formulas + 1], looked[Plant::looks];
    Plant::observe(model.inputs(), y);
    for (int k = 0; k < Plant::functional_count; ++k)
      known_[k].begin(Plant::functionals[k], s_.t, y[Plant::functionals[k].observed]);
    Plant::look(model.inputs(), looked);
    checks_.begin(looked, s_.x, from);
    return Plant::take_out_of_reach() || !(s_.t < common[3]) ? Progress::leaves : Progress::goes_on;
  }

  ARMATURE_STEP Progress advance(const double* common) {
    StudyStep<Plant> step(s_, common);
    const double before = s_.t;
    if (!step.take(common[3])) return leave();
    if (Plant::controlled && ++steps_ % StudyChecks<Plant>::interval == 0) stiff_ += step.is_stiff();
    if (!Plant::controlled) ++steps_;
    if (!gather(step, before)) return leave();
    // its end: enough is known, or there is no more
    class_ = decide(step.t(), common[3]);
    const bool ended = class_ >= 0 || !(step.t() < common[3]);
    if (ended || steps_ % StudyChecks<Plant>::interval == 0) look(step);
    step.keep();
    follow_step(step);
    if (Plant::take_out_of_reach() || (ended && !is_sound(common))) return Progress::leaves;
    return ended ? Progress::ended : Progress::goes_on;
  }

  ARMATURE_STEP void result(const double*, double* numbers) const {
    numbers[0] = class_, numbers[1] = s_.t;
    for (int k = 0; k < Plant::functional_count; ++k)
      numbers[2 + k] = known_[k].value(Plant::functionals[k], s_.t, t_start_);
  }

 private:
  static constexpr int count = Plant::formulas;

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

  ARMATURE_STEP bool gather(StudyStep<Plant>& step, double from) {
    if (needs_dense(from, step.t()) && !step.make_dense()) return false;
    double t[piece_samples], y[piece_samples * count + 1] = {}, room[piece_samples * count + 1];
    sample_times(from, step.t(), t);
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

  ARMATURE_STEP void look(StudyStep<Plant>& step) {
    double looked[Plant::looks];
    step.model().set(step.t(), step.x());
    Plant::look(step.model().inputs(), looked);
    checks_.look(looked, step.x());
  }

  ARMATURE_STEP void follow_step(StudyStep<Plant>& step) {
    if (!Plant::follows) return;
    step.model().set(s_.t, s_.x);
    const Row<1>* values = step.model().discrete();
    for (int i = 0; i < Plant::nd; ++i)
      if (Plant::follows_steps[i]) s_.d[i] = values[i][0];
  }

  // Nothing to be warned of. Below so many steps a run is over before anybody minds that they are short.
  ARMATURE_STEP bool is_sound(const double* common) const {
    constexpr long many_steps = 2000;
    const bool mostly_stiff = steps_ >= many_steps && 2 * StudyChecks<Plant>::interval * stiff_ > steps_;
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
  int class_;
};

}  // namespace armature::step
