// What may change about how a machine is written down while the machine stays the same.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <optional>

#include "expression/syntax.hpp"

namespace armature::internal {

struct Transformation {
  double length = 1, mass = 1, time = 1;  // how many new units make an old one
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  // in new units
  bool frames_stay = false;  // frames of bodies do not turn with the world: joints on the ground stand on a turned bed
  std::optional<unsigned> shuffle;  // seed of another order of everything that is listed
  std::optional<unsigned> rename;   // seed of other names
  std::optional<unsigned> recount;  // seed of coordinates that count the other way round, or from another zero

  double factor(int length_power, int mass_power, int time_power) const {
    return std::pow(length, length_power) * std::pow(mass, mass_power) * std::pow(time, time_power);
  }
  double factor(const Dimension& dimension) const {
    return factor(dimension.exponent[1], dimension.exponent[0], dimension.exponent[2]);
  }
  double energy() const { return factor(2, 1, -2); }

  bool mirrors() const { return turn.determinant() < 0; }
  bool moves_world() const { return !turn.isIdentity(0) || !shift.isZero(0); }
  // Of vectors in the frame of a body; a beam lies along its own x in a mirror, too.
  Eigen::Matrix3d turn_of_bodies() const {
    if (!frames_stay) return turn;
    return Eigen::Vector3d(1, mirrors() ? -1 : 1, 1).asDiagonal();
  }
};

// new = factor old + offset
struct CoordinateChange {
  double factor = 1, offset = 0;
};

}  // namespace armature::internal
