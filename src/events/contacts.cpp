#include "events/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double soft = 1e-6;         // of the diagonal, where forces are undetermined: docs/design/017-contact.md
constexpr double no_gain = 1e-12;     // of the energy that a collision turns over: round-off
constexpr double settled_gap = 1e-3;  // of what the tolerances leave uncertain: not worth a correction
constexpr double drift =
    1e4;  // of what the tolerances leave uncertain of a rate: a closed contact that approaches slower has drifted
constexpr double slow_sliding =
    100;  // of what the tolerances leave uncertain of s: a contact that slides slower may stick together with another
constexpr int most_halvings = 60;

}  // namespace

Contacts::Contacts(Dynamics& dynamics, State& state, ContactOptions options)
    : dynamics_(dynamics),
      state_(state),
      options_(std::move(options)),
      configuration_(dynamics.system().equations()),
      softness_(dynamics.system().equations().contact_softness),
      work_(dynamics.system().equations()),
      rows_(dynamics.evaluator()),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::contact_gaps)),
      zeros_(ranges_) {
  const Equations& equations = dynamics.system().equations();
  for (const RigidContact& contact : equations.contacts) contacts_.push_back({&contact});
  if (!any()) return;
  const Layout& n = dynamics.system().layout();
  const auto count = static_cast<Eigen::Index>(contacts_.size());
  gaps_ = Eigen::VectorXd::Zero(2 * count);
  end_ = begin_.motion = begin_.previous = Eigen::VectorXd::Zero(3 * count);
  x_ = xdot_ = Eigen::VectorXd::Zero(n.nx());
  guards_.reserve(2 * contacts_.size());
}

void Contacts::open_all() {
  for (const Contact& contact : contacts_) {
    value(contact.law->closed) = 0;
    if (contact.law->sticks >= 0) value(contact.law->sticks) = 0;
  }
}

bool Contacts::evaluate() {
  dynamics_.evaluator().set_outcomes(dynamics_.weights());
  return rows_.evaluate(state_);
}

// Of a gap by what the positions may err by, of its rate and of s by velocities.
void Contacts::take_tolerances() {
  const Layout& n = dynamics_.system().layout();
  const auto error = [&](int entry) { return options_.atol[entry] + options_.rtol * std::abs(state_.x[entry]); };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    contact.gap = contact.rate = contact.sliding = 0;
    double second = 0;  // of s along the second tangent
    for (int j = 0; j < n.nv; ++j) {
      const int q = configuration_.position_of(j);
      const auto k = static_cast<Eigen::Index>(2 * i);
      contact.gap += std::abs(rows_.G(k, j)) * (q >= 0 ? error(q) : options_.rtol);
      contact.rate += std::abs(rows_.G(k, j)) * error(n.nq + j);
      contact.sliding += std::abs(rows_.G(k + 1, j)) * error(n.nq + j);
      if (const int other = rows_.second[i]; other >= 0) second += std::abs(rows_.G(other, j)) * error(n.nq + j);
    }
    contact.sliding = std::max(contact.sliding, second);
  }
}

std::vector<int> Contacts::touching() const {
  std::vector<int> list;
  for (int i = 0; i < rows_.count(); ++i)
    if (closed(place(i)) || rows_.gap[i] <= contacts_[place(i)].gap) list.push_back(i);
  return list;
}

void Contacts::add_velocities(const Eigen::VectorXd& dv) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  const Layout& n = dynamics_.system().layout();
  evaluator.set(state_.t, state_.x.data());
  const double before = evaluator.energy();
  state_.x.segment(n.nq, n.nv) += dv;
  evaluator.set(state_.t, state_.x.data());
  work_.add(evaluator.energy() - before, state_.x);
}

std::string Contacts::names(const std::vector<int>& contacts) const {
  std::string list;
  for (const int i : contacts) list += (list.empty() ? "" : ", ") + contacts_[place(i)].law->name;
  return list;
}

std::string Contacts::speed(int contact, double rate) const {
  return fmt::format("{:.6g} {}/s", std::abs(rate), contacts_[place(contact)].law->unit);
}

std::vector<int> Contacts::rows_of(const std::vector<int>& contacts) const {
  std::vector<int> rows;
  for (const int i : contacts) rows.insert(rows.end(), {2 * i, 2 * i + 1});
  for (const int i : contacts)
    if (rows_.second[place(i)] >= 0) rows.push_back(rows_.second[place(i)]);
  return rows;
}

ContactProblem Contacts::problem_of(const std::vector<int>& contacts) const {
  const std::vector<int> rows = rows_of(contacts);
  const auto n = static_cast<Eigen::Index>(rows.size());
  ContactProblem problem{
      Eigen::MatrixXd(n, n), Eigen::VectorXd(n), Eigen::VectorXd(static_cast<Eigen::Index>(contacts.size())), {}};
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index j = 0; j < n; ++j)
      problem.A(k, j) = rows_.A(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(j)]);
  int seconds = 2 * static_cast<int>(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    problem.mu[static_cast<Eigen::Index>(k)] = rows_.friction[contacts[k]];
    problem.friction.push_back(is_rough(contacts[k]) ? ContactProblem::Friction::any : ContactProblem::Friction::none);
    problem.second.push_back(rows_.second[place(contacts[k])] >= 0 ? seconds++ : -1);
    problem.along.push_back(Eigen::Vector2d::UnitX());
  }
  return problem;
}

// p with restitutions times `part`.
bool Contacts::collide_at_once(const std::vector<int>& touching, Eigen::VectorXd& p, double part) {
  ContactProblem problem = problem_of(touching);
  const std::vector<int> rows = rows_of(touching);
  const Eigen::VectorXd velocity = rows_.velocity + rows_.A * p;  // with what impulses before have changed
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const int i = touching[k], row = static_cast<int>(2 * k);
    const double rate = velocity[2 * i], back = 1 + part * rows_.tangential_restitution[i];
    problem.b[row] = rate + part * rows_.restitution[i] * std::min(rate, 0.0);
    problem.b[row + 1] = back * velocity[2 * i + 1];
    if (const int other = problem.second[k]; other >= 0) problem.b[other] = back * velocity[rows_.second[place(i)]];
  }
  const ContactSolution solution = solve(problem);
  if (!solution.found) return false;
  for (std::size_t k = 0; k < rows.size(); ++k) p[rows[k]] += solution.p[static_cast<Eigen::Index>(k)];
  note_impulse(touching, problem, solution, velocity, part);
  impact_leaves_motion_open_ = solution.leaves_motion_open;
  return true;
}

// Of no law yet.
ContactImpulse& Contacts::add_impulse(double part) {
  impulses_.push_back({std::vector<ImpulseLaw>(static_cast<std::size_t>(rows_.G.rows()), ImpulseLaw::none), part});
  return impulses_.back();
}

// Which laws held of the rows of contacts along one tangent: for derivatives, of which those in space have none.
void Contacts::note_impulse(const std::vector<int>& touching, const ContactProblem& problem,
                            const ContactSolution& solution, const Eigen::VectorXd& velocity, double part) {
  ContactImpulse& impulse = add_impulse(part);
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const int i = touching[k];
    if (solution.state[k] == ContactState::open) continue;
    impulse.rows[place(2 * i)] = velocity[2 * i] < 0 ? ImpulseLaw::restores : ImpulseLaw::stops;
    if (problem.friction[k] == ContactProblem::Friction::none) continue;
    impulse.rows[place(2 * i + 1)] = solution.state[k] == ContactState::stick           ? ImpulseLaw::restores
                                     : solution.state[k] == ContactState::slip_forwards ? ImpulseLaw::slips_forwards
                                                                                        : ImpulseLaw::slips_backwards;
  }
}

// The contact that approaches fastest, in the kinetic metric, until none does faster than the tolerances resolve.
bool Contacts::collide_one_by_one(const std::vector<int>& touching, Eigen::VectorXd& p, double part) {
  constexpr int most = 10000;
  for (int pass = 0; pass < most; ++pass) {
    const Eigen::VectorXd now = rows_.A * p;
    int fastest = -1;
    double largest = 0;
    for (const int i : touching) {
      const double rate = rows_.gap_rate[i] + now[2 * i], approach = -rate / std::sqrt(rows_.A(2 * i, 2 * i));
      if (rate < -contacts_[place(i)].rate && approach > largest) fastest = i, largest = approach;
    }
    if (fastest < 0) return true;
    if (!collide_at_once({fastest}, p, part)) return false;
  }
  return collide_at_once(touching, p, 0);  // what is left of an endless sequence ends
}

// Energy that the impulses add, J, as seen by the surfaces: what moves them with t may do work.
double Contacts::gained(const Eigen::VectorXd& p) const { return p.dot(rows_.velocity + 0.5 * (rows_.A * p)); }

std::string Contacts::collide(const std::vector<int>& touching, std::vector<RunEvent>& events) {
  // impulses, with restitutions reduced where the energy would grow
  Eigen::VectorXd p;
  const auto impulses = [&](double part) {
    p = Eigen::VectorXd::Zero(rows_.A.rows());
    impulses_.clear();
    return options_.sequential ? collide_one_by_one(touching, p, part) : collide_at_once(touching, p, part);
  };
  const auto grows = [&] { return gained(p) > no_gain * p.dot(rows_.A * p); };
  const bool rough = std::ranges::any_of(touching, [&](int i) { return rows_.friction[i] > 0; });
  const std::string fails =
      fmt::format("no impulses satisfy the impact of {} at t = {:.10g} s: {}", names(touching), state_.t,
                  rough ? "friction makes the contact jam (Painlevé's paradox). Reduce the friction, or model elastic "
                          "surfaces (contact with a stiffness)"
                        : "constraints or a prescribed motion drive the bodies into each other");
  if (!impulses(1)) return fails;
  if (grows()) {
    double low = 0, high = 1;
    for (int k = 0; k < most_halvings && high - low > 1e-15; ++k) {
      const double middle = 0.5 * (low + high);
      if (!impulses(middle)) return fails;
      (grows() ? high : low) = middle;
    }
    if (!impulses(low)) return fails;
    note(finding<FindingCode::restitution>("t"_a = state_.t, "contacts"_a = names(touching), "share"_a = low));
  }
  if (impact_leaves_motion_open_)
    note_open_motion(fmt::format("after the impact at t = {:.6g} s", state_.t), touching, "impulse");
  // velocities jump
  const Eigen::VectorXd before = rows_.gap_rate;
  add_velocities(rows_.velocities_after(p));
  moved_ = true;
  const Eigen::VectorXd change = rows_.A * p;
  for (const int i : touching)
    if (p[2 * i] > 0 && before[i] < -contacts_[place(i)].rate)
      events.push_back({state_.t, fmt::format("{}: impact at {}, then {}", contacts_[place(i)].law->label,
                                              speed(i, before[i]), speed(i, before[i] + change[2 * i]))});
  return evaluate() ? "" : fails;
}

// Forces of contacts that rest on each other, from the accelerations with all contacts open.
ContactSolution Contacts::solve_forces(const std::vector<int>& resting, double slowest) {
  open_all();
  dynamics_.set_state(state_);
  if (!dynamics_.derivative(state_.t, state_.x.data(), xdot_.data())) return {};
  const Layout& layout = dynamics_.system().layout();
  vdot_ = xdot_.segment(layout.nq, layout.nv);
  const Eigen::VectorXd free = rows_.G * vdot_ + rows_.bias;
  ContactProblem problem = problem_of(resting);
  const std::vector<int> rows = rows_of(resting);
  for (std::size_t k = 0; k < rows.size(); ++k) problem.b[static_cast<Eigen::Index>(k)] = free[rows[k]];
  for (std::size_t k = 0; k < resting.size(); ++k) {
    using Friction = ContactProblem::Friction;
    const int i = resting[k];
    if (!is_rough(i) || rows_.speed(i) <= slowest * contacts_[place(i)].sliding) continue;
    const bool in_space = problem.second[k] >= 0;
    problem.friction[k] = in_space || rows_.sliding[i] > 0 ? Friction::forwards : Friction::backwards;
    if (in_space)
      problem.along[k] = Eigen::Vector2d(rows_.sliding[i], rows_.velocity[rows_.second[place(i)]]).normalized();
  }
  ContactSolution solution = solve(problem);
  if (!solution.found) return solution;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(rows_.A.rows());
  for (std::size_t k = 0; k < rows.size(); ++k) p[rows[k]] = solution.p[static_cast<Eigen::Index>(k)];
  vdot_ += rows_.velocities_after(p);
  return solution;
}

// Corners of one edge come to rest together, but for what the tolerances leave uncertain. Where one alone stuck, friction would turn the other
// back and forth in times that nothing resolves. Those that slide slowly may stick, too; if they do not, they slide as they did.
ContactSolution Contacts::forces_that_stop(const std::vector<int>& resting) {
  const auto slides_slowly = [&](int i) {
    const double uncertain = contacts_[place(i)].sliding, speed = rows_.speed(i);
    return is_rough(i) && speed > uncertain && speed <= slow_sliding * uncertain;
  };
  if (std::ranges::none_of(resting, slides_slowly)) return solve_forces(resting);
  const ContactSolution solution = solve_forces(resting, slow_sliding);
  bool all_stick = solution.found;
  for (std::size_t k = 0; k < resting.size() && all_stick; ++k)
    all_stick = !slides_slowly(resting[k]) || solution.state[k] == ContactState::stick;
  return all_stick ? solution : solve_forces(resting);
}

// Contacts that leave slowly and would be back before they are as far away as the tolerances resolve.
std::vector<int> Contacts::settled(const std::vector<int>& touching, const std::vector<int>& resting,
                                   std::vector<RunEvent>& events) {
  std::vector<int> list;
  for (const int i : touching) {
    if (std::ranges::count(resting, i) > 0) continue;
    const double rate = rows_.gap_rate[i], back = -(rows_.G.row(2 * i).dot(vdot_) + rows_.gap_bias[i]);
    if (!(back > 0 && rate * rate <= 2 * back * contacts_[place(i)].gap)) continue;
    list.push_back(i);
    const double e = rows_.restitution[i];
    const std::string when =
        e < 1 ? fmt::format(" at t = {:.10g} s, the limit of its bounces", state_.t + 2 * rate / (back * (1 - e))) : "";
    events.push_back({state_.t, fmt::format("{}: comes to rest{}", contacts_[place(i)].law->label, when)});
  }
  return list;
}

// Rates of what rests, and sliding of what sticks, are zero.
void Contacts::stop_rates(const std::vector<int>& resting, const ContactSolution& solution) {
  std::vector<int> rows;
  for (std::size_t k = 0; k < resting.size(); ++k) {
    const int i = resting[k];
    // one that ceases to push does not go back
    if (!solution.state.empty() && solution.state[k] == ContactState::open && rows_.gap_rate[i] >= 0) continue;
    rows.push_back(2 * i);
    if (solution.state.empty() || solution.state[k] != ContactState::stick || !is_rough(i)) continue;
    for (const int row : rows_.tangents(i)) rows.push_back(row);
  }
  Eigen::VectorXd change(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) change[static_cast<Eigen::Index>(k)] = -rows_.velocity[rows[k]];
  if (rows.empty()) return;
  ContactImpulse& impulse = add_impulse(1);
  for (const int row : rows) impulse.rows[place(row)] = ImpulseLaw::stops;
  if (!change.isZero(0)) add_velocities(rows_.change(rows, change));
}

// What the integrator erred by.
void Contacts::close_gaps() {
  std::vector<int> rows;
  bool open = false;
  for (int i = 0; i < rows_.count(); ++i) {
    if (!closed(place(i))) continue;
    rows.push_back(2 * i);
    open = open || std::abs(rows_.gap[i]) > settled_gap * contacts_[place(i)].gap;
  }
  if (!open) return;
  Eigen::VectorXd change(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) change[static_cast<Eigen::Index>(k)] = -rows_.gap[rows[k] / 2];
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(state_.t, state_.x.data());
  const double before = evaluator.energy();
  configuration_.advance(state_.x.data(), rows_.change(rows, change).eval().data());
  evaluator.set(state_.t, state_.x.data());
  work_.add(evaluator.energy() - before, state_.x);
}

void Contacts::set_slip(int contact, ContactState state, const Eigen::Vector2d& along) {
  const RigidContact& law = *contacts_[place(contact)].law;
  value(law.direction) = law.has_two_tangents() ? along.x() : state == ContactState::slip_forwards ? 1 : -1;
  if (!law.has_two_tangents()) return;
  // Friction turns what slides slowly at once, mu g/|s| a second: where sliding begins from rest, that would take steps without number
  const double least = contacts_[place(contact)].sliding;
  value(law.across) = along.y();
  value(law.slow) = rows_.speed(contact) > least ? least : least / std::sqrt(options_.rtol);
}

void Contacts::set_modes(const std::vector<int>& resting, const ContactSolution& solution) {
  std::vector<double> was(contacts_.size()), stuck(contacts_.size()), way(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    was[i] = closed(i), stuck[i] = sticks(i), way[i] = contacts_[i].law->direction >= 0 ? direction(i) : 0;
  open_all();
  for (std::size_t k = 0; k < resting.size(); ++k) {
    const auto i = place(resting[k]);
    const RigidContact& law = *contacts_[i].law;
    const ContactState state = solution.state[k];
    if (state == ContactState::open) continue;
    value(law.closed) = 1;
    if (!law.has_friction()) continue;
    value(law.sticks) = state == ContactState::stick && rows_.friction[resting[k]] > 0;
    if (state != ContactState::stick) set_slip(resting[k], state, solution.along[k]);
  }
  value(softness_) = solution.undetermined ? soft : 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    const bool same =
        was[i] == double(closed(i)) && stuck[i] == double(sticks(i)) && (!slides(i) || way[i] == direction(i));
    const double gap = rows_.gap[static_cast<Eigen::Index>(i)], rate = rows_.gap_rate[static_cast<Eigen::Index>(i)];
    if (!same || !closed(i)) contact.armed = !closed(i) && gap > contact.gap;
    // one that leaves is where it is but for round-off; one that only ceases to push may stay where it is for a while
    contact.slack = std::max(2 * std::max(-gap, 0.0), rate > contact.rate ? 0.0 : contact.gap);
  }
}

// Of those that rest, and of others that would be back at once, which rest from now on. Not found: there are none.
ContactSolution Contacts::forces_at_rest(const std::vector<int>& touching, std::vector<int>& resting,
                                         std::vector<RunEvent>& events) {
  ContactSolution solution = forces_that_stop(resting);
  for (std::size_t pass = 0; pass < contacts_.size() && solution.found; ++pass) {
    const std::vector<int> more = settled(touching, resting, events);
    if (more.empty()) break;
    resting.insert(resting.end(), more.begin(), more.end());
    std::ranges::sort(resting);
    stop_rates(resting, {});
    moved_ = true;
    solution = evaluate() ? forces_that_stop(resting) : ContactSolution();
  }
  return solution;
}

const char* Contacts::change_of(std::size_t i, const Eigen::VectorXd& before) const {
  const RigidContact& law = *contacts_[i].law;
  if (closed(i) != closed(i, before)) return closed(i) ? "closes" : "opens";
  if (sticks(i, before) && slides(i)) return "slips";
  if (!slides(i, before)) return nullptr;
  if (sticks(i)) return "sticks";
  return slides(i) && !law.has_two_tangents() && before[law.direction] != direction(i) ? "slides back" : nullptr;
}

bool Contacts::knows(FindingCode code) const { return std::ranges::count(findings_, code, &Finding::code) > 0; }

void Contacts::note(Finding found) {
  if (!knows(found.code)) findings_.push_back(std::move(found));
}

void Contacts::note_undetermined(const std::vector<int>& resting, const ContactSolution& solution) {
  if (solution.leaves_motion_open) note_open_motion(fmt::format("from t = {:.6g} s on", state_.t), resting, "load");
  if (!solution.undetermined || knows(FindingCode::contact) || knows(FindingCode::open_motion)) return;
  std::vector<int> pushing;
  for (std::size_t k = 0; k < resting.size(); ++k)
    if (solution.state[k] != ContactState::open) pushing.push_back(resting[k]);
  note(finding<FindingCode::contact>("t"_a = state_.t, "contacts"_a = names(pushing)));
}

// What is open is not said to be independent of the shares as well.
void Contacts::note_open_motion(const std::string& since, const std::vector<int>& contacts, const char* what) {
  std::erase_if(findings_, [](const Finding& found) { return found.code == FindingCode::contact; });
  note(finding<FindingCode::open_motion>("since"_a = since, "contacts"_a = names(contacts), "what"_a = what));
}

// Directions of sliding turn between events: those that were parallel need not stay so.
void Contacts::look_at_sliding() {
  constexpr int steps_between_looks = 8;
  if (knows(FindingCode::open_motion) || !(value(softness_) > 0) || steps_sliding_++ % steps_between_looks != 0) return;
  std::vector<int> pushing;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i)
    if (closed(place(i))) pushing.push_back(i);
  const auto slide = [&](int i) { return slides(place(i)); };
  if (std::ranges::none_of(pushing, slide) || !evaluate()) return;
  const ContactProblem problem = problem_of(pushing);
  ContactSolution now{true, {}, {}, true, problem.along};
  for (std::size_t k = 0; k < pushing.size(); ++k) {
    const int i = pushing[k];
    const bool in_space = problem.second[k] >= 0;
    now.state.push_back(!slide(i)                             ? ContactState::stick
                        : in_space || direction(place(i)) > 0 ? ContactState::slip_forwards
                                                              : ContactState::slip_backwards);
    if (slide(i) && in_space)
      now.along[k] = Eigen::Vector2d(rows_.sliding[i], rows_.velocity[rows_.second[place(i)]]).stableNormalized();
  }
  if (leaves_motion_open(problem, now))
    note_open_motion(fmt::format("from t = {:.6g} s on", state_.t), pushing, "load");
}

std::string Contacts::rest(const std::vector<int>& touching, std::vector<RunEvent>& events) {
  const auto fails = [&] {
    return fmt::format(
        "no forces satisfy the contacts {} at t = {:.10g} s: with this friction rigid bodies have no motion here, or "
        "more than one "
        "(Painlevé's paradox). Reduce the friction, or model elastic surfaces (contact with a stiffness)",
        names(touching), state_.t);
  };
  const Eigen::VectorXd before = state_.d;
  std::vector<int> resting;
  for (const int i : touching)
    if (rows_.gap_rate[i] <= contacts_[place(i)].rate) resting.push_back(i);
  const ContactSolution solution = forces_at_rest(touching, resting, events);
  state_.d = before;
  if (!solution.found) return fails();
  set_modes(resting, solution);
  close_gaps();
  if (!evaluate()) return fails();
  stop_rates(resting, solution);
  dynamics_.set_state(state_);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (const char* what = change_of(i, before); what && !starting_)
      events.push_back({state_.t, contacts_[i].law->label + " " + what});
  note_undetermined(resting, solution);
  return "";
}

std::string Contacts::change(std::vector<RunEvent>& events) {
  moved_ = false;
  impulses_.clear();
  forget();
  walk_.pace = 0;
  if (!evaluate())
    return fmt::format("the contacts cannot be evaluated at t = {:.10g} s: a gap or the inertia is not a number",
                       state_.t);
  if (const std::string overlap = penetration(rows_.gap); !overlap.empty())
    return fmt::format("at t = {:.10g} s {}", state_.t, overlap);
  take_tolerances();
  const std::vector<int> touching = this->touching();
  last_changed_ = names(touching);
  const bool approach = std::ranges::any_of(
      touching, [&](int i) { return rows_.gap_rate[i] < -contacts_[place(i)].rate * (closed(place(i)) ? drift : 1); });
  if (approach)
    if (std::string why = collide(touching, events); !why.empty()) return why;
  return rest(touching, events);
}

std::string Contacts::begin(std::vector<RunEvent>& events) {
  if (!any()) return "";
  if (!evaluate()) return "the gaps of contacts are not numbers at the start";
  length_ = dynamics_.engine().machine_size(state_.t, state_.x.data()).length();
  take_tolerances();
  for (int i = 0; i < rows_.count(); ++i)
    if (!closed(place(i)) && rows_.gap[i] < -contacts_[place(i)].gap)
      return fmt::format("{} is closed by {:.4g} {} beyond contact at the start; start where its gap is not negative",
                         contacts_[place(i)].law->label, -rows_.gap[i], contacts_[place(i)].law->unit);
  for (Contact& contact : contacts_) contact.armed = false;
  starting_ = true;  // what touches is no event, what collides is
  std::string why = change(events);
  starting_ = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (!closed(i)) contacts_[i].armed = rows_.gap[static_cast<Eigen::Index>(i)] > contacts_[i].gap;
  return why;
}

}  // namespace armature::internal
