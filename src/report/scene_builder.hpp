// Turns a model into a scene. Positions are expressions of the coordinates, traced by the same code that builds the equations.
#pragma once

#include <Eigen/Core>

#include "mechanics/builder.hpp"
#include "mechanics/mechanism.hpp"
#include "report/scene.hpp"

namespace armature::internal {

inline Eigen::Vector3d vector_of(const Triple& x) { return {x[0], x[1], x[2]}; }
double drawn_radius(const Scene& scene,
                    int body);  // of the wheel that a body is drawn as: of its largest cylinder; 0: it is not
bool is_fixed(const Expression& x, const Equations& equations);  // depends on nothing but parameters

class Scene::Builder {
 public:
  Builder(const Model& model, const std::vector<std::string>& free_parameters, Scene& scene)
      : model_(model), free_(free_parameters), scene_(scene) {}
  void build();

 private:
  void build_mechanism();
  void build_lagrangian();
  void add_body(const Body& body, Mechanism& mechanism);
  void add_beam(const Body& body, Mechanism& mechanism, SceneBody& out);
  void add_beam_loads(const std::string& body, const BeamLinks& beams, SceneBeam& out);
  void add_shape(const Shape& shape, EquationsBuilder& builder, SceneBody& out);
  void add_joint(const Joint& joint, EquationsBuilder& builder);
  void add_links(EquationsBuilder& builder);
  void add_drives(Mechanism& mechanism);  // what moves, holds and stops joints: scene_drives.cpp
  void add_stops(std::size_t joint, Mechanism& mechanism);
  void add_shaft(std::size_t joint, Mechanism& mechanism);
  Eigen::Matrix3d align_of(std::size_t joint, Mechanism& mechanism);  // a's axes from b's at zero
  Triple farthest_place(int body, const ScenePlace& from) const;
  void add_couplings(EquationsBuilder& builder);  // scene_couplings.cpp
  void add_profiles(EquationsBuilder& builder);   // scene_profiles.cpp
  void add_loads(EquationsBuilder& builder);
  void add_contacts(EquationsBuilder& builder);  // surfaces that touch: scene_contacts.cpp
  void add_surface(const std::string& name, const ContactSurface& surface, const ContactSurface& other,
                   EquationsBuilder& builder);
  void add_outline(const std::string& name, const std::vector<Vec3>& line, bool fixed);
  void add_touched(const ContactSurface& surface, EquationsBuilder& builder);
  void add_blade(const RollingConstraint& edge, EquationsBuilder& builder);
  bool add_cam(const std::string& name, const ContactSurface& surface, const std::vector<Vec3>& outline,
               EquationsBuilder& builder);
  void add_gaps(EquationsBuilder& builder);  // contacts whose gap is a formula: scene_gaps.cpp
  void add_gap(const ForceElement& element, EquationsBuilder& builder);
  void add_gap_plane(const std::string& name, const ScenePlace& place, const Vec3& p, std::size_t axis,
                     Expression closed, double factor);
  double reach() const;
  void add_load(const ForceElement& element, EquationsBuilder& builder);
  void add_drawing(const LagrangianSection::Drawing& drawing, EquationsBuilder& builder);
  ScenePlace place(const Attachment& attachment, EquationsBuilder& builder, const std::string& path);
  bool is_held(const std::string& body, double length, EquationsBuilder& builder);
  void compile(const Equations& equations);

  // The value of a formula, which stands at this path in the document ("": nowhere). Of one that follows free parameters, the value at theirs.
  double constant(const Expression& x, EquationsBuilder& builder, const std::string& path);
  Triple triple(const Formula& formula, EquationsBuilder& builder, const std::string& path);
  double number(const Formula& formula, EquationsBuilder& builder, const std::string& path, double otherwise = 0);

  const Model& model_;
  const std::vector<std::string>& free_;
  Scene& scene_;
  std::vector<Expression> poses_, points_, loads_;  // outputs
  std::vector<Expression> following_;               // free parameters, one a path of the scene's layout
};

}  // namespace armature::internal
