// Exact derivatives, substitution and dependence of expressions.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "expression/graph.hpp"
#include "expression/node_map.hpp"

namespace armature::internal {

// Values for leaves of a graph, by node id: a direction to differentiate along, or a substitution.
using LeafMap = std::unordered_map<std::int32_t, Expression>;

// d/ds of expressions whose leaves move as leaf(s) = leaf + s * direction[leaf]; other leaves stand still.
// One Derivative keeps what it has computed, so that expressions which share nodes share the work.
class Derivative {
 public:
  explicit Derivative(LeafMap direction) : direction_(std::move(direction)) {}
  Expression operator()(Expression x);

 private:
  Expression of_node(Graph& graph, std::int32_t id);
  LeafMap direction_;
  NodeMap<Expression> known_;
};

// The expressions with some leaves replaced.
class Substitution {
 public:
  explicit Substitution(LeafMap replacement) : replacement_(std::move(replacement)) {}
  Expression operator()(Expression x);
  void replace(std::int32_t leaf, Expression x) { replacement_[leaf] = x; }  // one that has not been met

 private:
  LeafMap replacement_;
  NodeMap<Expression> known_;
};

// The leaves (node ids of inputs and outcomes, in increasing order) that x depends on.
std::vector<std::int32_t> leaves_of(Expression x);
bool depends_on(Expression x, Expression leaf);

}  // namespace armature::internal
