#include "report/formula_joints.hpp"

#include <algorithm>

#include "model/joint_components.hpp"

namespace armature::internal {
namespace {

class NameSearch {
 public:
  explicit NameSearch(const Model& model) : model_(model) {}

  std::set<std::string> operator()(const Formula& formula) {
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
    if (!found_.insert(name).second) return;
    const auto definition = std::ranges::find(model_.definitions, name, &std::pair<std::string, Formula>::first);
    if (definition != model_.definitions.end() && definition->second.given()) visit(*definition->second.root);
  }

  const Model& model_;
  std::set<std::string> found_;
};

}  // namespace

std::set<std::string> names_in(const Formula& formula, const Model& model) { return NameSearch(model)(formula); }

FormulaJoints joints_in(const Formula& formula, const Model& model) {
  FormulaJoints found;
  for (const std::string& name : names_in(formula, model)) {
    found.uses_time = found.uses_time || name == "t";
    if (find_coordinate(model, name)) found.coordinates.insert(name);
  }
  return found;
}

}  // namespace armature::internal
