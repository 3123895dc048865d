// Rigid contacts of a motion on a card (step/contact_changes.hpp). As events/contacts.hpp, as far as it is regular.
#pragma once

#include "step/compiled_contacts.hpp"
#include "study/study_model.hpp"
#include "study/study_ranges.hpp"

namespace armature::step {

template <class Plant>
class StudyContacts {
 public:
  using GapRanges = StudyRanges<typename Plant::GapRanges, typename Plant::Functions>;

  ARMATURE_STEP StudyContacts(StudyState<Plant>& s, StudyDynamics<Plant>& dynamics, const double* common)
      : s_(s),
        dynamics_(dynamics),
        engine_(*this),
        changes_(
            engine_, sizes(),
            {s.contacts.contacts, &s.contacts.search, s.contacts.kept, numbers_, indices_, guards_, modes_, kinds_},
            s.d, {common[0], s.atol, Plant::sequential_impacts}) {}

  ARMATURE_CALLED void begin() {
    forces().forget();
    take(changes_.begin(s_.t, s_.x));
  }
  template <class Step>
  ARMATURE_CALLED EventTime find_change(const Step& step, double until) {
    return changes_.find_change(step, until);
  }
  ARMATURE_CALLED void change() { take(changes_.change(s_.t, s_.x)); }
  ARMATURE_STEP void forget() { changes_.forget(); }

  // ---- Machine of CompiledContacts

  ARMATURE_STEP StudyModel<Plant>& model() { return dynamics_.model(); }
  ARMATURE_STEP static constexpr int nv() { return Plant::nv; }
  ARMATURE_STEP static constexpr int row_count() { return Plant::rows; }
  ARMATURE_STEP ContactForcesMemory forces() { return {s_.contacts.forces, &s_.contacts.forces_t}; }
  ARMATURE_STEP double machine_length() const { return s_.contacts.length; }
  ARMATURE_STEP bool slides() const {
    if constexpr (Plant::nw > 0)
      for (int k = 0; k < Plant::nw; ++k)
        if (s_.events.status[k] == ComparisonStatus::sliding) return true;
    return false;
  }
  ARMATURE_STEP void find_weights(double t, const double* x) {
    derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), xdot_);
  }
  ARMATURE_STEP bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    return dynamics_.derivative(lanes, t, x, xdot);
  }
  ARMATURE_STEP void take_held() { dynamics_.take_held(); }
  ARMATURE_STEP void leave_contacts() { dynamics_.leave(); }
  template <class Step>
  ARMATURE_STEP bool begin_ranges_of_gaps(const Step& step) {
    if (Plant::GapRanges::entry_count > 0 && !step.make_dense()) {
      dynamics_.leave();
      return false;
    }
    ranges_.begin(step.dense(), step.ends(), model().inputs());
    return true;
  }
  ARMATURE_STEP GapRanges& gap_ranges() { return ranges_; }

 private:
  ARMATURE_STEP static ContactSizes sizes() {
    return {Plant::contacts,
            Plant::nq,
            Plant::nv,
            Plant::nx,
            Plant::nd,
            Plant::contact_softness,
            Plant::impact_work,
            Plant::contact_places,
            {Plant::nq, Plant::nv, Plant::plain_count, Plant::quaternion_count, Plant::plain, Plant::quaternions}};
  }
  ARMATURE_STEP void take(ContactOutcome outcome) {
    if (outcome != ContactOutcome::goes_on) dynamics_.leave();
    dynamics_.take_held();
  }

  StudyState<Plant>& s_;
  StudyDynamics<Plant>& dynamics_;
  GapRanges ranges_;
  Row<1> xdot_[Plant::nx];
  double numbers_[Plant::contact_numbers];
  int indices_[Plant::contact_indices];
  Guard guards_[2 * Plant::contacts];
  ContactMode modes_[Plant::contact_modes];
  ContactKind kinds_[Plant::contacts];
  CompiledContacts<StudyContacts> engine_;
  ContactChanges<CompiledContacts<StudyContacts>> changes_;
};

// Of a motion without contacts.
template <class Plant>
struct NoStudyContacts {
  ARMATURE_STEP NoStudyContacts(StudyState<Plant>&, StudyDynamics<Plant>&, const double*) {}
  ARMATURE_STEP void begin() {}
  template <class Step>
  ARMATURE_STEP EventTime find_change(const Step&, double) {
    return {};
  }
  ARMATURE_STEP void change() {}
  ARMATURE_STEP void forget() {}
};
template <class Plant, bool touches>
struct StudyContactsOf {
  using Type = StudyContacts<Plant>;
};
template <class Plant>
struct StudyContactsOf<Plant, false> {
  using Type = NoStudyContacts<Plant>;
};

}  // namespace armature::step
