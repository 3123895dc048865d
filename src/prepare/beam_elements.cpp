#include "prepare/beam_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "linear/decompositions.hpp"
#include "mechanics/small_beam_basis.hpp"
#include "model/findings.hpp"
#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr double allowed = 0.01;  // of a frequency: as much as E and a section are known to
constexpr int fine = 16;          // elements: their own error is below 1e-5, clamped at both ends
constexpr double rigid = 1e-9;    // of the largest eigenvalue: the beam moves without bending

// A place where the beam cannot deflect, and whether it can turn there.
struct Hold {
  double share;  // of the length
  bool turns;
};

// Bodies that are connected, without this one. The ground is one of them.
std::set<std::string> connected(const Model& model, const std::string& from, const std::string& without) {
  std::set<std::string> found{from};
  for (bool grown = true; grown;) {
    grown = false;
    const auto join = [&](const Attachment& a, const Attachment& b) {
      if (a.body == without || b.body == without || found.contains(a.body) == found.contains(b.body)) return;
      found.insert(a.body), found.insert(b.body);
      grown = true;
    };
    for (const Joint& joint : model.joints)
      if (words_of(joint.type).freedoms() < 6) join(joint.a, joint.b);
    for (const DistanceConstraint& rod : model.distances) join(rod.a, rod.b);
  }
  return found;
}

// A drive, an effort or a spring on a joint keeps its angle.
bool is_driven(const Model& model, const Joint& joint) {
  std::set<std::string> coordinates;
  for (const JointComponent& component : components_of(joint.type))
    coordinates.insert(coordinate_name(joint, component));
  const auto on_joint = [&](const std::string& coordinate) { return coordinates.contains(coordinate); };
  const bool driven = std::ranges::any_of(model.drives, on_joint, &Drive::on);
  const bool acted_on = std::ranges::any_of(
      model.forces, [&](const ForceElement& element) { return std::ranges::any_of(element.on, on_joint); });
  const bool sprung = std::ranges::any_of(joint.elements, [](const JointElement& e) { return e.stiffness.given(); });
  return sprung || driven || acted_on;
}

bool lets_turn(const Model& model, const Joint& joint) {
  return words_of(joint.type).turns() && !is_driven(model, joint);
}

bool is_beam(const Model& model, const std::string& name) {
  return std::ranges::any_of(model.bodies, [&](const Body& body) { return body.name == name && body.beam; });
}

// Where joints and rods hold the beam. A body that hangs on the beam alone does not. Nothing: the beam continues in another one
// that is fixed to it, or a place is not known.
std::optional<std::vector<Hold>> holds_of(const Model& model, const Body& body) {
  const auto length = find_constant(body.beam->length, model);
  if (!length) return std::nullopt;
  std::vector<Hold> holds;
  const auto add = [&](const Attachment& own, const Attachment& other, bool turns) {
    if (own.body != body.name || !connected(model, other.body, body.name).contains("ground")) return;
    holds.push_back({own.at.given() ? evaluate_constant_vector(own.at, model)[0] / *length : 0, turns});
  };
  for (const Joint& joint : model.joints) {
    if (words_of(joint.type).slides() > 1) continue;
    const bool own = joint.a.body == body.name || joint.b.body == body.name;
    const std::string& other = joint.a.body == body.name ? joint.b.body : joint.a.body;
    if (own && words_of(joint.type).freedoms() == 0 && is_beam(model, other)) return std::nullopt;
    add(joint.a, joint.b, lets_turn(model, joint));
    add(joint.b, joint.a, lets_turn(model, joint));
  }
  for (const DistanceConstraint& rod : model.distances) add(rod.a, rod.b, true), add(rod.b, rod.a, true);
  return holds;
}

// All motions of n elements, or those of a body that moves freely and bends in the given shapes: columns of nodal values
// (w, h w').
MatrixXd all_motions(int n) { return MatrixXd::Identity(2 * (n + 1), 2 * (n + 1)); }

MatrixXd motions_of(const Beam& beam, const Beam::Motion& motion) {
  const MatrixXd shapes = field_basis(FieldKind::bending, beam.elements, beam.chord, motion.modes).shapes;
  MatrixXd motions = MatrixXd::Zero(shapes.rows(), shapes.cols() + 2);
  for (int node = 0; node <= beam.elements; ++node) {
    motions(2 * node, 0) = 1;
    motions(2 * node, 1) = node, motions(2 * node + 1, 1) = 1;
  }
  motions.rightCols(shapes.cols()) = shapes;
  return motions;
}

// What has to be zero: w at each hold, and h w' where it does not turn.
MatrixXd held_values(const std::vector<Hold>& holds, int n) {
  MatrixXd rows = MatrixXd::Zero(0, 2 * (n + 1));
  const auto add = [&](int element, const Row4& values) {
    rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
    rows.bottomRows(1).setZero();
    for (int i = 0; i < 4; ++i) rows(rows.rows() - 1, 2 * element + i) = values[i];
  };
  for (const Hold& hold : holds) {
    const double place = std::clamp(hold.share, 0.0, 1.0) * n;
    const int element = std::min(static_cast<int>(place), n - 1);
    add(element, cubic_shapes(place - element));
    if (!hold.turns) add(element, cubic_slopes(place - element));
  }
  return rows;
}

// The first frequency at which the beam bends, up to a factor of length, section and material; infinite: it cannot.
double first_frequency(const MatrixXd& motions, int n, const std::vector<Hold>& holds) {
  // motions that the supports leave free: the kernel of what they hold
  const MatrixXd held = held_values(holds, n) * motions;
  MatrixXd free = motions;
  if (held.rows() > 0) {
    const MatrixXd kernel = null_space(held);
    if (kernel.cols() == 0) return std::numeric_limits<double>::infinity();
    free = motions * kernel;
  }
  // their frequencies; the first that is not that of a rigid body
  const MatrixXd K = free.transpose() * nodal_stiffness(FieldKind::bending, n) * free,
                 M = free.transpose() * nodal_mass(FieldKind::bending, n) * free;
  const Eigen::VectorXd squares = eigenpairs(K, M).values;
  const double zero = rigid * std::max(1.0, squares.tail(1)[0]);
  for (const double square : squares)
    if (square > zero) return std::sqrt(square) * n * n;
  return std::numeric_limits<double>::infinity();
}

double error_of(const Beam& beam, const Beam::Motion& motion, const std::vector<Hold>& holds) {
  const int n = std::max(fine, beam.elements);
  return first_frequency(motions_of(beam, motion), beam.elements, holds) / first_frequency(all_motions(n), n, holds) -
         1;
}

// "elements: 2", or "modes: 5": the least that is enough.
std::string enough(Beam beam, Beam::Motion motion, const std::vector<Hold>& holds) {
  int& count = motion.modes > 0 ? motion.modes : beam.elements;
  const char* key = motion.modes > 0 ? "modes" : "elements";
  const int most = motion.modes > 0 ? 2 * beam.elements : fine;
  while (count < most && !(error_of(beam, motion, holds) <= allowed)) ++count;
  return fmt::format("{}: {}", key, count);
}

std::optional<Finding> finding_about(const std::string& name, const Beam& beam, const Beam::Motion& motion,
                                     const std::vector<Hold>& holds) {
  const double error = error_of(beam, motion, holds);
  if (!(error > allowed)) return std::nullopt;
  const std::string has =
      motion.modes > 0 ? fmt::format("modes: {}", motion.modes) : fmt::format("elements: {}", beam.elements);
  const std::string off = std::isinf(error)
                              ? "it cannot bend"
                              : fmt::format("its first bending frequency is {:.2g} % too high", 100 * error);
  return finding<FindingCode::beam_frequency>("beam"_a = name, "has"_a = has, "error"_a = off,
                                              "enough"_a = enough(beam, motion, holds));
}

}  // namespace

Findings beam_element_findings(const Model& model) {
  Findings findings;
  for (const Body& body : model.bodies) {
    const auto holds = body.beam && !body.beam->large ? holds_of(model, body) : std::nullopt;
    if (!holds) continue;
    for (const Beam::Motion& motion : body.beam->motions) {
      if (motion.field != BeamField::bend_y && motion.field != BeamField::bend_z) continue;
      const auto found = finding_about(body.name, *body.beam, motion, *holds);
      if (found && std::ranges::count(findings, found->sentence, &Finding::sentence) == 0) findings.push_back(*found);
    }
  }
  return findings;
}

}  // namespace armature::internal
