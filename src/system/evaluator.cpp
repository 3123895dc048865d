// Running a System's programs for one thread: inputs in, outputs scattered into matrices.
#include <algorithm>
#include <cmath>

#include "linear/all_finite.hpp"
#include "linear/largest.hpp"
#include "system/system.hpp"

namespace armature {

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

}  // namespace

SystemEvaluator::SystemEvaluator(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      position_(system_->position_.program),
      motion_(system_->motion_.program),
      all_(system_->all_.program),
      roots_(system_->roots_),
      root_rates_(system_->root_rates_),
      observables_(system_->observables_),
      discrete_(system_->discrete_),
      reactions_(system_->reactions_),
      events_(system_->events_),
      energy_(system_->energy_),
      start_position_(system_->start_position_.program),
      start_velocity_(system_->start_velocity_.program) {
  const System& s = *system_;
  if (s.acceleration_) {
    acceleration_ = Evaluator(s.acceleration_);
    acceleration_baumgarte_ = Evaluator(s.acceleration_baumgarte_);
    correct_position_ = Evaluator(s.correct_position_);
    correct_velocity_ = Evaluator(s.correct_velocity_);
    correct_velocity_and_errors_ = Evaluator(s.correct_velocity_and_errors_);
    correct_motion_ = Evaluator(s.correct_motion_);
    step_end_ = Evaluator(s.step_end_);
  }
  if (s.jacobian_.program) jacobian_ = Evaluator(s.jacobian_.program);
  const Layout& layout = s.layout();
  in_.assign(layout.size() + 2 * layout.nv + layout.m + 3, 0.0);
  int outputs = 0;
  for (const auto& program : {s.position_.program,
                              s.motion_.program,
                              s.all_.program,
                              s.roots_,
                              s.root_rates_,
                              s.observables_,
                              s.discrete_,
                              s.reactions_,
                              s.events_,
                              s.energy_,
                              s.start_position_.program,
                              s.start_velocity_.program,
                              s.acceleration_,
                              s.acceleration_baumgarte_,
                              s.correct_position_,
                              s.correct_velocity_,
                              s.correct_velocity_and_errors_,
                              s.correct_motion_,
                              s.step_end_,
                              s.jacobian_.program})
    if (program) outputs = std::max(outputs, program->output_count());
  out_.assign(outputs, 0.0);
  std::copy(s.equations().p_value.begin(), s.equations().p_value.end(), in_.begin() + layout.p());
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

void SystemEvaluator::assemble(bool traced, bool baumgarte) {
  std::vector<Evaluator*> often = {&correct_position_,
                                   &correct_velocity_,
                                   &correct_velocity_and_errors_,
                                   &correct_motion_,
                                   &step_end_,
                                   &roots_,
                                   &root_rates_,
                                   &discrete_,
                                   &events_,
                                   &energy_};
  often.push_back(!traced ? &all_ : baumgarte ? &acceleration_baumgarte_ : &acceleration_);
  if (system_->jacobian_.program) often.insert(often.end(), {&jacobian_, &all_, &motion_});
  armature::assemble(often);
}

void SystemEvaluator::set(double t, const double* x) {
  in_[0] = t;
  copy(x, system_->layout().nx(), in_.data() + 1);
}
void SystemEvaluator::set_modes(const Eigen::VectorXd& w) {
  std::copy_n(w.data(), w.size(), in_.begin() + system_->layout().w());
}
void SystemEvaluator::set_discrete(const Eigen::VectorXd& d) {
  std::copy_n(d.data(), d.size(), in_.begin() + system_->layout().d());
}
void SystemEvaluator::set_parameters(const Eigen::VectorXd& p) {
  std::copy_n(p.data(), p.size(), in_.begin() + system_->layout().p());
}

void SystemEvaluator::run(Evaluator& evaluator) { evaluator(in_.data(), out_.data()); }

template <class Matrix>
void SystemEvaluator::run_stage(const System::Stage& stage, Evaluator& evaluator, TermsOf<Matrix>& terms) {
  run(evaluator);
  const double* out = out_.data();
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

void SystemEvaluator::roots(Eigen::VectorXd& roots) {
  run(roots_);
  read(out_.data(), 0, roots);
}

void SystemEvaluator::take_modes(Eigen::VectorXd& w) {
  const std::vector<Graph::Mode>& modes = system_->equations().graph->modes();
  for (int pass = 0; pass < system_->mode_nesting(); ++pass) {
    run(roots_);
    for (Eigen::Index k = 0; k < w.size(); ++k) w[k] = modes[static_cast<std::size_t>(k)].outcome(out_[k]);
    set_modes(w);
  }
}

void SystemEvaluator::root_rates(const Eigen::VectorXd& vdot, Eigen::VectorXd& rates) {
  std::copy_n(vdot.data(), vdot.size(), in_.begin() + system_->layout().size());
  run(root_rates_);
  read(out_.data(), 0, rates);
}

void SystemEvaluator::observables(Observables& values) {
  run(observables_);
  const std::size_t n = system_->equations().quantities.size();
  values.quantities.resize(n);
  read(out_.data(), 0, values.quantities);
  values.kinetic = out_[n], values.potential = out_[n + 1];
  values.elastic = out_[n + 2], values.magnetic = out_[n + 3];
}

double SystemEvaluator::energy() {
  double energy = 0;  // what stands in out_ may still be needed
  energy_(in_.data(), &energy);
  return energy;
}

void SystemEvaluator::next_discrete(Eigen::VectorXd& d) { sample(0, 0, d); }

void SystemEvaluator::sample(double period, double offset, Eigen::VectorXd& d) {
  run(discrete_);
  const auto& values = system_->equations().discrete;
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (values[i].period == period && values[i].offset == offset) d[i] = out_[i];
}

void SystemEvaluator::events(Eigen::VectorXd& values) {
  run(events_);
  read(out_.data(), 0, values);
}

void SystemEvaluator::reactions(const Eigen::VectorXd& vdot, const Eigen::VectorXd& lambda, Eigen::VectorXd& wrenches) {
  const Layout& n = system_->layout();
  std::copy_n(vdot.data(), n.nv, in_.begin() + n.size());
  std::copy_n(lambda.data(), n.m, in_.begin() + n.size() + n.nv);
  run(reactions_);
  wrenches.resize(6 * system_->equations().reactions.size());
  read(out_.data(), 0, wrenches);
}

void SystemEvaluator::evaluate(const std::vector<Expression>& expressions, std::vector<double>& values) const {
  Evaluator program(system_->make_program(expressions));
  values.resize(expressions.size());
  program(in_.data(), values.data());
}

void SystemEvaluator::read_start(const System::StartStage& stage, Evaluator& evaluator, Eigen::VectorXd& residual,
                                 SparseMatrix& J) {
  run(evaluator);
  residual = Eigen::Map<const Eigen::VectorXd>(out_.data(), stage.J.first);
  if (!same_pattern(J, stage.J.constants)) J = stage.J.constants;
  std::copy_n(stage.J.constants.valuePtr(), J.nonZeros(), J.valuePtr());
  scatter(out_.data(), stage.J, J);
}

void SystemEvaluator::start_position(Eigen::VectorXd& residual, SparseMatrix& J) {
  read_start(system_->start_position_, start_position_, residual, J);
}

void SystemEvaluator::start_velocity(Eigen::VectorXd& residual, SparseMatrix& J) {
  read_start(system_->start_velocity_, start_velocity_, residual, J);
}

int SystemEvaluator::rows() const { return static_cast<int>(system_->options().independent_rows.size()); }

namespace {

// Behind the pivots of M stand those of S and their scales. Many are looked at in vectors, which does not pay for a few.
constexpr int few = 32;

double ratio_of_few(const double* mass_pivots, int nv, int m) {
  const double *pivots = mass_pivots + nv, *scales = pivots + m;
  bool positive = true;
  for (int i = 0; i < nv + m; ++i) positive &= mass_pivots[i] > 0;
  double ratio = 1;
  for (int r = 0; r < m; ++r) ratio = std::min(ratio, pivots[r] / scales[r]);
  return positive ? ratio : 0;
}

double ratio_of_many(const double* mass_pivots, int nv, int m) {
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  const Numbers all(mass_pivots, nv + m), pivots(mass_pivots + nv, m), scales(mass_pivots + nv + m, m);
  if (!all_finite(all.data(), nv + m) || !(all.minCoeff() > 0)) return 0;
  return m > 0 ? std::min(1.0, (pivots / scales).minCoeff()) : 1;
}

}  // namespace

double SystemEvaluator::pivot_ratio(const double* mass_pivots) const {
  const int nv = system_->layout().nv, m = rows();
  return nv + m < few ? ratio_of_few(mass_pivots, nv, m) : ratio_of_many(mass_pivots, nv, m);
}

SystemEvaluator::Traced SystemEvaluator::acceleration(double alpha, double beta) {
  const Layout& n = system_->layout();
  if (alpha == 0 && beta == 0) {
    run(acceleration_);
  } else {
    in_[n.size()] = alpha, in_[n.size() + 1] = beta;
    run(acceleration_baumgarte_);
  }
  return read_traced(pivot_ratio(out_.data() + n.nv + rows() + n.nq + n.nz));
}

SystemEvaluator::Traced SystemEvaluator::read_traced(double ratio) const {
  const Layout& n = system_->layout();
  const double *vdot = out_.data(), *lambda = vdot + n.nv, *qdot = lambda + rows(), *zdot = qdot + n.nq;
  return {vdot, lambda, qdot, zdot, ratio};
}

SystemEvaluator::Correction SystemEvaluator::make_correction() const {
  return {Eigen::VectorXd::Zero(system_->layout().nv), 0, 1};
}

void SystemEvaluator::read_correction(const double* residuals, Correction& result) {
  read(out_.data(), 0, result.dv);
  result.error = largest(residuals, rows());
  result.ratio = pivot_ratio(residuals + rows());
}

void SystemEvaluator::correct_position(Correction& result) {
  run(correct_position_);
  read_correction(out_.data() + system_->layout().nv, result);
}

void SystemEvaluator::correct_velocity(Correction& result) {
  run(correct_velocity_);
  read_correction(out_.data() + system_->layout().nv, result);
}

SystemEvaluator::VelocityCorrection SystemEvaluator::make_velocity_correction() const {
  const Correction correction = make_correction();
  return {correction, correction.dv, correction.dv};
}

void SystemEvaluator::correct_velocity_and_errors(const double* position_error, const double* velocity_error,
                                                  VelocityCorrection& result) {
  const int nv = system_->layout().nv;
  set_errors(position_error, velocity_error);
  run(correct_velocity_and_errors_);
  read(out_.data(), nv, result.d_position_error);
  read(out_.data(), 2 * nv, result.d_velocity_error);
  read_correction(out_.data() + 3 * nv, result);
}

// Behind alpha and beta; returns what stands behind them.
double* SystemEvaluator::set_errors(const double* position_error, const double* velocity_error) {
  const int nv = system_->layout().nv;
  double* errors = in_.data() + system_->layout().size() + 2;
  copy(position_error, nv, errors);
  copy(velocity_error, nv, errors + nv);
  return errors + 2 * nv;
}

SystemEvaluator::MotionCorrection SystemEvaluator::read_motion(const double* dq, const double* work) const {
  const double *phi = work + 1, *phidot = phi + rows(), *pivots = phidot + rows();
  return {dq, dq + system_->layout().nv, *work, largest(phi, rows()), largest(phidot, rows()), pivot_ratio(pivots)};
}

SystemEvaluator::MotionCorrection SystemEvaluator::correct_motion() {
  run(correct_motion_);
  return read_motion(out_.data(), out_.data() + 2 * system_->layout().nv);
}

SystemEvaluator::StepEnd SystemEvaluator::step_end(const double* position_error, const double* velocity_error,
                                                   double weight) {
  const Layout& n = system_->layout();
  *set_errors(position_error, velocity_error) = weight;
  run(step_end_);
  const double *dq = out_.data() + n.nv + rows() + n.nq + n.nz, *errors = dq + 2 * n.nv, *work = errors + 2 * n.nv;
  const MotionCorrection motion = read_motion(dq, work);
  return {read_traced(motion.ratio), motion, errors, errors + n.nv};
}

SystemEvaluator::Jacobian SystemEvaluator::make_jacobian() const {
  const auto& b = system_->jacobian_.blocks;
  const auto dense = [&](int k) { return Eigen::MatrixXd(b[k].constants); };
  return {dense(0), dense(1), dense(2), dense(3),  dense(4),  dense(5), dense(6),
          dense(7), dense(8), dense(9), dense(10), dense(11), dense(12)};
}

void SystemEvaluator::jacobian(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Jacobian& result) {
  const Layout& n = system_->layout();
  std::copy_n(a.data(), n.nv, in_.begin() + n.size());
  std::copy_n(lambda.data(), n.m, in_.begin() + n.size() + n.nv);
  run(jacobian_);
  const auto& b = system_->jacobian_.blocks;
  Eigen::MatrixXd* blocks[] = {&result.r_q,      &result.r_v,     &result.r_z,    &result.qdot_q, &result.qdot_v,
                               &result.zdot_q,   &result.zdot_v,  &result.zdot_z, &result.phi_q,  &result.phidot_q,
                               &result.phidot_v, &result.gamma_q, &result.gamma_v};
  for (std::size_t k = 0; k < b.size(); ++k) scatter(out_.data(), b[k], *blocks[k]);
}

}  // namespace armature
