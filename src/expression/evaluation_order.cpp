#include "expression/evaluation_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace armature::internal {
namespace {

// Names and called functions of a formula; of "a.b.x" also "a.b", which may be a vector; of "l[2]" the element, of "l[i]" all of l.
void add_names(const Syntax& syntax, std::vector<std::string>& names) {
  if (syntax.kind == Syntax::Kind::element) {
    const Syntax& index = *syntax.children[0];
    names.push_back(index.kind == Syntax::Kind::number ? element_name(syntax.name, std::lround(index.value))
                                                       : syntax.name);
  }
  if (syntax.kind == Syntax::Kind::name || syntax.kind == Syntax::Kind::call) {
    names.push_back(syntax.name);
    if (const std::size_t dot = syntax.name.rfind('.'); dot != std::string::npos)
      names.push_back(syntax.name.substr(0, dot));
  }
  for (const auto& child : syntax.children) add_names(*child, names);
}

// A name that waits for those it needs.
struct Waiting {
  std::string name;
  std::vector<std::string> needs;
  std::size_t next = 0;
};

// Depth first. The stack holds the chain of names from the one asked for to the one that is looked at.
class Walk {
 public:
  explicit Walk(const NamedFormulas& formulas) : formulas_(formulas) {}

  void run(const std::string& name) {
    for (enter(name); !stack_.empty();) {
      Waiting& top = stack_.back();
      if (top.next < top.needs.size())
        enter(std::string(top.needs[top.next++]));
      else
        leave();
    }
  }

 private:
  void enter(const std::string& name) {
    const Formula* formula = formulas_.pending(name);
    if (!formula) return;
    if (const auto place = depth_.find(name); place != depth_.end()) return formulas_.cycle(chain(place->second, name));
    depth_.emplace(name, stack_.size());
    stack_.push_back({name, {}});
    add_names(*formula->root, stack_.back().needs);
  }

  void leave() {
    const std::string name = stack_.back().name;
    if (formulas_.pending(name)) formulas_.evaluate(name);
    depth_.erase(name);
    stack_.pop_back();
  }

  std::vector<std::string> chain(std::size_t first, const std::string& last) const {
    std::vector<std::string> names;
    for (std::size_t i = first; i < stack_.size(); ++i) names.push_back(stack_[i].name);
    names.push_back(last);
    return names;
  }

  const NamedFormulas& formulas_;
  std::vector<Waiting> stack_;
  std::unordered_map<std::string, std::size_t> depth_;  // place in the stack
};

}  // namespace

void evaluate_in_order(const std::string& name, const NamedFormulas& formulas) { Walk(formulas).run(name); }

std::string chain_in_words(const std::vector<std::string>& chain) {
  constexpr std::size_t shown = 12;
  if (chain.size() <= shown) return fmt::format("{}", fmt::join(chain, " -> "));
  const auto middle = chain.begin() + shown / 2, end = chain.end() - shown / 2;
  return fmt::format("{} -> ({} more) -> {}", fmt::join(chain.begin(), middle, " -> "), end - middle,
                     fmt::join(end, chain.end(), " -> "));
}

}  // namespace armature::internal
