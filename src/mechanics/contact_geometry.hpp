// Where two surfaces are nearest to each other, as expressions of positions. A compliant law, a rigid contact, a rolling constraint and a
// joint with clearance all see contacts through this:
//
//            a                gap       distance of the surfaces along the normal; negative: they penetrate
//          ______             normal    unit vector from b to a: the direction in which a is pushed
//         /      \            at_a/b    the nearest points, material points of a and of b
//         \__at_a/   ↑ normal velocity  of a's material against b's, at the point between at_a and at_b
//   ________at_b______        gap_rate  normal . velocity: how fast the gap opens
//            b                slip      velocity without its normal part
//
// Rates are linear in v, so that EquationsBuilder::apply(force, rate) puts a force on both bodies:
//   apply(push, pair.gap_rate)     pushes them apart,      apply(-drag, pair.slip_rates[0])    drags a against its slip.
#pragma once

#include <string>
#include <vector>

#include "mechanics/bodies.hpp"
#include "model/contact_surface.hpp"

namespace armature::internal {

struct ContactPair {
  std::string suffix;  // "" or, where surfaces touch at several points, "1", "2"
  int frame = -1;      // the link, nearest to both bodies, in whose frame all vectors are; -1: the ground
  Expression gap;
  Vec3 normal, at_a, at_b;
  Vec3 velocity;
  Expression gap_rate;
  std::vector<Vec3>
      tangents;  // unit vectors across the normal: one in a plane, two in space; none: no smooth choice of two
  std::vector<Expression> slip_rates;  // velocity along each
  Expression curvature = 0;            // of both surfaces together, 1/m
};

// Throws FormulaError where the two shapes cannot touch, or not at one point.
std::vector<ContactPair> contact_pairs(EquationsBuilder& builder, const ContactSurface& a, const ContactSurface& b);

// A vector of the pair's frame, and one of its points, in the ground's.
Vec3 vector_in_ground(EquationsBuilder& builder, const ContactPair& pair, const Vec3& x);
Vec3 point_in_ground(EquationsBuilder& builder, const ContactPair& pair, const Vec3& x);

// The velocity of the material of a link that is at a point, against another link that carries it; point and velocity in that one's frame.
Vec3 material_velocity(EquationsBuilder& builder, int link, int carrier, const Vec3& at);

}  // namespace armature::internal
