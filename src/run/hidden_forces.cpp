#include "run/hidden_forces.hpp"

#include "step/scalar.hpp"

namespace armature::internal {

WatchedTerms::WatchedTerms(const System& system) : terms(find_narrow_terms(system.equations())) {
  if (terms.any()) program = system.make_program(terms.outputs);
}

// A step of which only the ends are known, with f there.
class HiddenForces::HermiteStep final : public Step {
 public:
  HermiteStep(const Step& step, const Eigen::VectorXd& x0) : x0_(x0), f0_(x0.size()), f1_(x0.size()) {
    previous_t_ = step.previous_t(), t_ = step.t(), x_ = step.x();
  }
  bool evaluate(Dynamics& dynamics) {
    return dynamics.derivative(previous_t_, x0_.data(), f0_.data()) && dynamics.derivative(t_, x_.data(), f1_.data());
  }
  void interpolate(double t, Eigen::VectorXd& x) const override {
    const double h = t_ - previous_t_, s = (t - previous_t_) / h, r = 1 - s;
    x = r * r * (1 + 2 * s) * x0_ + s * s * (3 - 2 * s) * x_ + h * s * r * (r * f0_ - s * f1_);
  }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    const double h = t_ - previous_t_;
    path.begin(previous_t_, t_, 3, entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int i = entries[k];
      const double rise = x_[i] - x0_[i], a = h * f0_[i], b = h * f1_[i];
      const double c[] = {0.5 * (x0_[i] + x_[i]) + 0.125 * (a - b), 1.5 * rise - 0.25 * (a + b), 0.5 * (b - a),
                          a + b - 2 * rise};
      path.set(k, [&](int power) { return c[power]; });
    }
    return true;
  }

 private:
  const Eigen::VectorXd& x0_;
  Eigen::VectorXd f0_, f1_;
};

HiddenForces::HiddenForces(const Prepared& prepared, Dynamics& dynamics, std::shared_ptr<const WatchedTerms> terms)
    : dynamics_(dynamics),
      terms_(std::move(terms)),
      ranges_(dynamics.system().layout(), *terms_->program),
      slopes_(prepared, dynamics),
      search_(ranges_, terms_->terms.list()) {}

bool HiddenForces::begin(const Step& step) {
  slopes_.begin_step(step);
  return ranges_.begin(step, dynamics_.evaluator().inputs());
}

// Dense output that is not sound tells nothing; the ends of the step do.
double HiddenForces::find(const Step& step, const Eigen::VectorXd& x0) {
  if (begin(step)) return find_in(step);
  HermiteStep ends(step, x0);
  return ends.evaluate(dynamics_) && begin(ends) ? find_in(ends) : step::infinity;
}

double HiddenForces::find_in(const Step& step) {
  return search_.find(step.previous_t(), step.t(), [&](double t) { return slopes_.contradicts(t); });
}

void HiddenForces::look(const Step& step, const Eigen::VectorXd& x0) {
  HermiteStep ends(step, x0);
  if (!ends.evaluate(dynamics_) || !begin(ends)) return;
  if (const double t = find_in(ends); t < step::infinity) slopes_.look_inside(t);
}

}  // namespace armature::internal
