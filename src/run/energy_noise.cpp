#include "run/energy_noise.hpp"

#include <cmath>

#include "dynamics/machine_size.hpp"
#include "expression/enclosure.hpp"
#include "step/root_noise.hpp"

namespace armature::internal {

namespace {

Eigen::VectorXd position_noise(SystemEvaluator& evaluator, const State& state) {
  const System& system = evaluator.system();
  const Eigen::VectorXd q = state.x.head(system.layout().nq);
  Eigen::VectorXd size = q.cwiseAbs();
  if (system.layout().m > 0) {
    SparseTerms terms = evaluator.make_sparse_terms();
    evaluator.motion(terms);
    size += MachineSize(system.equations(), terms, q.data()).per_position().cwiseInverse();
  }
  return step::root_noise::round_off * size;
}

}  // namespace

double energy_noise(const Prepared& prepared, const State& state) {
  const System& system = *prepared.system;
  const Layout& n = system.layout();
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  evaluator.set(state);
  const Eigen::VectorXd noise = position_noise(evaluator, state);
  const auto program = system.make_program({system.equations().potential});
  EnclosureEvaluator potential(*program);
  for (int i = 0; i < program->input_count(); ++i) potential.input(i) = Enclosure::point(evaluator.inputs()[i]);
  for (int i = 0; i < n.nq; ++i) {
    const double q = state.x[i], d = noise[i];
    potential.input(n.q() + i) = {q, {q - d, q + d}, {-d, d}};
  }
  potential.run(1);
  const Range range = potential.output(0).value;
  const double half = 0.5 * (range.high - range.low);
  return std::isfinite(half) ? half : 0;
}

}  // namespace armature::internal
