// Rigid contacts of a machine of which there is nothing but its compiled kernels: the engine of step/contact_changes.hpp, for pages and
// threads of a GPU. What asks for a decision on the rank of the constraints leaves, and so does what a run would warn of.
//
// Machine: F of the steps, and
//   model()                  set(t, x), contact_gaps(), contact_motion(), contact_rows(), contact_response(), acceleration(), energy()
//   nv(), row_count()        of the traced solve
//   forces()                 ContactForcesMemory: of the last regular acceleration
//   machine_length()         m
//   slides()                 some comparison does
//   take_held()              discrete values have changed
//   leave_contacts()
//   GapRanges, gap_ranges(), begin_ranges_of_gaps(step)
#pragma once

#include "step/contact_changes.hpp"
#include "step/pivots.hpp"

namespace armature::step {

// N of each contact, then mu N - |T|, at the latest time at which there was a regular acceleration.
struct ContactForcesMemory {
  double *forces, *t;
  ARMATURE_STEP void forget() const { *t = -infinity; }
  ARMATURE_STEP const double* at(double now) const { return *t == now ? forces : nullptr; }
  // Dense output evaluates f inside a step that is over: its forces are not those of the end.
  ARMATURE_STEP void note(int contacts, double now, const double* found) const {
    if (now < *t) return;
    *t = now;
    for (int i = 0; i < 2 * contacts; ++i) forces[i] = found[i];
  }
};

template <class Machine>
class CompiledContacts : public ContactReports {
 public:
  using GapRanges = typename Machine::GapRanges;
  ARMATURE_STEP explicit CompiledContacts(Machine& machine) : machine_(machine) {}

  ARMATURE_STEP const double* contact_gaps(double t, const double* x) { return at(t, x).contact_gaps().gaps->lane; }
  ARMATURE_STEP const double* contact_motion(double t, const double* x) { return at(t, x).contact_motion().gaps->lane; }
  ARMATURE_CALLED const double* contact_forces(double t, const double* x) {
    if (machine_.slides()) machine_.find_weights(t, x);
    return at(t, x).acceleration().contact_forces->lane;
  }
  ARMATURE_STEP const double* known_forces(double t) const { return machine_.forces().at(t); }
  ARMATURE_STEP void forget_forces() { machine_.forces().forget(); }
  ARMATURE_STEP ContactRowsView contact_rows(double t, const double* x) {
    return ContactRowsView::of(at(t, x).contact_rows());
  }
  ARMATURE_CALLED ContactResponseView contact_responses(double t, const double* x) {
    const auto& out = at(t, x).contact_response();
    if (!regular<1>(machine_.nv(), machine_.row_count(), out, Regularity::squared(Regularity::singular))) {
      machine_.leave_contacts();
      return {};
    }
    return {out.normal_responses->lane, out.tangent_responses->lane, out.second_responses->lane, nullptr};
  }
  ARMATURE_STEP bool derivative(double t, const double* x, double* xdot) {
    return machine_.derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), reinterpret_cast<Row<1>*>(xdot));
  }
  ARMATURE_STEP double stored_energy(double t, const double* x) { return at(t, x).energy()[0]; }
  ARMATURE_STEP double machine_length(double, const double*) const { return machine_.machine_length(); }
  ARMATURE_STEP void take_discrete() { machine_.take_held(); }
  template <class Step>
  ARMATURE_STEP bool begin_ranges_of_gaps(const Step& step) {
    return machine_.begin_ranges_of_gaps(step);
  }
  ARMATURE_STEP GapRanges& gap_ranges() { return machine_.gap_ranges(); }

  // What a run warns of.
  ARMATURE_STEP void reduces_restitutions(const ContactList&, double) { machine_.leave_contacts(); }
  ARMATURE_STEP void forces_undetermined(const ContactList&) { machine_.leave_contacts(); }
  ARMATURE_STEP void motion_open(const ContactList&, bool) { machine_.leave_contacts(); }

 private:
  ARMATURE_STEP auto& at(double t, const double* x) {
    machine_.model().set({{t}}, reinterpret_cast<const Row<1>*>(x));
    return machine_.model();
  }

  Machine& machine_;
};

}  // namespace armature::step
