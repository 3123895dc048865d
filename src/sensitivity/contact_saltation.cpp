#include "sensitivity/contact_saltation.hpp"

#include <cmath>

#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

constexpr int values_of_contact = 5;      // gap, s, N, friction N, T
constexpr double same_velocities = 1e-6;  // of the largest: the impulses found again are those of the run

List contact_values(const Equations& e) {
  List y;
  for (const RigidContact& c : e.contacts)
    for (const Expression& value : {c.gap, c.sliding, c.force, c.friction * c.force, c.tangential_force})
      y.push_back(value);
  return y;
}

// r of all contacts, then coefficient after coefficient.
List contact_velocities(const Equations& e) {
  List y;
  for (const RigidContact& c : e.contacts) y.push_back(c.rate), y.push_back(c.sliding);
  for (const RigidContact& c : e.contacts) y.push_back(c.restitution), y.push_back(c.tangential_restitution);
  for (const RigidContact& c : e.contacts) y.push_back(c.friction);
  return y;
}

// Of velocities before u, multipliers and impulses.
Directional make_contact_impulse(const System& system) {
  const Equations& e = system.equations();
  if (e.contacts.empty()) return Directional(system, {});
  List further, y(e.v.size(), 0.0), phidot, r;
  for (std::size_t i = 0; i < e.v.size(); ++i) further.push_back(e.graph->input("u"));
  // The first block of y, the balance of impulses: M (v - u), to which the impulses of constraints and contacts are
  // added.
  for (std::size_t i = 0; i < e.v.size(); ++i)
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i)))
      y[i] += entry * (e.v[static_cast<std::size_t>(j)] - further[static_cast<std::size_t>(j)]);
  const auto add = [&](const Expression& velocity, const Expression& factor) {
    for (std::size_t i = 0; i < e.v.size(); ++i) y[i] += Derivative({{e.v[i].id(), 1.0}})(velocity) * factor;
  };
  // Each constraint row gives its rate phi' and acts on the balance along d phi'/dv, with lambda.
  Derivative along_flow(flow_of_states(e));
  for (std::size_t row = 0; row < e.rows.size(); ++row) {
    phidot.push_back(along_flow(e.rows[row].phi));
    add(phidot[row], e.lambda[row]);
  }
  further.insert(further.end(), e.lambda.begin(), e.lambda.end());
  // Each contact gives the rates of its gap and of its sliding, and acts along their derivatives, with an unknown
  // impulse p.
  for (const RigidContact& c : e.contacts)
    for (const Expression& velocity : {c.rate, c.sliding}) {
      further.push_back(e.graph->input("p"));
      add(velocity, -further.back());
      r.push_back(velocity);
    }
  // y as a whole: the balance, the rates of constraints, the rates at contacts.
  y.insert(y.end(), phidot.begin(), phidot.end());
  y.insert(y.end(), r.begin(), r.end());
  return Directional(system, y, further);
}

}  // namespace

ContactSaltation::ContactSaltation(const std::shared_ptr<const System>& system)
    : system_(system),
      n_(system->layout()),
      count_(static_cast<int>(system->equations().contacts.size())),
      values_(system->make_program(contact_values(system->equations()))),
      changes_of_roots_(*system, contact_values(system->equations())),
      velocities_(*system, contact_velocities(system->equations())),
      impulse_(make_contact_impulse(*system)),
      evaluator_(system),
      rows_(evaluator_),
      configuration_(system->equations()) {}

// The rows refer to the evaluator beside them.
ContactSaltation::ContactSaltation(const ContactSaltation& other)
    : system_(other.system_),
      n_(other.n_),
      count_(other.count_),
      values_(other.values_),
      changes_of_roots_(other.changes_of_roots_),
      velocities_(other.velocities_),
      impulse_(other.impulse_),
      evaluator_(other.evaluator_),
      rows_(evaluator_),
      configuration_(other.configuration_) {}

void ContactSaltation::set_parameters(const VectorXd& parameters) {
  evaluator_.set_parameters(parameters);
  for (Directional* program : {&changes_of_roots_, &velocities_, &impulse_}) program->set_parameters(parameters);
}

const std::string& ContactSaltation::label(int root) const {
  return system_->equations().contacts[static_cast<std::size_t>(root / roots_of_contact)].label;
}

bool ContactSaltation::is_closed(const State& state, int contact) const {
  return state.d[system_->equations().contacts[static_cast<std::size_t>(contact)].closed] != 0;
}

bool ContactSaltation::sticks(const State& state, int contact) const {
  const RigidContact& law = system_->equations().contacts[static_cast<std::size_t>(contact)];
  return law.sticks >= 0 && state.d[law.sticks] != 0;
}

// --- roots

void ContactSaltation::roots_at(const State& state, Eigen::Ref<VectorXd> roots) {
  if (count_ == 0) return;
  evaluator_.set(state);
  VectorXd y(values_of_contact * count_);
  values_(evaluator_.inputs(), y.data());
  for (Index i = 0; i < count_; ++i) {
    const auto of = y.segment(values_of_contact * i, values_of_contact);
    roots.segment(roots_of_contact * i, roots_of_contact) << of[0], of[1], of[2], of[3] - std::abs(of[4]);
  }
}

void ContactSaltation::root_changes(const State& state, const MatrixXd& directions, MatrixXd& changes) {
  changes.resize(roots(), directions.cols());
  if (count_ == 0) return;
  evaluator_.set(state);
  VectorXd y(values_of_contact * count_);
  values_(evaluator_.inputs(), y.data());
  changes_of_roots_.set(state);
  changes_of_roots_(directions, changes_);
  for (Index i = 0; i < count_; ++i) {
    const auto of = changes_.middleRows(values_of_contact * i, values_of_contact);
    const double sign = y[values_of_contact * i + 4] < 0 ? -1 : 1;
    changes.middleRows(roots_of_contact * i, 3) = of.topRows(3);
    changes.row(roots_of_contact * i + cone) = of.row(3) - sign * of.row(4);
  }
}

void ContactSaltation::velocity_changes(const State& state, const MatrixXd& directions, MatrixXd& changes) {
  velocities_.set(state);
  velocities_(directions, changes);
}

std::vector<int> ContactSaltation::changed(const State& before, const State& after,
                                           const ContactImpulses& impulses) const {
  std::vector<int> roots;
  for (int i = 0; i < count_; ++i) {
    const RigidContact& law = system_->equations().contacts[static_cast<std::size_t>(i)];
    const bool was = is_closed(before, i), is = is_closed(after, i), stuck = sticks(before, i),
               stays = sticks(after, i);
    bool struck = false;
    for (const ContactImpulse& impulse : impulses)
      struck = struck || impulse.rows[static_cast<std::size_t>(2 * i)] != ImpulseLaw::none;
    const bool turns = law.direction >= 0 && before.d[law.direction] != after.d[law.direction];
    const int first = roots_of_contact * i;
    if (!was && (is || struck)) roots.push_back(first + gap);
    if (was && !is) roots.push_back(first + force);
    if (was && is && stuck && !stays) roots.push_back(first + cone);
    if (was && is && !stuck && law.has_friction() && (stays || turns)) roots.push_back(first + sliding);
  }
  return roots;
}

ContactSaltation::Uncertain ContactSaltation::uncertain(const State& state, int contact, const VectorXd& atol,
                                                        double rtol) {
  evaluator_.set(state);
  Uncertain sum{0, 0};
  if (!rows_.evaluate(state)) return sum;
  for (int j = 0; j < n_.nv; ++j) {
    const int q = configuration_.position_of(j);
    const double slope = std::abs(rows_.G(2 * contact, j));
    sum.gap += slope * (q >= 0 ? atol[q] + rtol * std::abs(state.x[q]) : rtol);
    sum.rate += slope * (atol[n_.nq + j] + rtol * std::abs(state.x[n_.nq + j]));
  }
  return sum;
}

// --- impulses

// K p = b: one equation a row, in units in which A has a diagonal of one.
struct ContactSaltation::Rows {
  const ContactRows& contacts;
  const ContactImpulse& impulse;
  VectorXd per;  // one over the root of the diagonal of A
  LeastNorm K;

  Rows(const ContactRows& of, const ContactImpulse& with) : contacts(of), impulse(with) {
    per = contacts.A.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    MatrixXd matrix = MatrixXd::Identity(per.size(), per.size());
    for (Index k = 0; k < per.size(); ++k) {
      if (is_velocity(k)) matrix.row(k) = per[k] * contacts.A.row(k) * per.asDiagonal();
      if (slip(k) != 0) matrix(k, k - 1) = slip(k) * contacts.friction[k / 2] * per[k - 1] / per[k];
    }
    // what takes no part has no impulse, whatever A says
    for (Index k = 0; k < per.size(); ++k)
      for (Index j = 0; j < per.size(); ++j)
        if (j != k && law(j) == ImpulseLaw::none) matrix(k, j) = 0;
    K.factor(matrix, Regularity::dependent);
  }
  ImpulseLaw law(Index k) const { return impulse.rows[static_cast<std::size_t>(k)]; }
  bool is_velocity(Index k) const { return law(k) == ImpulseLaw::restores || law(k) == ImpulseLaw::stops; }
  double slip(Index k) const {
    return law(k) == ImpulseLaw::slips_forwards ? 1 : law(k) == ImpulseLaw::slips_backwards ? -1 : 0;
  }
  double coefficient(Index k) const {
    if (law(k) != ImpulseLaw::restores) return 0;
    return k % 2 == 0 ? contacts.restitution[k / 2] : contacts.tangential_restitution[k / 2];
  }
  // b as velocities for rows of velocities, impulses for others.
  VectorXd solve(VectorXd b) const {
    for (Index k = 0; k < b.size(); ++k) b[k] *= is_velocity(k) ? per[k] : 1 / per[k];
    return per.cwiseProduct(K.solve(b));
  }
  VectorXd velocities() const {
    VectorXd r(per.size());
    for (Index k = 0; k < r.size(); ++k) r[k] = k % 2 == 0 ? contacts.gap_rate[k / 2] : contacts.sliding[k / 2];
    return r;
  }
};

// state, D: before it, then after it.
std::string ContactSaltation::hit_once(MotionSensitivity& motion, const ContactImpulse& impulse, State& state,
                                       MatrixXd& D) {
  evaluator_.set(state);
  if (!rows_.evaluate(state)) return "the contacts cannot be evaluated";
  const Rows rows(rows_, impulse);
  const Index size = rows.per.size();
  // the impulse itself
  const VectorXd r = rows.velocities();
  VectorXd b = VectorXd::Zero(size);
  for (Index k = 0; k < size; ++k)
    if (rows.is_velocity(k)) b[k] = -(1 + impulse.part * rows.coefficient(k)) * r[k];
  const VectorXd p = rows.solve(b), r_after = r + rows_.A * p;
  const VectorXd before = state.x.segment(n_.nq, n_.nv), after = before + rows_.velocities_after(p);
  // what D makes of r and of the coefficients
  MatrixXd own;
  velocity_changes(state, D, own);
  // dR, dphidot and dr+ at fixed velocities
  const MatrixXd& M = motion.terms().M;
  VectorXd dv = VectorXd::Zero(n_.nv), mu = VectorXd::Zero(n_.m), further(n_.nv + n_.m + size);
  motion.solve(M * before + rows_.G.transpose() * p, motion.terms().Phi * after, dv, mu);
  state.x.segment(n_.nq, n_.nv) = after;
  further << before, mu, p;
  impulse_.set(state), impulse_.set_further(further);
  MatrixXd still = D;
  still.middleRows(n_.nq, n_.nv).setZero();
  impulse_(still, changes_);
  const MatrixXd changes = changes_;
  // the factor of all restitutions
  VectorXd by_part = VectorXd::Zero(size);
  for (Index k = 0; k < size; ++k) by_part[k] = -rows.coefficient(k) * r[k];
  by_part = rows.solve(by_part);
  const VectorXd sum = r + r_after;
  const double energy_by_part = by_part.dot(sum) + p.dot(rows_.A * by_part);
  for (Index column = 0; column < D.cols(); ++column) {
    const VectorXd force = M * D.col(column).segment(n_.nq, n_.nv) - changes.col(column).head(n_.nv);
    motion.solve(force, -changes.col(column).segment(n_.nv, n_.m), dv, mu);
    // r+ without dp, then dp
    const VectorXd free = changes.col(column).tail(size) + rows_.G * dv;
    for (Index k = 0; k < size; ++k) {
      const double dr = own(k, column), de = rows.law(k) == ImpulseLaw::restores ? own(size + k, column) : 0;
      if (rows.is_velocity(k))
        b[k] = -free[k] - impulse.part * (rows.coefficient(k) * dr + de * r[k]);
      else
        b[k] = rows.slip(k) != 0 ? -rows.slip(k) * own(2 * size + k / 2, column) * p[k - 1] : 0;
    }
    VectorXd dp = rows.solve(b);
    if (impulse.part < 1) {
      const VectorXd both = own.col(column).head(size) + free + rows_.A * dp;
      dp -= (dp.dot(sum) + p.dot(both)) / energy_by_part * by_part;
    }
    D.col(column).segment(n_.nq, n_.nv) = dv + rows_.velocities_after(dp);
  }
  return D.allFinite() ? "" : "the impulses of the contacts have no derivative";
}

std::string ContactSaltation::hit(MotionSensitivity& motion, const State& before, const State& after,
                                  const ContactImpulses& impulses, MatrixXd& D) {
  State state = after;
  state.x.segment(n_.nq, n_.nv) = before.x.segment(n_.nq, n_.nv);
  bool reduced = false;
  for (const ContactImpulse& impulse : impulses) {
    if (reduced && impulse.part < 1)
      return "several impulses one after the other have a common factor of restitution, whose derivative is not known";
    reduced = reduced || impulse.part < 1;
    if (std::string why = hit_once(motion, impulse, state, D); !why.empty()) return why;
  }
  const VectorXd found = state.x.segment(n_.nq, n_.nv), expected = after.x.segment(n_.nq, n_.nv);
  const double size = std::max(before.x.segment(n_.nq, n_.nv).cwiseAbs().maxCoeff(), expected.cwiseAbs().maxCoeff());
  if ((found - expected).cwiseAbs().maxCoeff() > same_velocities * size)
    return "the impulses of contacts that share a load are not determined";
  return {};
}

}  // namespace armature::internal
