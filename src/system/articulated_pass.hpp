// Right sides of an elimination from link to link, all at once. Inwards: p and -b, as y and lambda are eliminated; outwards: y
// and lambda. Symbols as in articulated_solve.hpp.
#pragma once

#include "mechanics/turn.hpp"
#include "system/elimination.hpp"
#include "system/traced_solve.hpp"

namespace armature::internal {

class ArticulatedPass {
 public:
  ArticulatedPass(const ArticulatedTree& tree, const TreeFactor& factor,
                  const std::vector<TracedSolve::RightSide>& sides, std::vector<Pack>& packs);
  void inwards();
  void at_ground();
  void outwards();
  TracedSolve::Solution solution(std::size_t side) const;

 private:
  using Number = RightSides::Number;
  using Three = Triple<RightSides>;

  Three zeros() const { return {sides_.zero(), sides_.zero(), sides_.zero()}; }
  void take(const TracedSolve::RightSide& side, std::size_t k);
  void take_velocity(const Elimination& step, Three* n, Three* f);  // null: it moves no link
  void take_row(const Elimination& step, Three& n, Three& f);
  void pass_on(const ArticulatedLink& from, std::size_t link);
  void give_velocity(const Elimination& step, Three& alpha, Three& a);
  void give_row(const Elimination& step, const Three& alpha, const Three& a);
  Number along(const Vec3& angular, const Vec3& linear, const Three& n, const Three& f);
  void add(const Wrench& factors, const Number& x, Three& n, Three& f);
  void move_along(const Freedom& s, const Number& x, Three& alpha, Three& a);
  Three carried(const ArticulatedLink& to, const Three& alpha, const Three& a);
  Number without_rows(const Elimination& step, Number x);

  const ArticulatedTree& tree_;
  const TreeFactor& factor_;
  RightSides sides_;
  std::vector<Number> x_, lambda_;  // first f and -b
  std::vector<Three> n_, f_;        // p, by link
};

}  // namespace armature::internal
