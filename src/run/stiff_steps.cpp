#include "run/stiff_steps.hpp"

#include <fmt/format.h>

#include "integrate/integrator.hpp"
#include "model/findings.hpp"
#include "step/stability_limit.hpp"

namespace armature::internal {

namespace {

const std::string& name_of(const Equations& equations, int entry) {
  auto place = static_cast<std::size_t>(entry);
  for (const auto* coordinates : {&equations.positions, &equations.velocities}) {
    if (place < coordinates->size()) return (*coordinates)[place].name;
    place -= coordinates->size();
  }
  return equations.others.at(place).name;
}

}  // namespace

StiffSteps::StiffSteps(const Prepared& prepared, const Integrator& integrator)
    : prepared_(prepared), integrator_(integrator), looks_(dynamic_cast<const LooksForStiffness*>(&integrator)) {
  if (looks_ && !looks_->stiffness()) looks_ = nullptr;
}

bool StiffSteps::now() const { return looks_ && !looks_->switched() && looks_->stiffness()->stiff(); }

bool StiffSteps::mostly() const {
  const long steps = integrator_.statistics().steps;
  return looks_ && !looks_->switched() && steps >= step::StabilityLimit::many_steps &&
         2 * looks_->stiffness()->steps() > steps;
}

std::string StiffSteps::what_settles() const {
  const StiffnessTest& test = *looks_->stiffness();
  return fmt::format("{}, which settles within {:.1g} s", name_of(prepared_.system->equations(), test.entry()),
                     1 / test.rate());
}

Finding StiffSteps::advice() const {
  return finding<FindingCode::steps>("integrator"_a = prepared_.options.integrator, "cause"_a = what_settles());
}

Finding StiffSteps::crawls(const Crawl& crawl) const {
  const std::string cause =
      now() ? ": " + advice().sentence
            : fmt::format(
                  ". Something vibrates, settles or switches far faster than that, such as a stiff spring, a "
                  "large gain or a light part{}",
                  method_of(prepared_.options.integrator).implicit
                      ? ""
                      : fmt::format("; {} skips what settles", step::stiff_method));
  return finding<FindingCode::short_steps>("t"_a = crawl.t(), "step"_a = crawl.step(),
                                           "remaining"_a = crawl.remaining(), "end"_a = crawl.end(), "cause"_a = cause);
}

std::string StiffSteps::switch_event() const {
  return fmt::format("integrator: cvode_bdf continues, because the steps of dopri5 follow {}", what_settles());
}

}  // namespace armature::internal
