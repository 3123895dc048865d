// Where the steps of a run are short: whether stability limits them (integrate/stiffness.hpp), and the advice about it.
#pragma once

#include <optional>
#include <string>

#include "integrate/integrator.hpp"
#include "integrate/stiffness.hpp"
#include "prepare/prepare.hpp"
#include "run/crawl.hpp"

namespace armature::internal {

class StiffSteps {
 public:
  StiffSteps(const Prepared& prepared, const Integrator& integrator);  // kept by reference

  bool now() const;     // stability limits the steps at present
  bool mostly() const;  // … more than half of them, in a run that took many
  std::optional<double> switched() const { return looks_ ? looks_->switched() : std::nullopt; }

  Finding advice() const;  // where it did
  Finding crawls(const Crawl& crawl) const;
  // "cvode_bdf goes on, since …"
  std::string switch_event() const;

 private:
  std::string what_settles() const;  // "motor.current, which settles within 1e-12 s"

  const Prepared& prepared_;
  const Integrator& integrator_;
  const LooksForStiffness* looks_;  // null: the integrator does not
};

}  // namespace armature::internal
