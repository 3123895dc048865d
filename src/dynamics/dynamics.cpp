#include "dynamics/dynamics.hpp"

#include "dynamics/acceleration_jacobian.hpp"
#include "dynamics/noted_forces.hpp"
#include "dynamics/step_kernel.hpp"

namespace armature::internal {
namespace {

step::Row<1>* one_row(double* numbers) { return reinterpret_cast<step::Row<1>*>(numbers); }
const step::Row<1>* one_row(const double* numbers) { return reinterpret_cast<const step::Row<1>*>(numbers); }

// Of step/motion.hpp.
struct OneEngine {
  FullEngine& full;
  bool derivative(int, double t, const double* x, double* xdot) { return full.derivative(t, x, xdot); }
  bool project(int, double t, double* x, double* error) { return full.project(t, x, error); }
  step::MachineSizes sizes(int, double t, const double* x) { return full.sizes(t, x); }
  void take_weight(int, int comparison, double weight) { full.comparisons().set_weight(comparison, weight); }
  void hold(int) {}
};

}  // namespace

struct Dynamics::Regular : StepKernel<1, KernelEvaluator<1>> {
  using StepKernel::StepKernel;
};

Dynamics::Dynamics(std::shared_ptr<const System> system, const FormulationOptions& formulation,
                   const Stabilization& stabilization)
    : evaluator_(std::move(system)),
      regular_(std::make_unique<Regular>(evaluator_.system(), evaluator_.kernels())),
      stabilization_(stabilization),
      engine_(evaluator_, formulation, stabilization_) {
  const Layout& layout = evaluator_.system().layout();
  rows_.resize(layout.nv, layout.m);
  rows_.set_groups(row_groups(evaluator_.system().equations()));
  jacobian_ = std::make_unique<AccelerationJacobian>(evaluator_, stabilization_, rows_);
  unprojected_ = Eigen::VectorXd::Zero(layout.nx());
  forces_.resize(2 * evaluator_.system().equations().contacts.size());
  evaluator_.translate(engine_.solver().traced(), stabilization.alpha != 0 || stabilization.beta != 0);
  set_baumgarte(stabilization.alpha, stabilization.beta);
}

Dynamics::~Dynamics() = default;

int Dynamics::size() const { return system().layout().nx(); }
int Dynamics::position_size() const { return system().layout().nq; }

// ---- what is held between steps

step::LaneTraits Dynamics::traits() const {
  const Stabilization& s = stabilization_;
  const ComparisonWeights& comparisons = engine_.comparisons();
  const bool traced = engine_.solver().traced(), kernels = system().options().traced_solve;
  step::LaneTraits traits;
  traits.plain = traced && !comparisons.slide() && !comparisons.follows_roots();
  traits.sliding = traced && !comparisons.follows_roots() ? comparisons.single_sliding() : -1;
  traits.rate = comparisons.rate();
  traits.pulled = s.alpha != 0 || s.beta != 0;
  traits.projects = s.projection;
  traits.post_adjusts = s.post_adjust || !kernels;
  traits.finishes = traits.plain && s.projection && !traits.post_adjusts && !traits.pulled;
  return traits;
}

void Dynamics::set_state(const State& state) {
  evaluator_.hold(state);
  comparisons().set(state);
  regular_->motion.set(0, traits());
}

void Dynamics::follow_roots(bool follow) {
  comparisons().follow_roots(follow);
  regular_->motion.set(0, traits());
}

void Dynamics::set_typical_rate(double rate) {
  comparisons().set_rate(rate);
  engine_.projection().set_rate(rate);
  regular_->motion.set(0, traits());
}

void Dynamics::set_baumgarte(double alpha, double beta) {
  stabilization_.alpha = alpha, stabilization_.beta = beta;
  evaluator_.kernels().set_gains(0, alpha, beta);
  regular_->motion.set(0, traits());
}

void Dynamics::begin_projection_as(const ProjectionBeginning& beginning) {
  engine_.projection().begin_as(beginning);
  regular_->motion.begin(0);
}

// ---- f, by the step kernel; what leaves it goes to the engine

bool Dynamics::derivative(double t, const double* x, double* xdot) {
  OneEngine engine{engine_};
  auto& motion = regular_->motion;
  if (!motion.derivative(engine, true, {{t}}, one_row(x), one_row(xdot))) return false;
  if (!motion.was_regular(0)) return true;
  take_step_rates(t);
  if (comparisons().slide()) comparisons().note_solved(t, x);
  return true;
}

void Dynamics::take_step_rates(double t) {
  const auto& motion = regular_->motion;
  engine_.solver().take_traced(motion.rates().vdot->lane, motion.rates().lambda->lane, motion.ratio()[0]);
  engine_.count_evaluation();
  if (motion.plain(0)) note_forces(*this, t, motion.rates(), 0);
}

std::span<double> Dynamics::contact_forces_to_note(double t) {
  if (forces_.empty() || t < forces_t_) return {};
  forces_t_ = t;
  return forces_;
}

bool Dynamics::jacobian(double t, const double* x, Eigen::MatrixXd& J) {
  return !comparisons().slide() && !FullEngine::is_given_up(system(), false) && (*jacobian_)(t, x, J);
}

bool Dynamics::solve_multipliers(double t, const double* x) {
  const bool all_rows = static_cast<int>(system().options().independent_rows.size()) == system().layout().m;
  evaluator_.set(t, x);
  evaluator_.set_outcomes(weights());
  if (comparisons().follows_roots()) comparisons().take_signs();
  if (!engine_.solve_acceleration(t, x)) return false;
  if (all_rows || !engine_.solver().formulation().is_auto()) return true;
  return engine_.solver().take_least_multipliers(rows_);
}

// ---- the return to the constraints, at the end of a step and between steps

bool Dynamics::project(double t, double* x, double* error) {
  OneEngine engine{engine_};
  const bool ok = regular_->motion.project(engine, true, {{t}}, one_row(x), error ? one_row(error) : nullptr);
  count_projection();
  return ok;
}

void Dynamics::count_projection() {
  Statistics& counts = engine_.statistics();
  const Projection::Statistics& in_full = engine_.projection().statistics();
  ++counts.projections;
  counts.projection_steps = in_full.steps + regular_->motion.projection().steps(0);
  counts.dense_projections = in_full.dense;
}

void Dynamics::project_if_possible(double t, double* x) {
  unprojected_ = Eigen::Map<const Eigen::VectorXd>(x, size());
  if (!project(t, x, nullptr)) Eigen::Map<Eigen::VectorXd>(x, size()) = unprojected_;
}

Ode::Finish Dynamics::finish(double t, double* x, double* xdot, double* error, double weight) {
  OneEngine engine{engine_};
  const step::Finish<1> done =
      regular_->motion.finish(engine, true, {{t}}, one_row(x), one_row(xdot), one_row(error), {{weight}});
  if (!done.any()) return Finish::nothing;
  count_projection();
  take_step_rates(t);
  return done.all ? Finish::all : done.all_before ? Finish::all_before : Finish::all_but_derivative;
}

}  // namespace armature::internal
