#include "mechanics/vanishing_row.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {

bool vanishes(Expression phi, const Equations& e) {
  constexpr double round_off = 1e-14;  // of products of directions and of lengths of the order of a meter
  constexpr int poses = 3;
  // what phi depends on: positions, and parameters near their values; no zero can be told of anything else
  const std::vector<std::int32_t> leaves = leaves_of(phi);
  std::vector<Expression> inputs;
  std::vector<double> sizes;
  const auto add = [&](const std::vector<Expression>& list, const auto& size_of) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (std::ranges::binary_search(leaves, list[i].id())) inputs.push_back(list[i]), sizes.push_back(size_of(i));
  };
  add(e.q, [](std::size_t) { return 0.0; });
  add(e.p, [&](std::size_t i) { return e.p_value[i]; });
  if (inputs.size() != leaves.size()) return false;
  // phi as a program
  const Expression outputs[] = {phi};
  const Program program(inputs, outputs);
  std::vector<double> in(inputs.size()), work(static_cast<std::size_t>(program.work_size()));
  program.prepare(work.data());
  // zero at some random poses is zero at every pose
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int pose = 0; pose < poses; ++pose) {
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = sizes[i] == 0 ? any(generator) : sizes[i] * (1 + 0.1 * any(generator));
    double value = 0;
    program.evaluate(in.data(), &value, work.data());
    if (!(std::abs(value) < round_off)) return false;
  }
  return true;
}

}  // namespace armature::internal
