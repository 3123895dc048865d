// Whether the numbers of a run deserve its status: open constraints and energy that is missing, judged by what was measured at
// its rows. Adds findings to the outcome; a run whose constraints are open by a share that matters has failed.
//
// Energy. An integrator that controls its error holds rtol in every step, and steps add up. In the models of this repository the
// error of the whole motion is at most 85 rtol of the energy in motion with explicit methods at every rtol from 1e-5 to 1e-10,
// and 45 with the options of the files themselves. Beyond 100 rtol the tolerance has not kept its promise. BDF formulas, which
// damp oscillations, get there: up to 2300. Beyond 1 % no motion is to be trusted, whatever chose its steps. An error that round-off of
// the potential explains (energy_noise.hpp) is none, and neither is one that vanishes where the ledger is summed anew (ledger_review.hpp).
#pragma once

#include <functional>
#include <optional>

#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"
#include "run/energy_noise.hpp"

namespace armature::internal {

// The largest energy error of the same motion, J; nothing: not known. Empty where a motion cannot be computed again.
using LedgerSummedAnew = std::function<std::optional<double>()>;

void judge(const Prepared& prepared, bool error_controlled, Outcome& outcome, const LedgerSummedAnew& summed_anew = {});
void judge(const Prepared& prepared, bool error_controlled, Outcome& outcome, EnergyNoise& noise,
           const LedgerSummedAnew& summed_anew = {});

}  // namespace armature::internal
