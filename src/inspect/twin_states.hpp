// One random consistent state in two models of a machine: positions, rates and currents such that everything the two
// name alike is the same.
//
// Model A is moved by small random steps away from its start, each corrected onto its constraints; B follows every
// step by Newton's method on  phi_B = 0,  y_B = y_A,  so that both stay on their branches. Rates then solve a linear
// system.
#pragma once

#include <random>
#include <string>

#include "dynamics/configuration.hpp"
#include "inspect/named_motion.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

struct TwinNames {
  std::vector<std::string> a, b;  // name i of a is name i of b
};

class TwinStates {
 public:
  TwinStates(const Prepared& a, const Prepared& b, const TwinNames& names, unsigned seed);

  // Why there are none: the starts differ, or the common names do not determine B's state. Empty: there are.
  const std::string& obstacle() const { return obstacle_; }
  // A new pair; false: B could not follow.
  bool draw(State& a, State& b);

  NamedMotion& motion_a() { return motion_a_; }
  NamedMotion& motion_b() { return motion_b_; }

 private:
  bool walk(State& a, State& b);
  bool follow(const State& a, State& b);      // positions of b
  void take_rates(const State& a, State& b);  // rates of b
  void take_others(State& a, State& b);       // currents and the like, random and equal by name
  void randomize(Eigen::VectorXd& dv, double size);
  void unwrap(SystemEvaluator& evaluator, State& state);

  const Prepared &a_, &b_;
  TwinNames names_;
  NamedMotion motion_a_, motion_b_;
  SystemEvaluator evaluator_a_, evaluator_b_;
  Configuration configuration_a_, configuration_b_;
  State start_b_;
  std::mt19937 generator_;
  std::string obstacle_;
};

}  // namespace armature::internal
