// Armature behind the interface of the comparison: the equations of the model file, with projection, as `armature run`
// integrates them.
#include "dynamics/dynamics.hpp"
#include "engine.hpp"
#include "prepare/setup.hpp"
#include "record/version.hpp"
#include "run/simulate.hpp"
#include "samples.hpp"

namespace armature::internal::bench {

namespace {

class Armature : public Engine {
 public:
  explicit Armature(const Machine& machine)
      : machine_(machine), dynamics_(make_dynamics(*machine.prepared)), x_(machine.prepared->start.x), xdot_(x_) {}

  void acceleration(const double* q, const double* v, double* vdot) override {
    const int n = machine_.size();
    x_.head(n) = Eigen::Map<const Eigen::VectorXd>(q, n);
    x_.segment(n, n) = Eigen::Map<const Eigen::VectorXd>(v, n);
    dynamics_->derivative(0, x_.data(), xdot_.data());
    Eigen::Map<Eigen::VectorXd>(vdot, n) = xdot_.segment(n, n);
  }

  void motion(const Setting& setting, double end, Motion& result) override {
    Prepared prepared = *machine_.prepared;
    RunOptions& options = prepared.options;
    options.end = end;
    options.integrator = setting.method;
    if (setting.step > 0) {
      options.step = setting.step;
    } else {
      options.atol *= setting.rtol / options.rtol;
      options.rtol = setting.rtol;
    }
    Samples samples(end, result.q);
    const Outcome outcome = follow(prepared, samples);
    result.finished = outcome.status == RunStatus::finished;
    result.steps = outcome.statistics.integrator.steps;
  }

 private:
  const Machine& machine_;
  std::unique_ptr<Dynamics> dynamics_;
  Eigen::VectorXd x_, xdot_;
};

}  // namespace

EngineKind armature_engine() {
  EngineKind kind{"Armature", version(), {}, true, {}, {"rk4", 1e-3, 0}};
  kind.make = [](const Machine& machine) { return std::make_unique<Armature>(machine); };
  for (const char* method : {"dopri5", "dop853"})
    for (double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) kind.settings.push_back({method, 0, rtol});
  return kind;
}

}  // namespace armature::internal::bench
