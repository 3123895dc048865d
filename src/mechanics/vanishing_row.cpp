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

// Values of a list at random poses: each at several positions with one set of parameters.
class RandomPoses {
 public:
  RandomPoses(const Leaves& leaves, const std::vector<Expression>& list)
      : sizes_(leaves.sizes),
        program_(leaves.inputs, list),
        in_(leaves.inputs.size()),
        out_(list.size()),
        work_(static_cast<std::size_t>(program_.work_size())) {
    program_.prepare(work_.data());
  }
  void take_parameters() {
    for (std::size_t i = 0; i < in_.size(); ++i)
      if (sizes_[i] != 0) in_[i] = sizes_[i] * (1 + 0.1 * any_(generator_));
  }
  const std::vector<double>& at_any_positions() {
    for (std::size_t i = 0; i < in_.size(); ++i)
      if (sizes_[i] == 0) in_[i] = any_(generator_);
    program_.evaluate(in_.data(), out_.data(), work_.data());
    return out_;
  }

 private:
  std::vector<double> sizes_;  // of parameters; 0: a position
  Program program_;
  std::vector<double> in_, out_, work_;
  std::mt19937 generator_{1};
  std::uniform_real_distribution<double> any_{-1, 1};
};

}  // namespace

std::optional<double> size_at_random_poses(const std::vector<Expression>& list, const Equations& e) {
  constexpr int poses = 3;
  if (list.empty()) return 1;
  Leaves leaves;
  if (!leaves.take(list, e)) return std::nullopt;
  RandomPoses random(leaves, list);
  double largest = 0;
  for (int pose = 0; pose < poses; ++pose) {
    random.take_parameters();
    for (const double value : random.at_any_positions())
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

bool stands_still(Expression x, const std::vector<Expression>& terms, const Equations& e) {
  constexpr double round_off = 1e-14;
  constexpr int poses = 3;
  const std::optional<double> size = size_at_random_poses(terms, e);
  Leaves leaves;
  if (x.is_constant() || !size || !leaves.take({x}, e)) return false;
  RandomPoses random(leaves, {x});
  for (int pose = 0; pose < poses; ++pose) {
    random.take_parameters();
    const double one = random.at_any_positions()[0], other = random.at_any_positions()[0];
    if (!(std::abs(one - other) <= round_off * *size)) return false;
  }
  return true;
}

}  // namespace armature::internal
