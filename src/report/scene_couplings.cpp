// Gears, racks, belts, screws and shafts of a scene, from constraints and force elements that couple the motions of joints.
//
// A constraint  0 = c_1 q_1 + c_2 q_2 + …  with constant factors is a transmission. Where two wheels turn about axes on one carrier and
//
//   alpha a + beta b = 0        a, b: their angles, seen from the carrier
//
// their pitch circles have radii in the ratio  r_b/r_a = |beta/alpha|, and touch: from outside where they turn against each other
// (alpha beta > 0), from inside else. The distance of the axes gives both. Angles seen from the carrier are found in three forms:
//
//   c_1 q_1 + c_2 q_2                   both joints are on the carrier
//   c_1 q_1 + c_2 q_2                   joint 2 is on the body that joint 1 moves: a ring on the ground, seen from the carrier -q_1
//   c_1 (q_s - q_c) + c_p q_p           sun and planet, seen from the carrier of joint c
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "report/formula_joints.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;

struct CouplingTerm {
  int joint = 0;
  double factor = 0;
};

bool turns_only(const SceneJoint& joint) { return joint.type == "revolute"; }
bool slides_only(const SceneJoint& joint) { return joint.type == "prismatic"; }

// Seen along the axis of two wheels on one body; nothing where the axes are not parallel.
std::optional<double> axis_distance(const SceneJoint& a, const ScenePlace& from, const SceneJoint& b,
                                    const ScenePlace& to) {
  const Vector3d axis = vector_of(a.axis).normalized();
  if (axis.cross(vector_of(b.axis).normalized()).norm() > 1e-6) return std::nullopt;
  const Vector3d gap = vector_of(to.at) - vector_of(from.at);
  return (gap - axis * axis.dot(gap)).norm();
}

class CouplingFinder {
 public:
  CouplingFinder(const Scene& scene, std::string name) : scene_(scene), name_(std::move(name)) {}

  std::optional<SceneCoupling> operator()(std::vector<CouplingTerm> terms) const {
    if (terms.size() == 3) return sun_and_planet(terms);
    if (terms.size() != 2) return std::nullopt;
    if (slides_only(joint(terms[0]))) std::swap(terms[0], terms[1]);
    const SceneJoint &a = joint(terms[0]), &b = joint(terms[1]);
    if (!turns_only(a)) return std::nullopt;
    if (slides_only(b)) return rack(terms[0], terms[1]);
    if (!turns_only(b)) return std::nullopt;
    if (a.a.body == b.a.body) return wheels(terms[0], terms[1], a.a, b.a);
    if (a.b.body == b.a.body) return wheels({terms[0].joint, -terms[0].factor}, terms[1], a.b, b.a);
    if (b.b.body == a.a.body) return wheels({terms[1].joint, -terms[1].factor}, terms[0], b.b, a.a);
    return std::nullopt;
  }

 private:
  const SceneJoint& joint(const CouplingTerm& term) const {
    return scene_.joints[static_cast<std::size_t>(term.joint)];
  }

  std::optional<SceneCoupling> rack(const CouplingTerm& wheel, const CouplingTerm& slide) const {
    const SceneJoint &a = joint(wheel), &b = joint(slide);
    const double radius = std::abs(wheel.factor / slide.factor);
    const double along = std::abs(vector_of(a.axis).normalized().dot(vector_of(b.axis).normalized()));
    if (along > 0.999) return SceneCoupling{name_, "screw", wheel.joint, slide.joint, radius, 0};
    if (along > 1e-3) return std::nullopt;
    return SceneCoupling{name_, "rack", wheel.joint, slide.joint, radius, 0};
  }

  // Axes through `from` and `to`, places on the carrier.
  std::optional<SceneCoupling> wheels(const CouplingTerm& a, const CouplingTerm& b, const ScenePlace& from,
                                      const ScenePlace& to) const {
    const std::optional<double> distance = axis_distance(joint(a), from, joint(b), to);
    if (!distance) return std::nullopt;
    const double share = std::abs(b.factor / a.factor);  // r_b/r_a
    if (*distance < 1e-9) return SceneCoupling{name_, "shaft", a.joint, b.joint, 0, 0};
    if (a.factor * b.factor > 0) {
      const double radius_a = *distance / (1 + share);
      return SceneCoupling{name_, "gear", a.joint, b.joint, radius_a, *distance - radius_a};
    }
    return turning_alike(a, b, *distance, share);
  }

  // A wheel in a ring, or wheels apart with a belt or chain around them: as they are drawn.
  SceneCoupling turning_alike(const CouplingTerm& a, const CouplingTerm& b, double distance, double share) const {
    const double drawn_a = drawn_radius(scene_, joint(a).b.body), drawn_b = drawn_radius(scene_, joint(b).b.body);
    if (drawn_a > 0 && drawn_b > 0 && drawn_a + drawn_b < distance)
      return {name_, "belt", a.joint, b.joint, drawn_a, drawn_b};
    if (std::abs(share - 1) < 1e-9) return {name_, "belt", a.joint, b.joint, 0.3 * distance, 0.3 * distance};
    const double radius_a = distance / std::abs(1 - share);
    return {name_, "gear", a.joint, b.joint, radius_a, share * radius_a};
  }

  std::optional<SceneCoupling> sun_and_planet(const std::vector<CouplingTerm>& terms) const {
    for (const CouplingTerm& sun : terms)
      for (const CouplingTerm& carrier : terms)
        for (const CouplingTerm& planet : terms) {
          const SceneJoint &s = joint(sun), &c = joint(carrier), &p = joint(planet);
          if (!turns_only(s) || !turns_only(c) || !turns_only(p) || sun.joint == carrier.joint) continue;
          if (s.a.body != c.a.body || p.a.body != c.b.body || c.b.body < 0) continue;
          if (std::abs(sun.factor + carrier.factor) > 1e-9 * std::abs(sun.factor)) continue;
          return wheels(sun, planet, c.b, p.a);
        }
    return std::nullopt;
  }

  const Scene& scene_;
  std::string name_;
};

// Factors of a formula that is linear in the coordinates of joints; none where it is not, or where it is more than that.
class LinearTerms {
 public:
  LinearTerms(const Model& model, const Scene& scene, EquationsBuilder& builder)
      : model_(model), scene_(scene), builder_(builder) {}

  std::vector<CouplingTerm> operator()(const Formula& zero) {
    const FormulaJoints named = joints_in(zero, model_);
    if (named.uses_time || named.coordinates.size() < 2) return {};
    for (const std::string& name : named.coordinates) {
      const auto found = std::ranges::find(scene_.joints, name, &SceneJoint::name);
      if (found == scene_.joints.end()) return {};  // a part of a joint with several coordinates
      joints_[name] = static_cast<int>(found - scene_.joints.begin());
      leaves_.insert_or_assign(name, builder_.graph().input("coupled " + name));
    }
    try {
      return terms_of(lower(zero, scope()));
    } catch (const FormulaError&) {
      return {};
    }
  }

 private:
  std::vector<CouplingTerm> terms_of(const Value& value) {
    std::vector<CouplingTerm> terms;
    if (!value.is_scalar()) return {};
    const Equations& equations = builder_.equations();
    for (const auto& [name, leaf] : leaves_) {
      const Expression factor = Derivative(LeafMap{{leaf.id(), Expression(1.0)}})(value.parts[0]);
      if (!is_fixed(factor, equations)) return {};
      double number = factor.is_constant() ? factor.value() : 0;
      if (!factor.is_constant())
        Evaluator(std::make_shared<const Program>(equations.p, std::span(&factor, 1)))(equations.p_value.data(),
                                                                                       &number);
      if (number != 0) terms.push_back({joints_.at(name), number});
    }
    return terms;
  }

  Scope scope() {
    Scope scope;
    scope.look_up = [this](const std::string& name) -> std::optional<Value> {
      if (const auto found = leaves_.find(name); found != leaves_.end()) return Value(found->second);
      const auto definition = std::ranges::find(model_.definitions, name, &std::pair<std::string, Formula>::first);
      if (definition != model_.definitions.end()) return lower(definition->second, this->scope());
      return builder_.look_up(name);
    };
    return scope;
  }

  const Model& model_;
  const Scene& scene_;
  EquationsBuilder& builder_;
  std::map<std::string, int> joints_;
  std::map<std::string, Expression> leaves_;
};

// Of a worm wheel: what the worm leaves of the distance between the axes.
double worm_wheel_radius(const SceneJoint& worm, const SceneJoint& wheel, double radius) {
  const Vector3d a = vector_of(worm.axis).normalized(), normal = a.cross(vector_of(wheel.axis).normalized());
  return std::max(0.0, std::abs(normal.normalized().dot(vector_of(wheel.a.at) - vector_of(worm.a.at))) - radius);
}

int joint_named(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  return found == scene.joints.end() ? -1 : static_cast<int>(found - scene.joints.begin());
}

}  // namespace

double drawn_radius(const Scene& scene, int body) {
  double radius = 0;
  if (body >= 0)
    for (const SceneShape& shape : scene.bodies[static_cast<std::size_t>(body)].shapes)
      if (shape.kind == "cylinder") radius = std::max(radius, shape.radius);
  return radius;
}

void Scene::Builder::add_couplings(EquationsBuilder& builder) {
  for (const PrescribedConstraint& constraint : model_.prescribed)
    if (auto coupling = CouplingFinder(scene_, constraint.name)(LinearTerms(model_, scene_, builder)(constraint.zero)))
      scene_.couplings.push_back(std::move(*coupling));
  for (const ForceElement& element : model_.forces) {
    if (element.on.size() != 2) continue;
    const std::string type = element.kind->type();
    const int a = joint_named(scene_, element.on[0]), b = joint_named(scene_, element.on[1]);
    if (a < 0 || b < 0) continue;
    if (type == "belt")
      scene_.couplings.push_back({element.name, "belt", a, b, number(element.values["radii.a"], builder, ""),
                                  number(element.values["radii.b"], builder, "")});
    if (type == "power_screw")
      scene_.couplings.push_back({element.name, "screw", a, b, number(element.values["radius"], builder, ""), 0});
    if (type == "worm" &&
        scene_.joints[static_cast<std::size_t>(a)].a.body == scene_.joints[static_cast<std::size_t>(b)].a.body) {
      const double radius = number(element.values["radius"], builder, "");
      const double wheel = worm_wheel_radius(scene_.joints[static_cast<std::size_t>(a)],
                                             scene_.joints[static_cast<std::size_t>(b)], radius);
      scene_.couplings.push_back({element.name, "worm", a, b, radius, wheel});
    }
    if (type == "coordinate_spring") scene_.couplings.push_back({element.name, "shaft", a, b, 0, 0});
    if (type == "clutch" || type == "freewheel") scene_.couplings.push_back({element.name, "clutch", a, b, 0, 0});
  }
}

}  // namespace armature::internal
