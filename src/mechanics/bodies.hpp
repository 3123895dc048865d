// The bodies of a mechanism on the tree of links that carries them: where they are, how they turn, and forces on them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mechanics/beam_links.hpp"
#include "mechanics/body_place.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/tree.hpp"

namespace armature::internal {

// A place in the frame of its body.
Vec3 point_of(const Attachment& place, const EquationsBuilder& builder);

class Bodies {
 public:
  explicit Bodies(EquationsBuilder& builder);
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  BeamLinks& beams() { return beams_; }

  // --- while the tree grows
  void place(const Attachment& at, int link, const Pose& on_link);  // the body of `at`, which is on a link at a pose
  BodyPlace place_at(const Attachment& place);                      // the link that something attached there sits on

  // --- where bodies are
  bool contains(const std::string& body) const { return bodies_.contains(body); }
  const BodyPlace& frame_of(const std::string& body) const { return bodies_.at(body); }
  int common_link(const Attachment& a, const Attachment& b) const;  // the last link that moves both
  Pose pose_of(const Attachment& place, int ancestor = -1) const;   // of the body's axes at the place
  Vec3 gap(const Attachment& a, const Attachment& b) const;         // b - a, in the axes of their common link
  bool can_move(const Attachment& place) { return place_at(place).link >= 0; }  // false: fixed to the ground
  std::optional<Value> look_up(const std::string& name);  // a point or a body (its origin), in ground axes

  // --- how they turn: axes in the ground's, and angular velocity in ground axes
  struct Turning {
    Mat3 R;
    Vec3 w;
  };
  Turning turning_of(const std::string& body);
  Vec3 angular_velocity(const Mat3& R);
  std::optional<Value> turning_signal(const std::string& body, const std::string& signal);

  // Force and torque on a body at a place, along the axes of the ground or of the body. Returns their powers F_i v_i and N.w.
  std::vector<Expression> apply_wrench(const Attachment& place, const Vec3& force, const Vec3& torque, bool in_body);

 private:
  EquationsBuilder& builder_;
  Tree tree_;
  BeamLinks beams_;
  std::map<std::string, BodyPlace> bodies_;
  IndexByName body_indices_, point_indices_;  // of the model
};

}  // namespace armature::internal
