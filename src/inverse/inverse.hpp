// armature inverse: the efforts, currents and voltages that produce the motion of `inverse: {motion: …}`.
//
// The wanted motion becomes constraint rows, which the actuators alone keep (inverse_model, inverse_motion); efforts come
// from inverse dynamics at each row, currents and voltages from them and their rates (inverse_drives).
#pragma once

#include <memory>

#include "dynamics/inverse_dynamics.hpp"
#include "inverse/inverse_model.hpp"
#include "observe/outcome.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

// Refuses a motion that jumps, that the actuators cannot produce, or that requires infinite effort at a singular pose.
Outcome inverse(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress = {});

// The same with programs that are compiled once for many motions of one compiled model. Only drives and parameters may differ: `ready`
// is made at the first motion, and anew where the drives need other rates.
Outcome inverse(const Model& model, const Prepared& prepared, std::unique_ptr<InverseDynamics>& ready,
                Recorder& recorder, const Progress& progress = {});

}  // namespace armature::internal
