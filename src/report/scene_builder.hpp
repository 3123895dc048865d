// Turns a model into a scene. Positions are expressions of the coordinates, traced by the same code that builds the equations.
#pragma once

#include "mechanics/builder.hpp"
#include "mechanics/mechanism.hpp"
#include "report/scene.hpp"

namespace armature::internal {

class Scene::Builder {
 public:
  Builder(const Model& model, Scene& scene) : model_(model), scene_(scene) {}
  void build();

 private:
  void build_mechanism();
  void build_lagrangian();
  void add_body(const Body& body, Mechanism& mechanism);
  void add_beam(const Body& body, Mechanism& mechanism, SceneBody& out);
  void add_shape(const Shape& shape, EquationsBuilder& builder, SceneBody& out);
  void add_joint(const Joint& joint, EquationsBuilder& builder);
  void add_links(EquationsBuilder& builder);
  void add_drawing(const LagrangianSection::Drawing& drawing, EquationsBuilder& builder);
  ScenePlace place(const Attachment& attachment, EquationsBuilder& builder) const;
  bool is_held(const std::string& body, double length, EquationsBuilder& builder) const;
  void compile(const Equations& equations);

  const Model& model_;
  Scene& scene_;
  std::vector<Expression> poses_, points_;  // outputs
};

}  // namespace armature::internal
