// Masses and inertias of rigid bodies, on the links that carry them. An entry of the inertia that the file leaves out is a leaf
// until M and f are known: where they depend on it, the model is incomplete; where not, it counts as zero.
#pragma once

#include <string>
#include <vector>

#include "mechanics/bodies.hpp"

namespace armature::internal {

class BodyMasses {
 public:
  explicit BodyMasses(EquationsBuilder& builder) : builder_(builder) {}

  void add_to(Bodies& bodies);  // those of all bodies of the model that are no beams

  void check_missing();  // once M and f are known; errors are kept by the builder
  Tree without_missing(const Tree& tree) const;

 private:
  struct MissingInertia {
    Expression leaf;
    Location where;
    std::string body, entry;
  };
  MassProperties mass_of(const Body& body);

  EquationsBuilder& builder_;
  std::vector<MissingInertia> missing_;
};

}  // namespace armature::internal
