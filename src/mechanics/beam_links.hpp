// Flexible bodies of a mechanism. The elastic coordinates move links of the tree: massless ones where something is attached
// and where an element begins, and masses along the beam. A link at the pose (R(q), p(q)) has the freedoms
//   angular  w_q, with [w_q]x = R' dR/dq,   linear  R' dp/dq      (link axes)
// and, since these change with q, the relative accelerations  d/dt(w_q) q'  and  R' d/dt(dp/dq) q'  at q'' = 0.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/beam.hpp"
#include "mechanics/body_place.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/tree.hpp"
#include "model/signal_names.hpp"

namespace armature::internal {

class BeamLinks {
 public:
  BeamLinks(EquationsBuilder& builder, Tree& tree) : builder_(builder), tree_(tree) {}

  void add_coordinates();  // of all beams, and their start conditions
  bool contains(const std::string& body) const { return beams_.contains(body); }

  // The frame of a beam whose place `at` is on a link at the pose `on_link`; adds its elements and masses to the tree.
  BodyPlace place(const std::string& body, const Vec3& at, int link, const Pose& on_link, Location where);
  // Where something that is attached at a place sits: on the section there.
  BodyPlace section(const std::string& body, const Vec3& at, Location where);
  // A place of a beam in the beam's frame.
  Pose local_pose(const std::string& body, const Vec3& at, Location where) const;

  void add_elasticity();  // energies and forces of all beams

  // Moment, stress or strain energy. Throws FormulaError where the section has no shape, or the place none on the beam.
  Value signal(const BeamSignal& signal) const;
  // Moments about the section's axes at a share of the length.
  Vec3 moment(const std::string& body, double share) const;
  std::optional<Expression> stress(const std::string& body, double share) const;  // nothing: not known

 private:
  void start_relaxed(const BeamShape& beam, Location where);
  BodyPlace moved_by(const BeamShape& beam, const BodyPlace& from, const FlexiblePose& moving);
  void add_masses(const std::string& body, const BeamShape& beam, const BodyPlace& frame);

  EquationsBuilder& builder_;
  Tree& tree_;
  std::map<std::string, std::unique_ptr<BeamShape>> beams_;
  std::map<std::string, std::vector<BodyPlace>> element_frames_;
  std::map<std::pair<std::string, double>, BodyPlace> sections_;  // by body and place
};

}  // namespace armature::internal
