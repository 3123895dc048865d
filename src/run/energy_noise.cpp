#include "run/energy_noise.hpp"

#include <cmath>

#include "dynamics/machine_size.hpp"
#include "expression/enclosure.hpp"
#include "step/root_noise.hpp"

namespace armature::internal {

namespace {

Eigen::VectorXd position_noise(SystemEvaluator& evaluator, const SparseTerms& terms, const State& state) {
  const System& system = evaluator.system();
  const Eigen::VectorXd q = state.x.head(system.layout().nq);
  Eigen::VectorXd size = q.cwiseAbs();
  if (system.layout().m > 0) size += MachineSize(system.equations(), terms, q.data()).per_position().cwiseInverse();
  return step::root_noise::round_off * size;
}

double kinetic_noise(const SparseMatrix& M, const Layout& n, const RunOptions& options) {
  const Eigen::VectorXd dv = step::root_noise::round_off / options.rtol * options.atol.segment(n.nq, n.nv);
  return 0.5 * dv.dot(M * dv);
}

}  // namespace

struct EnergyNoise::Parts {
  SystemEvaluator evaluator;
  std::shared_ptr<const Program> program;
  EnclosureEvaluator potential;

  explicit Parts(const Prepared& prepared)
      : evaluator(prepared.system),
        program(prepared.system->make_program({prepared.system->equations().potential})),
        potential(*program) {
    evaluator.set_parameters(prepared.parameters);
  }
};

EnergyNoise::EnergyNoise(const Prepared& prepared) : prepared_(prepared) {}

EnergyNoise::~EnergyNoise() = default;

double EnergyNoise::at(const State& state) {
  if (!parts_) parts_ = std::make_unique<Parts>(prepared_);
  const Layout& n = prepared_.system->layout();
  EnclosureEvaluator& potential = parts_->potential;
  parts_->evaluator.set(state);
  SparseTerms terms = parts_->evaluator.make_sparse_terms();
  parts_->evaluator.motion(terms);
  const Eigen::VectorXd noise = position_noise(parts_->evaluator, terms, state);
  for (int i = 0; i < parts_->program->input_count(); ++i)
    potential.input(i) = Enclosure::point(parts_->evaluator.inputs()[i]);
  for (int i = 0; i < n.nq; ++i) {
    const double q = state.x[i], d = noise[i];
    potential.input(n.q() + i) = {q, {q - d, q + d}, {-d, d}};
  }
  potential.run(1);
  const Range range = potential.output(0).value;
  const double half = 0.5 * (range.high - range.low);
  return (std::isfinite(half) ? half : 0) + kinetic_noise(terms.M, n, prepared_.options);
}

}  // namespace armature::internal
