// What `check` warns of.
#include "inspect/check.hpp"

#include <gmock/gmock.h>

#include "support/run_model.hpp"

namespace armature {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings(const std::string& dissipation) {
  const Model model = read_model_text(
      "armature: 1\nlagrangian:\n  coordinates: {x: {unit: rad}, y: {unit: rad}}\n"
      "  kinetic: 1/2*x'^2 + 1/2*y'^2\n  dissipation: " +
      dissipation + "\n");
  const Prepared start = prepared(model);
  return check(model, *start.system, start.start).warnings;
}

TEST(Check, WarnsOfDampingThatGivesEnergy) {
  EXPECT_THAT(warnings("1/2*(2*x'^2 + 2*x'*y' + y'^2)"), IsEmpty());
  EXPECT_THAT(warnings("-1/2*3*x'^2"), Contains(HasSubstr("damping gives energy")));
  EXPECT_THAT(warnings("1/2*(x'^2 + 4*x'*y' + y'^2)"), Contains(HasSubstr("damping gives energy")));  // indefinite
}

}  // namespace
}  // namespace armature
