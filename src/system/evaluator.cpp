// Running a System's programs for one thread: inputs in, outputs scattered into matrices.
#include <algorithm>
#include <cmath>

#include "linear/all_finite.hpp"
#include "linear/largest.hpp"
#include "system/system.hpp"

namespace armature::internal {

namespace {

template <class Outputs>
void scatter(const double* out, const Outputs& outputs, Eigen::MatrixXd& matrix) {
  out += outputs.first;
  for (const auto& place : outputs.places) {
    matrix(place.row, place.column) = *out;
    if (outputs.symmetric) matrix(place.column, place.row) = *out;
    ++out;
  }
}

template <class Outputs>
void scatter(const double* out, const Outputs& outputs, SparseMatrix& matrix) {
  out += outputs.first;
  double* values = matrix.valuePtr();
  for (const auto& place : outputs.places) values[place.entry] = values[place.mirrored] = *out++;
}

// Eigen copies a few numbers in line, where the library's copy is a call.
void copy(const double* from, Eigen::Index size, double* to) {
  Eigen::Map<Eigen::VectorXd>(to, size) = Eigen::Map<const Eigen::VectorXd>(from, size);
}

void read(const double* out, int first, Eigen::VectorXd& vector) {
  if (first >= 0) copy(out + first, vector.size(), vector.data());
}
void read(const step::Row<1>* rows, Eigen::VectorXd& vector) { copy(rows->lane, vector.size(), vector.data()); }

// Rows of a single state are its numbers.
using Row = step::Row<1>;
static_assert(sizeof(Row) == sizeof(double));
const Row* rows_of(const double* numbers) { return reinterpret_cast<const Row*>(numbers); }

}  // namespace

SystemEvaluator::SystemEvaluator(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      kernels_(system_),
      position_(system_->position_.program),
      motion_(system_->motion_.program),
      all_(system_->all_.program),
      start_position_(system_->start_position_.program),
      start_velocity_(system_->start_velocity_.program) {
  if (system_->jacobian_.program) jacobian_ = Evaluator(system_->jacobian_.program);
  for (const Evaluator* evaluator : {&position_, &motion_, &all_, &start_position_, &start_velocity_})
    kernels_.make_room(evaluator->program().output_count());
  if (system_->jacobian_.program) kernels_.make_room(jacobian_.program().output_count());
}

namespace {

template <class Matrix>
TermsOf<Matrix> sized_terms(const Layout& n, const SparseMatrix& M, const SparseMatrix& Phi) {
  TermsOf<Matrix> terms;
  terms.M = M, terms.Phi = Phi;
  terms.phi = terms.phidot = terms.gamma = terms.extent = Eigen::VectorXd::Zero(n.m);
  terms.qdot = Eigen::VectorXd::Zero(n.nq);
  terms.f = Eigen::VectorXd::Zero(n.nv);
  terms.zdot = Eigen::VectorXd::Zero(n.nz);
  return terms;
}

}  // namespace

Terms SystemEvaluator::make_terms() const {
  return sized_terms<Eigen::MatrixXd>(system_->layout(), system_->all_.M.constants, system_->all_.Phi.constants);
}

SparseTerms SystemEvaluator::make_sparse_terms() const {
  return sized_terms<SparseMatrix>(system_->layout(), system_->all_.M.constants, system_->all_.Phi.constants);
}

void SystemEvaluator::translate(bool traced, bool baumgarte) {
  const auto is_used = [&](Kernel kernel) {
    if (kernel == Kernel::acceleration) return traced && !baumgarte;
    if (kernel == Kernel::acceleration_open || kernel == Kernel::acceleration_sliding)
      return traced && !baumgarte && !system_->is_plain_acceleration(kernel);
    if (kernel == Kernel::acceleration_baumgarte) return traced && baumgarte;
    return entry_of(kernel).use == KernelEntry::Use::stepping;
  };
  std::vector<Evaluator*> often;
  for (const KernelEntry& entry : kernel_table())
    if (is_used(entry.kernel) && system_->program(entry.kernel)) often.push_back(&kernels_.evaluator(entry.kernel));
  if (!traced) often.push_back(&all_);
  if (system_->jacobian_.program) often.insert(often.end(), {&jacobian_, &all_, &motion_});
  armature::internal::translate(often);
}

void SystemEvaluator::set(const State& state) {
  set(state.t, state.x.data());
  hold(state);
}

void SystemEvaluator::hold(const State& state) {
  set_discrete(state.d);
  set_outcomes(state.w);
}

void SystemEvaluator::set(double t, const double* x) { kernels_.set({t}, rows_of(x)); }
void SystemEvaluator::set_outcomes(const Eigen::VectorXd& w) {
  std::copy_n(w.data(), w.size(), kernels_.weights()->lane);
}
void SystemEvaluator::set_discrete(const Eigen::VectorXd& d) { kernels_.hold_discrete(0, d.data()); }
void SystemEvaluator::set_parameters(const Eigen::VectorXd& p) {
  std::copy_n(p.data(), p.size(), kernels_.parameters()->lane);
}

template <class Matrix>
void SystemEvaluator::run_stage(const System::Stage& stage, Evaluator& evaluator, TermsOf<Matrix>& terms) {
  const double* out = kernels_.run(evaluator)->lane;
  scatter(out, stage.M, terms.M);
  scatter(out, stage.Phi, terms.Phi);
  read(out, stage.phi, terms.phi);
  for (std::size_t i = 0; i < system_->extent_rows_.size(); ++i)
    terms.extent[system_->extent_rows_[i]] = out[static_cast<std::size_t>(stage.extent) + i];
  read(out, stage.phidot, terms.phidot);
  read(out, stage.gamma, terms.gamma);
  read(out, stage.qdot, terms.qdot);
  read(out, stage.f, terms.f);
  read(out, stage.zdot, terms.zdot);
}

template <class Matrix>
void SystemEvaluator::position(TermsOf<Matrix>& terms) {
  run_stage(system_->position_, position_, terms);
}
template <class Matrix>
void SystemEvaluator::motion(TermsOf<Matrix>& terms) {
  run_stage(system_->motion_, motion_, terms);
}
template <class Matrix>
void SystemEvaluator::all(TermsOf<Matrix>& terms) {
  run_stage(system_->all_, all_, terms);
}

template void SystemEvaluator::position(Terms&);
template void SystemEvaluator::position(SparseTerms&);
template void SystemEvaluator::motion(Terms&);
template void SystemEvaluator::motion(SparseTerms&);
template void SystemEvaluator::all(Terms&);
template void SystemEvaluator::all(SparseTerms&);

void SystemEvaluator::roots(Eigen::VectorXd& roots) { read(kernels_.roots(), roots); }

void SystemEvaluator::take_outcomes(Eigen::VectorXd& w) {
  const std::vector<Graph::Comparison>& comparisons = system_->equations().graph->comparisons();
  for (int pass = 0; pass < system_->comparison_nesting(); ++pass) {
    const double* roots = kernels_.roots()->lane;
    for (Eigen::Index k = 0; k < w.size(); ++k) w[k] = comparisons[static_cast<std::size_t>(k)].outcome(roots[k]);
    set_outcomes(w);
  }
}

void SystemEvaluator::root_rates(const Eigen::VectorXd& vdot, Eigen::VectorXd& rates) {
  read(kernels_.root_rates(rows_of(vdot.data())), rates);
}

void SystemEvaluator::observables(Observables& values) {
  const auto& view = kernels_.observables();
  values.quantities.resize(system_->kernels().sizes().quantities);
  read(view.quantities, values.quantities);
  values.kinetic = *view.kinetic->lane, values.potential = *view.potential->lane;
  values.elastic = *view.elastic->lane, values.magnetic = *view.magnetic->lane;
}

const double* SystemEvaluator::next_stop() { return kernels_.next_stop()->lane; }
double SystemEvaluator::energy() { return *kernels_.energy().lane; }

void SystemEvaluator::next_discrete(Eigen::VectorXd& d) { sample(0, 0, d); }

void SystemEvaluator::sample(double period, double offset, Eigen::VectorXd& d) {
  const double* next = kernels_.discrete()->lane;
  const auto& values = system_->equations().discrete;
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (values[i].period == period && values[i].offset == offset) d[i] = next[i];
}

void SystemEvaluator::events(Eigen::VectorXd& values) { read(kernels_.events(), values); }

void SystemEvaluator::reactions(const Eigen::VectorXd& vdot, const Eigen::VectorXd& lambda, Eigen::VectorXd& wrenches) {
  wrenches.resize(system_->kernels().sizes().wrenches);
  read(kernels_.reactions(rows_of(vdot.data()), rows_of(lambda.data())), wrenches);
}

void SystemEvaluator::evaluate(const std::vector<Expression>& expressions, std::vector<double>& values) const {
  Evaluator program(system_->make_program(expressions));
  values.resize(expressions.size());
  program(inputs(), values.data());
}

void SystemEvaluator::read_start(const System::StartStage& stage, Evaluator& evaluator, Eigen::VectorXd& residual,
                                 SparseMatrix& J) {
  const double* out = kernels_.run(evaluator)->lane;
  residual = Eigen::Map<const Eigen::VectorXd>(out, stage.J.first);
  if (!same_pattern(J, stage.J.constants)) J = stage.J.constants;
  std::copy_n(stage.J.constants.valuePtr(), J.nonZeros(), J.valuePtr());
  scatter(out, stage.J, J);
}

void SystemEvaluator::start_position(Eigen::VectorXd& residual, SparseMatrix& J) {
  read_start(system_->start_position_, start_position_, residual, J);
}

void SystemEvaluator::start_velocity(Eigen::VectorXd& residual, SparseMatrix& J) {
  read_start(system_->start_velocity_, start_velocity_, residual, J);
}

namespace {

// Many pivots are looked at in vectors, which does not pay for a few.
constexpr int few = 32;

double ratio_of_few(const double* mass_pivots, const double* pivots, const double* scales, int nv, int m) {
  bool positive = true;
  for (int i = 0; i < nv; ++i) positive &= mass_pivots[i] > 0;
  double ratio = 1;
  for (int r = 0; r < m; ++r) {
    positive &= pivots[r] > 0;
    ratio = std::min(ratio, pivots[r] / scales[r]);
  }
  return positive ? ratio : 0;
}

bool all_positive(const double* x, int n) {
  return n == 0 || (all_finite(x, n) && Eigen::Map<const Eigen::ArrayXd>(x, n).minCoeff() > 0);
}

double ratio_of_many(const double* mass_pivots, const double* pivots, const double* scales, int nv, int m) {
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  if (!all_positive(mass_pivots, nv) || !all_positive(pivots, m)) return 0;
  return m > 0 ? std::min(1.0, (Numbers(pivots, m) / Numbers(scales, m)).minCoeff()) : 1;
}

}  // namespace

double SystemEvaluator::pivot_ratio(const step::KernelOutputs<1>& view) const {
  const int nv = system_->layout().nv, m = rows();
  const double *mass_pivots = view.mass_pivots->lane, *pivots = view.pivots->lane, *scales = view.scales->lane;
  return nv + m < few ? ratio_of_few(mass_pivots, pivots, scales, nv, m)
                      : ratio_of_many(mass_pivots, pivots, scales, nv, m);
}

SystemEvaluator::Traced SystemEvaluator::acceleration(double alpha, double beta) {
  if (alpha != 0 || beta != 0) kernels_.set_gains(0, alpha, beta);
  const auto& view = alpha == 0 && beta == 0 ? kernels_.acceleration() : kernels_.acceleration_baumgarte();
  return read_traced(view, pivot_ratio(view));
}

SystemEvaluator::Traced SystemEvaluator::read_traced(const step::KernelOutputs<1>& rates, double ratio) {
  return {rates.vdot->lane, rates.lambda->lane, rates.qdot->lane, rates.zdot->lane, ratio};
}

SystemEvaluator::Correction SystemEvaluator::make_correction() const {
  return {Eigen::VectorXd::Zero(system_->layout().nv), Eigen::VectorXd::Zero(rows()), 1};
}

void SystemEvaluator::read_correction(const double* dv, const double* residuals, const step::KernelOutputs<1>& pivots,
                                      Correction& result) const {
  copy(dv, result.dv.size(), result.dv.data());
  copy(residuals, result.residual.size(), result.residual.data());
  result.ratio = pivot_ratio(pivots);
}

void SystemEvaluator::correct_position(Correction& result) {
  const auto& view = kernels_.correct_position();
  read_correction(view.dq->lane, view.phi->lane, view, result);
}

void SystemEvaluator::correct_velocity(Correction& result) {
  const auto& view = kernels_.correct_velocity();
  read_correction(view.dv->lane, view.phidot->lane, view, result);
}

SystemEvaluator::VelocityCorrection SystemEvaluator::make_velocity_correction() const {
  const Correction correction = make_correction();
  return {correction, correction.dv, correction.dv};
}

void SystemEvaluator::correct_velocity_and_errors(const double* position_error, const double* velocity_error,
                                                  VelocityCorrection& result) {
  const auto& view = kernels_.correct_velocity_and_errors(rows_of(position_error), rows_of(velocity_error));
  read(view.d_position_error, result.d_position_error);
  read(view.d_velocity_error, result.d_velocity_error);
  read_correction(view.dv->lane, view.phidot->lane, view, result);
}

SystemEvaluator::Jacobian SystemEvaluator::make_jacobian() const {
  const auto& b = system_->jacobian_.blocks;
  const auto dense = [&](int k) { return Eigen::MatrixXd(b[k].constants); };
  return {dense(0), dense(1), dense(2), dense(3),  dense(4),  dense(5), dense(6),
          dense(7), dense(8), dense(9), dense(10), dense(11), dense(12)};
}

void SystemEvaluator::jacobian(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Jacobian& result) {
  const Layout& n = system_->layout();
  copy(a.data(), n.nv, kernels_.input(Input::vdot)->lane);
  copy(lambda.data(), n.m, kernels_.input(Input::lambda)->lane);
  const double* out = kernels_.run(jacobian_)->lane;
  const auto& b = system_->jacobian_.blocks;
  Eigen::MatrixXd* blocks[] = {&result.r_q,      &result.r_v,     &result.r_z,    &result.qdot_q, &result.qdot_v,
                               &result.zdot_q,   &result.zdot_v,  &result.zdot_z, &result.phi_q,  &result.phidot_q,
                               &result.phidot_v, &result.gamma_q, &result.gamma_v};
  for (std::size_t k = 0; k < b.size(); ++k) scatter(out, b[k], *blocks[k]);
}

}  // namespace armature::internal
