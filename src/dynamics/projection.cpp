#include "dynamics/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/all_finite.hpp"

namespace armature::internal {
namespace {

namespace correction = step::correction;
constexpr double solvable = Regularity::squared(Regularity::singular);  // by the traced solve: its smallest pivot ratio

constexpr double most_open = 1e-2;  // |phi| of its size, beyond which the state is not near anything yet

std::vector<int> velocity_rows_of(const Equations& equations) {
  std::vector<int> rows;
  for (std::size_t r = 0; r < equations.rows.size(); ++r)
    if (equations.rows[r].rate) rows.push_back(static_cast<int>(r));
  return rows;
}

}  // namespace

Projection::Projection(SystemEvaluator& evaluator)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      traced_(evaluator.system().options().traced_solve),
      velocity_rows_(velocity_rows_of(evaluator.system().equations())),
      terms_(evaluator.make_sparse_terms()) {
  const Layout& layout = evaluator.system().layout();
  rows_.resize(layout.nv, layout.m);
  rows_.set_groups(row_groups(evaluator.system().equations()));
  correction_ = evaluator.make_velocity_correction();
  dv_ = position_error_ = velocity_error_ = Eigen::VectorXd::Zero(layout.nv);
  residual_ = Eigen::VectorXd::Zero(layout.m);
  nearest_ = Eigen::VectorXd::Zero(layout.nx());
}

void Projection::begin(double t, const double* x) {
  if (size().known()) return;
  evaluator_.set(t, x);
  evaluator_.position(terms_);
  begin_as({MachineSize(evaluator_.system().equations(), terms_, x), false});
  if (traced_) evaluator_.correct_position(correction_);
  // Pivots tell as well, without a factorization that finds ranks. They do not bound its sine, since their order is fixed, but
  // where they are regular the smallest that was found is 3e-3.
  if (traced_ && correction_.ratio >= Regularity::squared(Regularity::regular)) return;
  const auto independent = static_cast<int>(evaluator_.system().options().independent_rows.size());
  beginning_.singular = rows_.factor(terms_, Regularity::dependent) &&
                        (rows_.rank() < independent || rows_.smallest() < Regularity::singular);
}

void Projection::begin_as(const ProjectionBeginning& other) {
  beginning_ = other;
  const std::vector<int>& rows = evaluator_.system().options().independent_rows;
  per_traced_row_.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    per_traced_row_[static_cast<Eigen::Index>(k)] = size().per_row()[rows[k]];
}

step::MachineSizes Projection::sizes() const {
  if (!size().known()) return {};
  return {per_traced_row_.data(), size().per_position().data(), size().per_velocity().data()};
}

// What a row of phi is made of: lever arms times coordinates, which may be many turns. Round-off of phi is of its order.
double Projection::typical_size(double t, const double* x) {
  begin(t, x);
  return std::max(1.0, size().of_positions(x));
}

double Projection::open() const { return largest_product(correction_.residual.data(), per_traced_row_); }

bool Projection::traced_velocity_correction(bool with_errors) {
  if (!traced_ || tolerance_ > Regularity::dependent) return false;
  if (with_errors)
    evaluator_.correct_velocity_and_errors(position_error_.data(), velocity_error_.data(), correction_);
  else
    evaluator_.correct_velocity(correction_);
  return correction_.ratio >= solvable;
}

// At a sine s, round-off of phi leaves the position uncertain by eps/s and the velocity by eps/s^2 of itself: a step
// that is not small there is noise, and nearly singular rows are left out of it.
double Projection::dense_velocity_correction(const double* v) {
  const double error = dense_correction(Level::velocity, tolerance_);
  constexpr double small_step = 1e-6;  // of the velocity
  const double small = small_step * size().of_velocities(v);
  if (!rows_.nearly_singular() || size().of_velocities(dv_.data()) <= small) return error;
  return dense_correction(Level::velocity, std::max(Regularity::singular, tolerance_));
}

double Projection::position_correction(double size) {
  if (traced_) {
    evaluator_.correct_position(correction_);
    tolerance_ = Regularity::dependent;
    if (correction_.ratio >= std::max(solvable, open() / size)) return dv_ = correction_.dv, open();
  }
  evaluator_.position(terms_);
  const double phi = this->size().of_rows(terms_.phi) / size;
  tolerance_ =
      phi < most_open ? std::clamp(std::sqrt(phi), Regularity::dependent, Regularity::near) : Regularity::dependent;
  return dense_correction(Level::position, tolerance_);
}

double Projection::dense_correction(Level level, double tolerance) {
  ++statistics_.dense;
  if (level == Level::velocity) evaluator_.motion(terms_);
  residual_ = level == Level::position ? -terms_.phi : -terms_.phidot;
  factored_tolerance_ = tolerance;
  if (!rows_.factor(terms_, tolerance)) return std::numeric_limits<double>::quiet_NaN();
  rows_.least_norm(residual_, dv_);
  double error = 0;
  for (int k = 0; k < rows_.rank(); ++k)
    error = std::max(error, std::abs(residual_[rows_.row(k)]) * size().per_row()[rows_.row(k)]);
  return error;
}

bool Projection::position(double t, double* x) {
  configuration_.normalize(x);
  if (rows_.rows() == 0) return true;
  // Newton's method: until phi is round-off, or a step so short that its square is
  const double size = typical_size(t, x);
  constexpr double stalls =
      1e-10;  // of the size: an error that is hardly halved any more is as far down as round-off lets it
  double previous = std::numeric_limits<double>::infinity();
  for (int k = 0; k < correction::most_steps; ++k) {
    evaluator_.set(t, x);
    const double error = position_correction(size);
    if (!std::isfinite(error)) return false;
    if (error <= correction::round_off * size) return true;
    if (error > 0.5 * previous && error < stalls * size) return true;
    configuration_.advance(x, dv_.data());
    ++statistics_.steps;
    if (this->size().of_velocities(dv_.data()) <= correction::square_is_round_off) return true;
    previous = error;
  }
  return false;
}

bool Projection::velocity(double t, double* x, double* error) {
  if (rows_.rows() == 0) return true;
  const int nq = configuration_.nq(), nv = configuration_.nv();
  Eigen::Map<Eigen::VectorXd> v(x + nq, nv);
  // the correction of v, and of the errors with it
  begin(t, x);
  if (error) configuration_.velocity(x, error, position_error_.data());
  if (error) velocity_error_ = Eigen::Map<const Eigen::VectorXd>(error + nq, nv);
  evaluator_.set(t, x);
  const bool traced = traced_velocity_correction(error != nullptr);
  const double open = traced ? this->open() : dense_velocity_correction(v.data());
  if (!std::isfinite(open)) return false;
  // whether it leads to another branch; it counts where phidot is more than round-off
  const Eigen::VectorXd& dv = traced ? correction_.dv : dv_;
  const double sine = traced ? std::sqrt(correction_.ratio) : rows_.smallest(), speed = size().of_velocities(v.data());
  changed_branch_ = correction::changes_branch(sine, size().of_velocities(dv.data()), speed, rate_);
  if (open > correction::round_off * speed) v += dv;
  // errors lose their part normal to the constraints
  if (!error) return true;
  make_errors_tangent(traced);
  configuration_.rate(x, position_error_.data(), error);
  Eigen::Map<Eigen::VectorXd>(error + nq, nv) = velocity_error_;
  return true;
}

void Projection::make_errors_tangent(bool traced) {
  if (traced) {
    position_error_ += correction_.d_position_error;
    velocity_error_ += correction_.d_velocity_error;
  } else if (factored_tolerance_ == tolerance_ || rows_.factor(terms_, tolerance_)) {
    if (velocity_rows_.empty()) {
      rows_.make_tangent(position_error_);
    } else {
      residual_.noalias() = -(terms_.Phi * position_error_);
      for (const int row : velocity_rows_) residual_[row] = 0;
      rows_.least_norm(residual_, dv_);
      position_error_ += dv_;
    }
    rows_.make_tangent(velocity_error_);
  }
}

const double* Projection::nearest(double t, const double* x) {
  nearest_ = Eigen::Map<const Eigen::VectorXd>(x, nearest_.size());
  return position(t, nearest_.data()) && velocity(t, nearest_.data()) ? nearest_.data() : nullptr;
}

}  // namespace armature::internal
