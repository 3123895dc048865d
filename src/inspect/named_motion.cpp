#include "inspect/named_motion.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

bool moves_with_positions(const Equations& e, Expression x) {
  std::set<std::int32_t> positions, others;
  for (const Expression& q : e.q) positions.insert(q.id());
  for (const Expression& v : e.v) others.insert(v.id());
  for (std::size_t i = 0; i < e.z.size(); ++i)
    if (e.others[i].kind != Coordinate::Kind::reference) others.insert(e.z[i].id());
  bool moves = false;
  for (std::int32_t leaf : leaves_of(x)) {
    if (others.contains(leaf) || (*e.graph)[leaf].op == Op::outcome) return false;
    moves = moves || positions.contains(leaf);
  }
  return moves;
}

Expression find(const Equations& e, const std::string& name) {
  for (std::size_t i = 0; i < e.positions.size(); ++i)
    if (e.positions[i].name == name) return e.q[i];
  for (const Quantity& quantity : e.quantities)
    if (quantity.name == name) return quantity.value;
  throw std::logic_error("no quantity " + name);
}

std::vector<Expression> all_leaves(const Equations& e) {
  std::vector<Expression> leaves{e.t};
  for (const auto* list : {&e.q, &e.v, &e.z}) leaves.insert(leaves.end(), list->begin(), list->end());
  for (const Discrete& discrete : e.discrete) leaves.push_back(discrete.leaf);
  for (std::size_t i = 0; i < e.graph->comparisons().size(); ++i)
    leaves.push_back(e.graph->outcome(static_cast<int>(i)));
  leaves.insert(leaves.end(), e.p.begin(), e.p.end());
  leaves.insert(leaves.end(), e.a.begin(), e.a.end());
  return leaves;
}

}  // namespace

std::vector<std::string> names_of_motion(const Equations& equations) {
  std::vector<std::string> names;
  for (const Coordinate& position : equations.positions)
    if (position.kind != Coordinate::Kind::quaternion) names.push_back(position.name);
  for (const Quantity& quantity : equations.quantities)
    if (moves_with_positions(equations, quantity.value) &&
        std::find(names.begin(), names.end(), quantity.name) == names.end())
      names.push_back(quantity.name);
  return names;
}

NamedMotion::NamedMotion(const Equations& e, const std::vector<std::string>& names)
    : size_(static_cast<int>(names.size())), nv_(static_cast<int>(e.v.size())) {
  LeafMap flow{{e.t.id(), 1.0}};
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  LeafMap accelerated = flow;
  for (std::size_t i = 0; i < e.v.size(); ++i) accelerated[e.v[i].id()] = e.a[i];
  Derivative first(flow), second(accelerated);
  std::vector<Expression> y, rate, outputs;
  for (const std::string& name : names) {
    y.push_back(find(e, name));
    rate.push_back(first(y.back()));
  }
  outputs = y;
  outputs.insert(outputs.end(), rate.begin(), rate.end());
  for (const Expression& x : rate) outputs.push_back(second(x));
  for (const Expression& v : e.v) {
    Derivative along({{v.id(), 1.0}});
    for (const Expression& x : rate) outputs.push_back(along(x));
  }
  const std::vector<Expression> inputs = all_leaves(e);
  evaluator_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
  in_.resize(inputs.size());
  out_.resize(outputs.size());
}

void NamedMotion::evaluate(const State& state, const Eigen::VectorXd& vdot, Values& values) {
  std::fill(in_.begin(), in_.end(), 0.0);
  double* next = in_.data();
  *next++ = state.t;
  for (const Eigen::VectorXd* part : {&state.x, &state.d, &state.w})
    next = std::copy(part->data(), part->data() + part->size(), next);
  std::copy(vdot.data(), vdot.data() + vdot.size(), in_.end() - nv_);
  evaluator_(in_.data(), out_.data());
  const auto part = [&](int k) { return Eigen::Map<const Eigen::VectorXd>(out_.data() + k * size_, size_); };
  values.y = part(0);
  values.rate = part(1);
  values.acceleration = part(2);
  values.J = Eigen::Map<const Eigen::MatrixXd>(out_.data() + 3 * size_, size_, nv_);
}

}  // namespace armature::internal
