// The traced solve from link to link: its length grows as the tree does, however long its branches are. (Featherstone, Rigid
// Body Dynamics Algorithms, 2008, ch. 7; with the rows of loops eliminated on the way, as in Brandl, Johanni and Otter, A Very
// Efficient Algorithm for the Simulation of Robots and Similar Multibody Systems without Inversion of the Mass Matrix, 1986.)
//
// Of everything on a link and beyond it that has been eliminated there is left a relation between the link's acceleration
// (angular alpha and linear a, six numbers y), the wrench X that its joint passes on, and the multipliers of the rows that
// reach it:
//
//   I y + F lambda + p = X,   F' y - S lambda = b         (I: the articulated inertia, symmetric)
//
// A velocity with direction s in y is eliminated by the pivot D = s'I s + its own inertia, which is that of M = L D L', leaves
// first; with U = I s and w = s'F + its column of Phi:
//
//   I - U U'/D,   F - U w/D,   S + w'w/D,   p + U (f - s'p)/D,   b - w (f - s'p)/D
//
// A row whose velocities are all eliminated follows at once, by the pivot -S_rr: a loop is closed where its two sides meet, and
// links below that know nothing of it. S is then that of the loop with its base at rest: smaller than that of the whole
// machine, and of the same rank. Rows that the ground closes are left to the end.
#pragma once

#include "system/articulated_inertia.hpp"
#include "system/elimination.hpp"
#include "system/traced_solve.hpp"

namespace armature::internal {

class ArticulatedSolve : public TracedSolve {
 public:
  // groups, extents: as CompositeSolve takes them
  ArticulatedSolve(const ArticulatedTree& tree, const ExpressionMatrix& Phi, const std::vector<int>& groups,
                   const std::vector<Expression>& extents = {});

 private:
  using RowFactor = Elimination::RowFactor;
  struct Front {  // of a link: I and F
    ArticulatedInertia inertia;
    std::map<int, Wrench> rows;
  };

  std::vector<Solution> solve_together(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const override;

  void find_closing_links(const ExpressionMatrix& Phi);
  void eliminate_outside();
  void eliminate_link(int link);
  void eliminate_velocity(int link, const Freedom& freedom);
  void meet_rows(Front* front, Elimination& step);
  void take_from_rows(Front& front, const Elimination& step);
  void eliminate_closed_rows(int link);
  void eliminate_row(int link, int row);
  void take_meeting_rows(int row, Elimination& step);
  void add_to_S(const Elimination& step, double sign);
  void pass_to_parent(int link);
  void close_at_ground();
  std::vector<int> ground_elimination_order(const std::map<int, int>& number) const;

  const ArticulatedTree& tree_;
  TreeFactor factor_;

  // while it is made
  std::vector<std::vector<RowFactor>> column_;  // of Phi, by velocity
  std::vector<int> left_;                       // velocities of a row that are not eliminated; -1: nor is the row left
  std::vector<std::vector<int>> closed_at_;     // rows, by the link where their sides meet
  std::vector<int> at_ground_;                  // rows
  std::vector<Front> fronts_;
  std::map<std::pair<int, int>, Expression> S_;  // {r, s} with r >= s, of rows not eliminated
  std::vector<Expression> measure_;              // S_rr of the row as if inner loops were open
  std::vector<int> row_order_;
};

}  // namespace armature::internal
