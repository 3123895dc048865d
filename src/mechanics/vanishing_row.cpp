#include "mechanics/vanishing_row.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {

namespace {

// What expressions depend on, with the size of a random value: positions of any size, parameters near their own.
struct Leaves {
  std::vector<Expression> inputs;
  std::vector<double> sizes;

  // False: one depends on something else.
  bool take(const std::vector<Expression>& list, const Equations& e) {
    std::vector<std::int32_t> needed;
    for (const Expression& x : list)
      if (!x.is_constant()) std::ranges::copy(leaves_of(x), std::back_inserter(needed));
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    const auto add = [&](const std::vector<Expression>& known, const auto& size_of) {
      for (std::size_t i = 0; i < known.size(); ++i)
        if (std::ranges::binary_search(needed, known[i].id())) inputs.push_back(known[i]), sizes.push_back(size_of(i));
    };
    add(e.q, [](std::size_t) { return 0.0; });
    add(e.p, [&](std::size_t i) { return e.p_value[i]; });
    return inputs.size() == needed.size();
  }
};

}  // namespace

std::optional<double> size_at_random_poses(const std::vector<Expression>& list, const Equations& e) {
  constexpr int poses = 3;
  if (list.empty()) return 1;
  Leaves leaves;
  if (!leaves.take(list, e)) return std::nullopt;
  const Program program(leaves.inputs, list);
  std::vector<double> in(leaves.inputs.size()), out(list.size()), work(static_cast<std::size_t>(program.work_size()));
  program.prepare(work.data());
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> any(-1, 1);
  double largest = 0;
  for (int pose = 0; pose < poses; ++pose) {
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = leaves.sizes[i] == 0 ? any(generator) : leaves.sizes[i] * (1 + 0.1 * any(generator));
    program.evaluate(in.data(), out.data(), work.data());
    for (const double value : out)
      if (!(std::abs(value) <= largest)) largest = std::abs(value);
  }
  return largest;
}

// Zero at some random poses is zero at every pose.
bool vanishes(Expression phi, const std::vector<Expression>& terms, const Equations& e) {
  constexpr double round_off = 1e-14;  // of products of directions and places
  const std::optional<double> open = size_at_random_poses({phi}, e), size = size_at_random_poses(terms, e);
  return open && size && *open < round_off * *size;
}

}  // namespace armature::internal
