#include "report/scene_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "lagrangian/lagrangian.hpp"
#include "mechanics/build.hpp"
#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/mesh_file.hpp"

namespace armature::internal {
namespace {

// The twelve triangles of a box about its center, nine numbers each.
std::vector<float> box_triangles(const Triple& sides) {
  std::vector<float> corners;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const double turn = side < 0 ? -0.5 : 0.5;  // so that both faces look outward
      const double square[6][2] = {{-0.5, -turn}, {0.5, -turn}, {0.5, turn}, {-0.5, -turn}, {0.5, turn}, {-0.5, turn}};
      for (const auto& corner : square) {
        double x[3];
        x[axis] = side * sides[axis], x[u] = corner[0] * sides[u], x[v] = corner[1] * sides[v];
        for (const double each : x) corners.push_back(static_cast<float>(each));
      }
    }
  return corners;
}

// Turned by an angle about an axis: x cos + (n x x) sin + n (n . x) (1 - cos).
void turn_triangles(std::vector<float>& corners, const Triple& axis, double angle) {
  const double length = std::hypot(axis[0], axis[1], axis[2]), c = std::cos(angle), s = std::sin(angle);
  if (!(length > 0)) return;
  const double n[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  for (std::size_t k = 0; k + 3 <= corners.size(); k += 3) {
    const double x[3] = {corners[k], corners[k + 1], corners[k + 2]}, along = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      corners[k + i] = static_cast<float>(c * x[i] + s * (n[j] * x[l] - n[l] * x[j]) + (1 - c) * along * n[i]);
    }
  }
}

// What pulls along a line, by what the file gives it.
std::string link_kind(const ForceElement& element) {
  const std::string type = element.kind->type();
  if (type == "spring" && element.values["damping"].given())
    return element.values["stiffness"].given() ? "spring_damper" : "damper";
  return type == "gas_spring" || type == "bushing" || type == "rope" ? type : std::string(element.kind->drawing());
}

}  // namespace

bool is_fixed(const Expression& x, const Equations& equations) {
  const std::vector<std::int32_t> leaves = x.is_constant() ? std::vector<std::int32_t>{} : leaves_of(x);
  return std::ranges::all_of(
      leaves, [&](std::int32_t leaf) { return std::ranges::count(equations.p, leaf, &Expression::id) > 0; });
}

Scene::Scene(const Model& model, const std::vector<std::string>& free_parameters) {
  Builder(model, free_parameters, *this).build();
}

double Scene::Builder::constant(const Expression& x, EquationsBuilder& builder, const std::string& path) {
  if (x.is_constant()) return x.value();
  const Equations& equations = builder.equations();
  if (equations.p.empty() || !is_fixed(x, equations)) return 0;
  double value = 0;
  Evaluator(std::make_shared<const Program>(equations.p, std::span(&x, 1)))(equations.p_value.data(), &value);
  if (path.empty()) return value;
  scene_.layout_.paths.push_back(path);
  following_.push_back(x);
  return value;
}

Triple Scene::Builder::triple(const Formula& formula, EquationsBuilder& builder, const std::string& path) {
  if (!formula.given()) return {};
  const Vec3 x = builder.vector(formula);
  Triple result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = constant(x[i], builder, path.empty() ? "" : fmt::format("{}/{}", path, i));
  return result;
}

double Scene::Builder::number(const Formula& formula, EquationsBuilder& builder, const std::string& path,
                              double otherwise) {
  return constant(builder.scalar(formula, otherwise), builder, path);
}

void Scene::Builder::build() {
  scene_.plane = model_.plane;
  if (model_.lagrangian.given)
    build_lagrangian();
  else
    build_mechanism();
}

void Scene::Builder::build_mechanism() {
  const auto equations = begin_equations(model_, free_);
  Mechanism mechanism(model_, *equations);
  mechanism.place_joints();
  if (model_.gravity.given()) {
    const Vec3 g = mechanism.builder().vector(model_.gravity);
    if (std::ranges::all_of(g, [&](const Expression& x) { return is_fixed(x, *equations); }))
      scene_.gravity = triple(model_.gravity, mechanism.builder(), "gravity");
  }
  for (const NamedPoint& point : model_.points)
    scene_.ground.emplace_back(
        point.name, triple(point.at, mechanism.builder(), fmt::format("ground/{}/at", scene_.ground.size())));
  for (const Body& body : model_.bodies) add_body(body, mechanism);
  for (const Joint& joint : model_.joints) add_joint(joint, mechanism.builder());
  add_links(mechanism.builder());
  add_drives(mechanism);
  add_couplings(mechanism.builder());
  add_profiles(mechanism.builder());
  add_loads(mechanism.builder());
  add_contacts(mechanism.builder());
  add_gaps(mechanism.builder());
  compile(*equations);
}

void Scene::Builder::add_body(const Body& body, Mechanism& mechanism) {
  SceneBody out;
  const std::string path = fmt::format("bodies/{}", scene_.bodies.size());
  out.name = body.name;
  out.mass = number(body.mass, mechanism.builder(), path + "/mass");
  out.center = triple(body.center, mechanism.builder(), path + "/center");
  out.offset = 7 * scene_.poses_++;
  for (const NamedPoint& point : body.points)
    out.points.emplace_back(
        point.name, triple(point.at, mechanism.builder(), fmt::format("{}/points/{}/at", path, out.points.size())));
  for (const Shape& shape : body.shapes) add_shape(shape, mechanism.builder(), out);
  const Pose X = mechanism.bodies().pose_of({body.name, {}, {}});
  poses_.insert(poses_.end(), X.p.begin(), X.p.end());
  poses_.insert(poses_.end(), X.R.entry.begin(), X.R.entry.end());
  if (body.beam) add_beam(body, mechanism, out);
  scene_.bodies.push_back(std::move(out));
}

// Points along the axis of a beam: eight an element show its cubic shapes, up to 64 in all; of one that bends far 24, up to 96.
void Scene::Builder::add_beam(const Body& body, Mechanism& mechanism, SceneBody& out) {
  SceneBeam beam;
  beam.length =
      number(body.beam->length, mechanism.builder(), fmt::format("bodies/{}/beam/length", scene_.bodies.size()));
  beam.nodes = (body.beam->large ? std::min(24 * body.beam->elements, 96) : std::min(8 * body.beam->elements, 64)) + 1;
  beam.offset = static_cast<int>(points_.size());
  beam.held = is_held(body.name, beam.length, mechanism.builder());
  for (int k = 0; k < beam.nodes; ++k) {
    const double x = beam.length * k / (beam.nodes - 1);
    const Attachment node{body.name, parse_formula(fmt::format("[{}, 0, 0]", x), {}), {}};
    const Vec3 p = mechanism.bodies().pose_of(node).p;
    points_.insert(points_.end(), p.begin(), p.end());
  }
  add_beam_loads(body.name, mechanism.beams(), beam);
  out.beam = beam;
}

// The stress where the section has a shape; else the size of the bending moment.
void Scene::Builder::add_beam_loads(const std::string& body, const BeamLinks& beams, SceneBeam& out) {
  out.load = static_cast<int>(loads_.size());
  for (int k = 0; k < out.nodes; ++k) {
    const double share = static_cast<double>(k) / (out.nodes - 1);
    if (const auto stress = beams.stress(body, share)) {
      out.is_stress = true;
      loads_.push_back(*stress);
    } else {
      const Vec3 moment = beams.moment(body, share);
      const bool planar = moment[1].is(0) || moment[2].is(0);
      loads_.push_back(planar ? moment[1] + moment[2] : sqrt(moment[1] * moment[1] + moment[2] * moment[2]));
    }
  }
}

// Whether joints hold both ends of a beam.
bool Scene::Builder::is_held(const std::string& body, double length, EquationsBuilder& builder) {
  double first = length, last = 0;
  for (const Joint& joint : model_.joints)
    for (const Attachment* side : {&joint.a, &joint.b})
      if (side->body == body && words_of(joint.type).freedoms() > 0) {
        const double x = triple(side->at, builder, "")[0];
        first = std::min(first, x), last = std::max(last, x);
      }
  return last - first > 0.99 * length;
}

void Scene::Builder::add_shape(const Shape& shape, EquationsBuilder& builder, SceneBody& out) {
  SceneShape made;
  const std::string path = fmt::format("bodies/{}/shapes/{}", scene_.bodies.size(), out.shapes.size());
  made.kind = shape.kind;
  made.at = triple(shape.at, builder, path + "/at");
  made.sides = triple(shape.sides, builder, shape.kind == "box" ? path + "/sides" : "");
  made.from = triple(shape.from, builder, path + "/from");
  made.to = triple(shape.to, builder, path + "/to");
  made.radius = number(shape.radius, builder, path + "/radius");
  if (shape.kind == "mesh") {
    try {
      made.triangles = read_mesh_file(shape.file, number(shape.scale, builder, "", 1));
    } catch (const std::runtime_error& error) {
      scene_.notes.push_back(fmt::format("{}: {}", shape.file, error.what()));
    }
  }
  if (const double angle = number(shape.angle, builder, ""); angle != 0) {
    if (shape.kind == "box") made.kind = "mesh", made.triangles = box_triangles(made.sides);
    turn_triangles(made.triangles, shape.axis.given() ? triple(shape.axis, builder, "") : Triple{0, 0, 1}, angle);
  }
  out.shapes.push_back(std::move(made));
}

ScenePlace Scene::Builder::place(const Attachment& attachment, EquationsBuilder& builder, const std::string& path) {
  const auto found = std::find_if(model_.bodies.begin(), model_.bodies.end(),
                                  [&](const Body& body) { return body.name == attachment.body; });
  return {found == model_.bodies.end() ? -1 : static_cast<int>(found - model_.bodies.begin()),
          triple(attachment.at, builder, path + "/at")};
}

void Scene::Builder::add_joint(const Joint& joint, EquationsBuilder& builder) {
  const std::string path = fmt::format("joints/{}", scene_.joints.size());
  const Triple axis = joint.axis_a.given() ? triple(joint.axis_a, builder, path + "/axis") : Triple{0, 0, 1};
  const JointWords& words = words_of(joint.type);
  scene_.joints.push_back({joint.name, std::string(words.name), std::string(words.glyph),
                           place(joint.a, builder, path + "/a"), place(joint.b, builder, path + "/b"), axis});
}

void Scene::Builder::add_links(EquationsBuilder& builder) {
  const auto add = [&](const std::string& name, const std::string& kind, const Attachment& a, const Attachment& b) {
    const std::string path = fmt::format("links/{}", scene_.links.size());
    scene_.links.push_back({name, kind, place(a, builder, path + "/a"), place(b, builder, path + "/b")});
  };
  for (const ForceElement& element : model_.forces)
    if (const std::string kind = link_kind(element); !kind.empty())
      for (std::size_t i = 0; i + 1 < element.places.size(); ++i)
        add(element.name, kind, element.places[i], element.places[i + 1]);
  for (const DistanceConstraint& distance : model_.distances) add(distance.name, "distance", distance.a, distance.b);
}

void Scene::Builder::build_lagrangian() {
  const auto equations = begin_equations(model_, free_);
  Lagrangian lagrangian(model_, *equations);
  lagrangian.add_coordinates();
  for (const LagrangianSection::Drawing& drawing : model_.lagrangian.draw) add_drawing(drawing, lagrangian.builder());
  const auto flat = [](const Expression& z) { return z.is(0); };
  bool planar = !points_.empty();
  for (std::size_t i = 2; i < points_.size(); i += 3) planar = planar && flat(points_[i]);
  if (planar && scene_.plane.empty()) scene_.plane = "xy";
  compile(*equations);
}

void Scene::Builder::add_loads(EquationsBuilder& builder) {
  for (const ForceElement& element : model_.forces)
    if (const std::string type = element.kind->type(); (type == "force" || type == "torque") && !element.places.empty())
      add_load(element, builder);
}

namespace {

// Comparisons by what they compare, since a picture has no events: 1 where the root is positive (or zero), else 0. A floor stays.
Expression without_outcomes(const Expression& x, Graph& graph) {
  if (x.is_constant()) return x;
  Substitution by_root(LeafMap{});
  for (std::size_t k = 0; k < graph.comparisons().size(); ++k) {  // the root of one depends on earlier ones alone
    const Graph::Comparison& each = graph.comparisons()[k];
    if (each.kind == Graph::ComparisonKind::floor || each.root.is_constant()) continue;
    const double at_zero = each.kind == Graph::ComparisonKind::at_least ? 1 : 0;
    const Expression outcome = graph.outcome(static_cast<int>(k));
    by_root.replace(outcome.id(), kept_below(kept_above(1e300 * by_root(each.root) + at_zero, 0.0), 1.0));
  }
  return by_root(x);
}

}  // namespace

// Its vector is drawn where it follows from t, positions and velocities alone.
void Scene::Builder::add_load(const ForceElement& element, EquationsBuilder& builder) {
  SceneLoad load{element.name, element.kind->type(), place(element.places[0], builder, ""), -1, element.in_body};
  const Equations& equations = builder.equations();
  const auto is_recorded = [&](std::int32_t leaf) {
    return equations.t.id() == leaf || std::ranges::count(equations.q, leaf, &Expression::id) > 0 ||
           std::ranges::count(equations.v, leaf, &Expression::id) > 0 ||
           std::ranges::count(equations.p, leaf, &Expression::id) > 0;
  };
  try {
    Vec3 is = builder.vector(element.values["is"]);
    for (std::size_t i = 0; i < 3; ++i) is[i] = without_outcomes(is[i], builder.graph());
    const bool drawn = std::ranges::all_of(is, [&](const Expression& part) {
      return part.is_constant() || std::ranges::all_of(leaves_of(part), is_recorded);
    });
    if (drawn) load.offset = static_cast<int>(points_.size()), points_.insert(points_.end(), is.begin(), is.end());
  } catch (const FormulaError&) {  // a signal of a drive or controller, which a picture does not know
  }
  scene_.loads.push_back(std::move(load));
}

// A line through points; what its formulas cannot say from coordinates alone is left out with a note.
void Scene::Builder::add_drawing(const LagrangianSection::Drawing& drawing, EquationsBuilder& builder) {
  SceneDrawing out{drawing.name, static_cast<int>(points_.size()), static_cast<int>(drawing.points.size())};
  std::vector<Expression> points;
  try {
    for (const Formula& formula : drawing.points) {
      std::vector<Expression> parts = builder.value(formula).parts;
      parts.resize(3, 0.0);
      points.insert(points.end(), parts.begin(), parts.end());
    }
    if (!builder.graph().comparisons().empty()) throw FormulaError(drawing.where, "it depends on a comparison");
  } catch (const FormulaError& error) {
    scene_.notes.push_back(fmt::format("{} is not drawn: {}", drawing.name, error.what()));
    return;
  }
  points_.insert(points_.end(), points.begin(), points.end());
  scene_.drawings.push_back(out);
}

void Scene::Builder::compile(const Equations& equations) {
  std::vector<Expression> inputs{equations.t};
  scene_.inputs_.emplace_back("t");
  for (std::size_t i = 0; i < equations.q.size(); ++i) {
    inputs.push_back(equations.q[i]);
    scene_.inputs_.push_back(equations.positions[i].name);
  }
  for (std::size_t i = 0; i < equations.v.size(); ++i) {
    inputs.push_back(equations.v[i]);
    scene_.inputs_.push_back(equations.velocities[i].name);
  }
  for (std::size_t i = 0; i < equations.p.size(); ++i) {
    inputs.push_back(equations.p[i]);
    scene_.inputs_.push_back(equations.p_name[i]);
  }
  scene_.layout_.program = std::make_shared<const Program>(equations.p, following_);
  std::vector<Expression> outputs = poses_;
  outputs.insert(outputs.end(), points_.begin(), points_.end());
  outputs.insert(outputs.end(), loads_.begin(), loads_.end());
  scene_.program_ = std::make_shared<const Program>(inputs, outputs);
  const int poses = 7 * scene_.poses_;
  const int positions = poses + static_cast<int>(points_.size());
  scene_.point_count_ = static_cast<int>(points_.size()) / 3;
  scene_.frame_size_ = positions + static_cast<int>(loads_.size());
  for (SceneBody& body : scene_.bodies)
    if (body.beam) body.beam->offset += poses, body.beam->load += positions;
  for (SceneDrawing& drawing : scene_.drawings) drawing.offset += poses;
  for (SceneLoad& load : scene_.loads)
    if (load.offset >= 0) load.offset += poses;
}

}  // namespace armature::internal
