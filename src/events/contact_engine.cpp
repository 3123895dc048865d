#include "events/contact_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"
#include "step/pivots.hpp"

namespace armature::internal {

ContactEngine::ContactEngine(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::contact_gaps)),
      rank_revealing_(dynamics.evaluator()) {}

const step::KernelOutputs<1>& ContactEngine::run(Kernel kernel, double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x);
  evaluator.set_outcomes(dynamics_.weights());
  return evaluator.kernels().run(kernel);
}

const double* ContactEngine::contact_forces(double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_outcomes(dynamics_.engine().weights_at(t, x));
  evaluator.set(t, x);
  return evaluator.kernels().run(Kernel::contact_forces).contact_forces->lane;
}

step::ContactRowsView ContactEngine::contact_rows(double t, const double* x) {
  return step::ContactRowsView::of(run(Kernel::contact_rows, t, x));
}

step::ContactResponseView ContactEngine::contact_responses(double t, const double* x) {
  const System& system = dynamics_.system();
  if (system.program(Kernel::contact_response)) {
    const step::KernelOutputs<1>& out = run(Kernel::contact_response, t, x);
    if (step::regular<1>(system.layout().nv, system.kernels().rows(), out, Regularity::squared(Regularity::singular)))
      return {out.normal_responses->lane, out.tangent_responses->lane, out.second_responses->lane};
  }
  dynamics_.evaluator().set_outcomes(dynamics_.weights());
  return {nullptr, nullptr, nullptr, rank_revealing_.evaluate(t, x) ? rank_revealing_.responses() : nullptr};
}

double ContactEngine::stored_energy(double t, const double* x) {
  dynamics_.evaluator().set(t, x);
  return dynamics_.evaluator().energy();
}

bool ContactEngine::begin_ranges_of_gaps(const LastStep& step) {
  return ranges_.begin(step.integrator(), dynamics_.evaluator().inputs());
}

// --- in words

std::string ContactEngine::names(const step::ContactList& contacts) const {
  std::string list;
  for (int k = 0; k < contacts.count; ++k) list += (list.empty() ? "" : ", ") + contact(contacts.at[k]).name;
  return list;
}

void ContactEngine::tell(int contact, const std::string& what) {
  events_.push_back({state_.t, this->contact(contact).label + what});
}

void ContactEngine::collided(int contact, double before, double after) {
  const auto speed = [&](double rate) {
    return fmt::format("{:.6g} {}/s", std::abs(rate), this->contact(contact).unit);
  };
  tell(contact, fmt::format(": impact at {}, then {}", speed(before), speed(after)));
}

void ContactEngine::settles(int contact, double limit) {
  const std::string when =
      limit < step::infinity ? fmt::format(" at t = {:.10g} s, the limit of its bounces", limit) : "";
  tell(contact, ": comes to rest" + when);
}

void ContactEngine::changed(int contact, step::ContactChange change) {
  constexpr const char* words[] = {" closes", " opens", " slips", " sticks", " slides back"};
  tell(contact, words[static_cast<int>(change)]);
}

void ContactEngine::note(Finding found) {
  if (std::ranges::count(findings_, found.code, &Finding::code) == 0) findings_.push_back(std::move(found));
}

void ContactEngine::reduces_restitutions(const step::ContactList& contacts, double part) {
  note(finding<FindingCode::restitution>("t"_a = state_.t, "contacts"_a = names(contacts), "share"_a = part));
}

void ContactEngine::forces_undetermined(const step::ContactList& contacts) {
  note(finding<FindingCode::contact>("t"_a = state_.t, "contacts"_a = names(contacts)));
}

// What is open is not said to be independent of the shares as well.
void ContactEngine::motion_open(const step::ContactList& contacts, bool impact) {
  std::erase_if(findings_, [](const Finding& found) { return found.code == FindingCode::contact; });
  const std::string since = impact ? fmt::format("after the impact at t = {:.6g} s", state_.t)
                                   : fmt::format("from t = {:.6g} s on", state_.t);
  note(finding<FindingCode::open_motion>("since"_a = since, "contacts"_a = names(contacts),
                                         "what"_a = impact ? "impulse" : "load"));
}

void ContactEngine::begin_impulse(double part) {
  std::size_t rows = 0;
  for (const RigidContact& contact : dynamics_.system().equations().contacts)
    rows += contact.has_two_tangents() ? 3 : 2;
  impulses_.push_back({std::vector<ImpulseLaw>(rows, ImpulseLaw::none), part});
}

}  // namespace armature::internal
