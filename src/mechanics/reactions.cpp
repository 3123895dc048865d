#include "mechanics/reactions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "expression/program.hpp"
#include "mechanics/mechanism.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

// Values of the roots at a few random inputs, one row per root.
std::vector<std::vector<double>> root_values(Graph& graph, const std::vector<Expression>& roots) {
  std::vector<Expression> leaves;
  std::set<std::int32_t> seen;
  for (const Expression& root : roots)
    for (std::int32_t leaf : leaves_of(root))
      if (seen.insert(leaf).second) leaves.push_back(Expression(&graph, leaf));
  Evaluator evaluate(std::make_shared<Program>(leaves, roots));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0.2, 1.8);
  std::vector<std::vector<double>> values(roots.size());
  std::vector<double> in(leaves.size()), out(roots.size());
  for (int trial = 0; trial < 3; ++trial) {
    for (double& x : in) x = number(random);
    evaluate(in.data(), out.data());
    for (std::size_t k = 0; k < roots.size(); ++k) values[k].push_back(out[k]);
  }
  return values;
}

// x = sign y, up to round-off
bool equal(const std::vector<double>& x, double sign, const std::vector<double>& y) {
  constexpr double equal_values = 1e-9;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - sign * y[i]) <= equal_values * (std::abs(x[i]) + std::abs(y[i])))) return false;
  return true;
}

// The outcome of a comparison whose root has these values, by that of `other`: their roots are the same, or x >= 0 is the complement of
// -x > 0.
std::optional<Expression> outcome_by(const Graph::Comparison& comparison, const std::vector<double>& values,
                                     const Graph::Comparison& other, const std::vector<double>& other_values,
                                     Expression outcome) {
  const bool counts = comparison.kind == Graph::ComparisonKind::floor || other.kind == Graph::ComparisonKind::floor;
  if (comparison.kind == other.kind && equal(values, 1, other_values)) return outcome;
  if (comparison.kind != other.kind && !counts && equal(values, -1, other_values)) return 1.0 - outcome;
  return std::nullopt;
}

// The comparisons of the second build are those of the first, though their roots may be written differently: they are
// found by their values. `replacement` sends the outcomes of the second build's comparisons to the first's. What folded to a number
// in the first build has the outcome of that number. What is not found stays a comparison of its own, at zero displacement.
void find_first_comparisons(Graph& graph, std::size_t first_count, LeafMap& replacement) {
  const std::size_t count = graph.comparisons().size();
  std::vector<Expression> roots;
  for (std::size_t k = 0; k < first_count; ++k) roots.push_back(graph.comparisons()[k].root);
  // each comparison of the second build against all of the first, at random inputs
  bool all_found = true;
  for (std::size_t k = first_count; k < count; ++k) {
    const std::int32_t leaf = graph.outcome(static_cast<int>(k)).id();
    const Expression root = Substitution(replacement)(graph.comparisons()[k].root);
    graph.set_root(static_cast<int>(k), root);
    if (root.is_constant()) {
      replacement[leaf] = graph.comparisons()[k].outcome(root.value());
      continue;
    }
    roots.push_back(root);
    const auto values = root_values(graph, roots);
    roots.pop_back();
    std::optional<Expression> found;
    for (std::size_t i = 0; i < first_count && !found; ++i)
      found = outcome_by(graph.comparisons()[k], values.back(), graph.comparisons()[i], values[i],
                         graph.outcome(static_cast<int>(i)));
    if (found) replacement[leaf] = *found;
    all_found = all_found && found;
  }
  if (all_found) graph.forget_comparisons(first_count);
}

}  // namespace

namespace {

// Joints whose reactions are recorded, then those that only formulas and friction use.
std::vector<std::string> joints_asked_for(const Model& model, const Equations& equations) {
  std::vector<std::string> joints = model.record.reactions;
  const auto add = [&](const std::string& joint) {
    if (!joint.empty() && std::ranges::count(joints, joint) == 0) joints.push_back(joint);
  };
  for (const ReactionSignal& signal : equations.reaction_signals) add(signal.reaction.joint);
  for (const FrictionLoad& load : equations.loads) add(load.joint);
  return joints;
}

bool slides(JointType type) { return words_of(type).slides() > 0 || words_of(type).advances; }

Vec3 part(const std::array<Expression, 6>& wrench, int first) {
  return {wrench[static_cast<std::size_t>(first)], wrench[static_cast<std::size_t>(first) + 1],
          wrench[static_cast<std::size_t>(first) + 2]};
}

// A wrench in a's axes at a's point becomes one at the place and along the axes that are chosen.
void move_to_frame(const Model& model, const Bodies& bodies, const std::string& name,
                   std::array<Expression, 6>& wrench) {
  using Side = ReactionFrame::Side;
  const Joint& joint = *find_named(model.joints, name);
  ReactionFrame frame;
  for (const ReactionFrame& chosen : model.reaction_frames)
    if (chosen.joint == name) frame = chosen;
  const Side at = frame.at.value_or(slides(joint.type) ? Side::second : Side::first);
  Vec3 force = part(wrench, 0), moment = part(wrench, 3);
  const Pose a = bodies.pose_of(joint.a);
  if (at != Side::first) {
    const Pose there = bodies.pose_of(at == Side::second ? joint.b : frame.place);
    moment = moment - cross(transpose(a.R) * (there.p - a.p), force);
  }
  if (frame.axes != Side::first) {
    const Mat3 to_axes = frame.axes == Side::second ? transpose(bodies.pose_of(joint.b).R) * a.R : a.R;
    force = to_axes * force, moment = to_axes * moment;
  }
  for (std::size_t i = 0; i < 3; ++i) wrench[i] = force[i], wrench[i + 3] = moment[i];
}

// A row that folded away in the first build passes any force: its multiplier is unknown.
struct VanishedForce {
  const ConstraintRow* row;  // of the second build
  Expression leaf;
};

// Terms of the loads that a joint carries, from a wrench in a's axes at a's point, with the part of it that is unknown.
void set_loads(Equations& equations, const Mechanism& mechanism, const Model& model, Reaction reaction,
               const std::array<Expression, 6>& unknown, const std::vector<VanishedForce>& vanished, LeafMap to_zero) {
  for (std::size_t i = 0; i < 6; ++i) reaction.wrench[i] += unknown[i];
  const auto joint = find_named(model.joints, reaction.joint);
  const Pose a = mechanism.bodies().pose_of(joint->a), b = mechanism.bodies().pose_of(joint->b);
  const JointWrench wrench{part(reaction.wrench, 0), part(reaction.wrench, 3),
                           mechanism.geometry_of(static_cast<std::size_t>(joint - model.joints.begin())).n,
                           transpose(a.R) * (b.p - a.p)};
  Substitution without_displacements(to_zero);
  for (const VanishedForce& force : vanished) to_zero[force.leaf.id()] = 0.0;
  Substitution at_zero(to_zero);
  for (FrictionLoad& load : equations.loads) {
    if (load.joint != reaction.joint) continue;
    load.terms = load.terms_of(wrench, load.leaf);
    for (const VanishedForce& force : vanished) {
      Derivative along({{force.leaf.id(), 1.0}});
      Expression change = 0.0;
      for (const LoadTerm& term : load.terms)
        for (const Expression& x : term.n) change += square(without_displacements(along(x)));
      if (!change.is(0))
        equations.undetermined_loads.push_back({load.name, load.where, load.joint, force.row->name, change});
    }
    for (LoadTerm& term : load.terms)
      for (Expression& x : term.n) x = at_zero(x);
  }
}

}  // namespace

void add_reactions(const Model& model, Equations& equations, const ElementAdder& add_elements) {
  const std::vector<std::string> joints = joints_asked_for(model, equations);
  if (joints.empty()) return;
  Graph& graph = *equations.graph;
  const std::size_t nv = equations.v.size(), comparisons = graph.comparisons().size();

  // the same mechanism with virtual displacements at the joints
  Equations second = equations;  // the same leaves; M, f and rows are built again
  second.rows.clear(), second.vanished.clear(), second.keep.clear(), second.near.clear();
  Mechanism mechanism(model, second, joints);
  mechanism.place_joints();
  mechanism.close_loops();
  if (add_elements) add_elements(mechanism.builder());
  mechanism.add_forces();
  mechanism.finish();
  mechanism.builder().throw_if_failed();

  // at zero displacement and velocity
  LeafMap to_zero;
  const Velocities& velocities = mechanism.builder().velocities();
  for (const Expression& leaf : velocities.displacements()) to_zero[leaf.id()] = 0.0;
  for (const Expression& leaf : velocities.virtual_rates()) to_zero[leaf.id()] = 0.0;
  find_first_comparisons(graph, comparisons, to_zero);
  Substitution at_zero(to_zero);

  // M_virtual a - f_virtual + Phi_virtual' lambda, with the multipliers of the first build by the names of their rows
  std::map<std::string, Expression> lambda;
  for (std::size_t r = 0; r < equations.rows.size(); ++r) lambda[equations.rows[r].name] = equations.lambda[r];
  std::vector<VanishedForce> vanished;
  for (const ConstraintRow& row : second.rows)
    if (!equations.loads.empty() && !lambda.contains(row.name))
      vanished.push_back({&row, graph.input("force of " + row.name)});
  for (const std::string& joint : joints) {
    Reaction reaction{joint, {}};
    std::array<Expression, 6> unknown{};
    for (int i = 0; i < 6; ++i) {
      const std::size_t k = nv + velocities.first_displacement(joint) + i;
      Expression sum = -second.f[k];
      for (const auto& [j, entry] : second.M.row(static_cast<int>(k)))
        if (j < static_cast<int>(nv)) sum += entry * equations.a[j];
      Derivative along({{velocities.displacements()[k - nv].id(), 1.0}}),
          along_rate({{velocities.virtual_rates()[k - nv].id(), 1.0}});
      const auto share = [&](const ConstraintRow& row) { return row.rate ? along_rate(*row.rate) : along(row.phi); };
      for (const ConstraintRow& row : second.rows)
        if (lambda.contains(row.name)) sum += share(row) * lambda.at(row.name);
      reaction.wrench[i] = sum;
      for (const VanishedForce& force : vanished) unknown[i] += share(*force.row) * force.leaf;
    }
    if (std::ranges::count(equations.loads, joint, &FrictionLoad::joint) > 0)
      set_loads(equations, mechanism, model, reaction, unknown, vanished, to_zero);
    move_to_frame(model, mechanism.bodies(), joint, reaction.wrench);
    for (Expression& x : reaction.wrench) x = at_zero(x);
    if (std::ranges::count(model.record.reactions, joint) > 0) equations.reactions.push_back(reaction);
    for (ReactionSignal& signal : equations.reaction_signals)
      if (signal.reaction.joint == joint) signal.reaction = reaction;
  }
}

}  // namespace armature::internal
