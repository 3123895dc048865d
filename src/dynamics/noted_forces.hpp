// The forces of rigid contacts, which stand behind the rates of a step (step/kernels.def), for whoever asks the Dynamics later.
#pragma once

#include "dynamics/dynamics.hpp"
#include "step/sliding.hpp"

namespace armature::internal {

template <int W>
void note_forces(Dynamics& dynamics, double t, const step::Rates<W>& rates, int lane) {
  const std::span<double> forces = dynamics.contact_forces_to_note(t);
  const step::Row<W>* behind = rates.zdot + dynamics.system().layout().nz;
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = behind[i][lane];
}

}  // namespace armature::internal
