// Loads of friction. Friction is a coefficient times the force N that presses two surfaces together, and N follows from the reaction
// of a joint or the multiplier of a constraint, which the friction itself changes. Elements see a leaf in place of N. Once the
// equations are complete, the leaves are solved for together with accelerations and multipliers (system/friction_loads.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression/syntax.hpp"
#include "mechanics/vector.hpp"

namespace armature::internal {

class EquationsBuilder;

// What a joint passes from its a side to its b side: at its point on a, in a's axes.
struct JointWrench {
  Vec3 force{}, moment{};
  Vec3 axis{};  // of the joint, a unit vector
  Vec3 to_b{};  // from its point on a to that on b
};

// scale |n|, or scale n where n keeps its sign.
struct LoadTerm {
  Expression scale = 1.0;
  std::vector<Expression> n;  // affine in accelerations, multipliers and the leaves of loads
  bool keeps_sign = false;
};

// A sum of terms.
struct FrictionLoad {
  using Terms = std::function<std::vector<LoadTerm>(const JointWrench&, Expression load)>;

  std::string name;  // of its element
  Location where;
  std::string joint;  // that carries it; empty: its terms are known without a reaction
  Expression leaf;
  Terms terms_of = {};
  std::vector<LoadTerm> terms = {};
  // The force of a rigid contact, found in steps with a matrix whose diagonal is larger by this part; 0: it is no such force.
  Expression softness = 0.0;
};

// N in the rows that are too many: it is determined where `change` is zero.
struct UndeterminedLoad {
  std::string name;
  Location where;
  std::string joint, row;
  Expression change;
};

// The leaf of a load; in a second build of the model the one that the first has made.
Expression add_joint_load(EquationsBuilder& builder, const std::string& name, Location where, const std::string& joint,
                          FrictionLoad::Terms terms_of);
Expression add_load(EquationsBuilder& builder, const std::string& name, Location where, std::vector<LoadTerm> terms);
// The same of a rigid contact, whose terms are given its leaf.
Expression add_contact_load(EquationsBuilder& builder, const std::string& name, Location where, Expression softness,
                            const std::function<LoadTerm(Expression leaf)>& term);

}  // namespace armature::internal
