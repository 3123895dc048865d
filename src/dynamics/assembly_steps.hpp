// The steps of assembly.hpp: from a guess to closed loops, from these to the nearest pose that closes them, and the velocities
// that go with it. In layers: a pose and what is asked of it (assembly_pose.hpp), one linear step (assembly_rows.hpp), the way to
// the nearest pose (assembly_descent.hpp), and here the steps in their order.
#pragma once

#include <random>
#include <vector>

#include "dynamics/assembly_descent.hpp"

namespace armature::internal {

// How far a pose is from what the file says. A smaller miss of `near` counts before a smaller motion of the rest.
struct Miss {
  double near = 0;   // norm of the residuals of `near`, pure numbers
  double moved = 0;  // norm of the motion of coordinates that the file does not name
  bool clearly_below(const Miss& other) const;
};

class AssemblySteps : public AssemblyDescent {
 public:
  using AssemblyDescent::AssemblyDescent;

  void begin(State& guess);     // puts named coordinates at their values; the metric is taken there
  void approach(State& state);  // keep and near alone: where the parts would be without the loops
  void reach(State& state);     // keep and near held, the other parts as nearly closing the loops as can be: the branch
  bool close(State& state, int most_steps = 100);  // keep and loops exactly, near as well as can be
  void drop_turns(
      State& state);  // whole turns that a coordinate made away from what the file says, where the loops allow it
  void least_gap(State& state);   // keep exactly, the loops as nearly closed as can be
  bool velocities(State& state);  // phidot = 0; false: none to be had, of which phidot() and speed_residual() tell more
  const Eigen::VectorXd& speed_residual() const { return speed_; }  // of speed_keep

  // Coordinates that loops or conditions couple with each other; what belongs to none of them takes no part.
  int components() const { return components_; }
  int coordinates(int component) const;
  static constexpr int everything = -1;
  void shake(State& state, double size, std::mt19937& generator, int component = everything) const;  // 1: any angle
  void reset(State& state, int component) const;  // to what the file says
  Miss miss(const State& state, int component = everything);

 private:
  bool iterate(State& state, Goal goal, int most);
  bool try_step(State& state, Goal goal, const Eigen::VectorXd& dv, double before);
  double limited() const;  // factor that keeps dv_ within half a radian or the machine's length
  void find_components();
  void put_named_speeds(State& state);
  void measure_speeds(const Eigen::VectorXd& v);

  std::vector<int> component_;  // of the velocities; -1: of none
  int components_ = 0;
  Eigen::VectorXd speed_, way_;
};

}  // namespace armature::internal
