// Rigid contacts in a page (step/contact_changes.hpp), as events/contacts.hpp has them in a run. Ranges of gaps over parts of a step are not
// known there: parts are looked at by their ends.
#pragma once

#include "events.hpp"
#include "step/compiled_contacts.hpp"

namespace armature::step {

class PageContacts {
 public:
  using GapRanges = PageRanges;

  // take(bytes): memory that stays.
  template <class Take>
  PageContacts(const PageTables& tables, PageMachine& machine, double* x, double* d, const Take& take)
      : t_(tables),
        machine_(machine),
        x_(x),
        d_(d),
        engine_(*this),
        changes_(engine_, sizes(take), memory(take), d, {t_[page_rtol], t_.atol, t_[page_sequential_impacts] != 0}) {}

  void begin() {
    machine_.forces().forget();
    follow(changes_.begin(time_, x_));
  }
  template <class Step>
  EventTime find_change(const Step& step, double until) {
    return changes_.find_change(step, until);
  }
  void change() { follow(changes_.change(time_, x_)); }
  void forget() { changes_.forget(); }
  void set_time(double t) { time_ = t; }

  // Machine of CompiledContacts.
  PageModel& model() { return machine_.model(); }
  int nv() const { return t_[page_nv]; }
  int row_count() const { return t_[page_rows]; }
  ContactForcesMemory forces() { return machine_.forces(); }
  double machine_length() const { return t_[page_machine_length]; }
  bool slides() const { return machine_.slides(); }
  void find_weights(double t, const double* x) {
    machine_.derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), xdot_);
  }
  bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    return machine_.derivative(lanes, t, x, xdot);
  }
  void take_held() { model().hold(d_); }
  void leave_contacts() { machine_.leave_to_the_program(); }
  template <class Step>
  bool begin_ranges_of_gaps(const Step&) {
    return false;
  }
  PageRanges& gap_ranges() { return ranges_; }

 private:
  template <class Take>
  ContactSizes sizes(const Take& take) {
    const int count = t_[page_contacts];
    auto* places = static_cast<ContactPlaces*>(take(sizeof(ContactPlaces) * static_cast<unsigned long>(count)));
    for (int i = 0; i < count; ++i) {
      const int* at = t_.contact_places + i * page_contact_places;
      places[i] = {at[0], at[1], at[2], at[3], at[4], at[5] != 0};
    }
    sizes_ = {
        count,  t_[page_nq],       t_[page_nv], t_.nx(), t_[page_nd], t_[page_contact_softness], t_[page_impact_work],
        places, t_.configuration()};
    return sizes_;
  }
  template <class Take>
  ContactMemory memory(const Take& take) {
    const auto some = [&](auto of, int count) {
      using T = decltype(of);
      return static_cast<T*>(take(sizeof(T) * static_cast<unsigned long>(count)));
    };
    const int count = sizes_.contacts;
    xdot_ = some(Row<1>{}, t_.nx());
    auto* search = some(ContactSearchMemory{}, 1);
    *search = {};
    return {some(Contact{}, count),
            search,
            some(0.0, ContactMemory::kept_numbers(count)),
            some(0.0, ContactMemory::all_numbers(sizes_)),
            some(0, ContactMemory::all_indices(sizes_)),
            some(Guard{}, 2 * count),
            some(ContactMode{}, ContactMemory::all_modes(count)),
            some(ContactKind{}, count)};
  }
  void follow(ContactOutcome outcome) {
    if (outcome != ContactOutcome::goes_on) machine_.leave_to_the_program();
    take_held();
  }

  const PageTables& t_;
  PageMachine& machine_;
  double* x_;
  const double* d_;
  double time_ = 0;
  PageRanges ranges_;
  Row<1>* xdot_ = nullptr;
  ContactSizes sizes_;
  CompiledContacts<PageContacts> engine_;
  ContactChanges<CompiledContacts<PageContacts>> changes_;
};

}  // namespace armature::step
