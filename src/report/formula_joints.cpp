#include "report/formula_joints.hpp"

#include <algorithm>

#include "model/joint_components.hpp"

namespace armature::internal {
namespace {

class JointSearch {
 public:
  explicit JointSearch(const Model& model) : model_(model) {}

  FormulaJoints operator()(const Formula& formula) {
    if (formula.given()) visit(*formula.root);
    return std::move(found_);
  }

 private:
  void visit(const Syntax& syntax) {
    if (syntax.kind == Syntax::Kind::name) visit_name(syntax.name);
    for (const auto& child : syntax.children)
      if (child) visit(*child);
  }

  void visit_name(const std::string& name) {
    if (!seen_.insert(name).second) return;
    if (name == "t") found_.uses_time = true;
    if (find_coordinate(model_, name)) found_.coordinates.insert(name);
    const auto definition =
        std::ranges::find(model_.definitions, name, &std::pair<std::string, Formula>::first);
    if (definition != model_.definitions.end() && definition->second.given()) visit(*definition->second.root);
  }

  const Model& model_;
  std::set<std::string> seen_;
  FormulaJoints found_;
};

}  // namespace

FormulaJoints joints_in(const Formula& formula, const Model& model) { return JointSearch(model)(formula); }

}  // namespace armature::internal
