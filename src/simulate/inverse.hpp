// armature inverse: the efforts, currents and voltages that produce the motion of `inverse: {motion: …}`.
//
// The wanted motion becomes constraint rows. Where these and the loops determine everything, positions follow from them
// alone; what they leave free (an under-actuated machine) is integrated. Efforts then come from inverse dynamics, row by row.
#pragma once

#include "record/recorder.hpp"
#include "simulate/outcome.hpp"
#include "simulate/prepare.hpp"
#include "simulate/simulate.hpp"

namespace armature {

// The model with its motion as rows and its motors as efforts, ready to be moved. Throws ModelError where the model has
// no motion, no actuator, or an actuator that inverse dynamics does not know.
Prepared compile_inverse(const Model& model);

// Refuses a motion that the actuators cannot produce, or that demands infinite effort at a singular pose.
Outcome inverse(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress = {});

}  // namespace armature
