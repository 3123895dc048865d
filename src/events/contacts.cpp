#include "events/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mechanics/energy_ledger.hpp"

namespace armature::internal {

std::vector<step::ContactPlaces> contact_places(const Equations& equations) {
  std::vector<step::ContactPlaces> places;
  for (const RigidContact& contact : equations.contacts)
    places.push_back(
        {contact.closed, contact.sticks, contact.direction, contact.across, contact.slow, contact.unit == "m"});
  return places;
}

step::ContactSizes contact_sizes(const Equations& equations, const Configuration& configuration,
                                 const std::vector<step::ContactPlaces>& places) {
  const int nq = configuration.nq(), nv = configuration.nv(), nz = static_cast<int>(equations.z.size());
  return {static_cast<int>(places.size()),
          nq,
          nv,
          nq + nv + nz,
          static_cast<int>(equations.discrete.size()),
          equations.contact_softness,
          ImpactWork(equations).state().value_or(-1),
          places.data(),
          configuration.of_step()};
}

Contacts::Contacts(Dynamics& dynamics, State& state, ContactOptions options)
    : dynamics_(dynamics),
      state_(state),
      options_(std::move(options)),
      configuration_(dynamics.system().equations()),
      engine_(dynamics, state),
      places_(contact_places(dynamics.system().equations())),
      sizes_(contact_sizes(dynamics.system().equations(), configuration_, places_)),
      contacts_(places_.size()),
      kept_(static_cast<std::size_t>(step::ContactMemory::kept_numbers(sizes_.contacts))),
      numbers_(any() ? static_cast<std::size_t>(step::ContactMemory::all_numbers(sizes_)) : 0),
      margins_(2 * places_.size()),
      indices_(static_cast<std::size_t>(step::ContactMemory::all_indices(sizes_))),
      guards_(2 * places_.size()),
      modes_(static_cast<std::size_t>(step::ContactMemory::all_modes(sizes_.contacts))),
      kinds_(places_.size()),
      x_(Eigen::VectorXd::Zero(sizes_.nx)),
      changes_(engine_, sizes_, memory(), state.d.data(), {options_.rtol, options_.atol.data(), options_.sequential}) {}

step::ContactMemory Contacts::memory() {
  return {contacts_.data(), &search_,       kept_.data(),  numbers_.data(),
          indices_.data(),  guards_.data(), modes_.data(), kinds_.data()};
}

std::optional<double> Contacts::find_change(const Integrator& integrator, double until) {
  engine_.take_step(integrator.ends_with_derivative());
  const step::EventTime change = changes_.find_change(LastStep(integrator, x_), until);
  return change.found ? std::optional(change.t) : std::nullopt;
}

std::string Contacts::begin(std::vector<RunEvent>& events) {
  if (!any()) return "";
  const step::ContactOutcome outcome = changes_.begin(state_.t, state_.x.data());
  for (RunEvent& event : engine_.take_events()) events.push_back(std::move(event));
  return outcome == step::ContactOutcome::no_numbers ? "the gaps of contacts are not numbers at the start"
                                                     : in_words(outcome);
}

std::string Contacts::change(std::vector<RunEvent>& events) {
  const step::ContactOutcome outcome = changes_.change(state_.t, state_.x.data());
  for (RunEvent& event : engine_.take_events()) events.push_back(std::move(event));
  return in_words(outcome);
}

std::string Contacts::in_words(step::ContactOutcome outcome) const {
  using enum step::ContactOutcome;
  const step::ContactList& touching = changes_.touching();
  const auto culprit = [&]() -> const RigidContact& {
    return dynamics_.system().equations().contacts[static_cast<std::size_t>(changes_.culprit())];
  };
  bool rough = false;
  for (int k = 0; k < touching.count; ++k) rough = rough || changes_.is_rough(touching.at[k]);
  switch (outcome) {
    case goes_on: return "";
    case no_numbers:
      return fmt::format("the contacts cannot be evaluated at t = {:.10g} s: a gap or the inertia is not a number",
                         state_.t);
    case overlap:
      return fmt::format(
          "at t = {:.10g} s {}: rigid surfaces overlap by {:.4g} {}. The gap must be smooth where they touch. The rim "
          "of a "
          "disc or cylinder that comes to lie flat touches all around: give it feet, contacts of some points of its "
          "rim, or "
          "a stiffness. A gap with abs, min or max: give each place a contact of its own",
          state_.t, culprit().label, -changes_.gap(changes_.culprit()), culprit().unit);
    case no_impulses:
      return fmt::format("no impulses satisfy the impact of {} at t = {:.10g} s: {}", engine_.names(touching), state_.t,
                         rough ? "friction makes the contact jam (Painlevé's paradox). Reduce the friction, or model "
                                 "elastic surfaces (contact with a stiffness)"
                               : "constraints or a prescribed motion drive the bodies into each other");
    case no_forces:
      return fmt::format(
          "no forces satisfy the contacts {} at t = {:.10g} s: with this friction rigid bodies have no motion here, or "
          "more than one (Painlevé's paradox). Reduce the friction, or model elastic surfaces (contact with a "
          "stiffness)",
          engine_.names(touching), state_.t);
    case starts_closed:
      return fmt::format("{} is closed by {:.4g} {} beyond contact at the start; start where its gap is not negative",
                         culprit().label, -changes_.gap(changes_.culprit()), culprit().unit);
  }
  return "";
}

}  // namespace armature::internal
