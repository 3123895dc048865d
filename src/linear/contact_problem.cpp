#include "linear/contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

using Friction = ContactProblem::Friction;
using States = std::vector<ContactState>;

constexpr double violated = 1e-9;    // of the largest row: a condition that does not hold
constexpr double dependent_contacts = 1e-10;  // a pivot of the rows that push, against the largest: they depend on each other
constexpr double at_limit = 1e-12;            // of the largest force: it would pull, or slip, at once
constexpr int most_contact_sweeps = 4096, sweeps_between_looks = 32;

double sense(ContactState state) {
  return state == ContactState::slip_forwards ? 1 : state == ContactState::slip_backwards ? -1 : 0;
}

// Rows over the square roots of their diagonals: without units, and with a diagonal of ones.
class Scaled {
 public:
  explicit Scaled(const ContactProblem& problem)
      : n_(static_cast<int>(problem.mu.size())), friction_(problem.friction), A(problem.A), b(problem.b) {
    scale = A.diagonal().cwiseMax(0).cwiseSqrt();
    for (Eigen::Index k = 0; k < scale.size(); ++k)
      if (!(scale[k] > 0)) scale[k] = 1;
    const Eigen::VectorXd per = scale.cwiseInverse();
    A = per.asDiagonal() * A * per.asDiagonal();
    b = b.cwiseProduct(per);
    mu.resize(n_);
    for (int i = 0; i < n_; ++i) mu[i] = problem.mu[i] * scale[2 * i + 1] / scale[2 * i];
    size = std::max(b.cwiseAbs().maxCoeff(), 0.0);
  }

  int count() const { return n_; }
  bool may(int i, ContactState state) const {
    switch (friction_[static_cast<std::size_t>(i)]) {
      case Friction::none: return state == ContactState::open || state == ContactState::stick;
      case Friction::any: return true;
      case Friction::forwards: return state == ContactState::open || state == ContactState::slip_forwards;
      case Friction::backwards: return state == ContactState::open || state == ContactState::slip_backwards;
    }
    return false;
  }
  bool has_friction(int i) const { return friction_[static_cast<std::size_t>(i)] != Friction::none; }
  bool sticks(int i, ContactState state) const { return state == ContactState::stick && has_friction(i); }

 private:
  int n_;
  const std::vector<Friction>& friction_;

 public:
  Eigen::MatrixXd A;
  Eigen::VectorXd b, mu, scale;
  double size = 0;
};

// One contact with the others as they are: r are its two rows without its own part.
struct OneContact {
  double pn = 0, pt = 0;
  ContactState state = ContactState::open;
};

OneContact solve_one(const Scaled& s, int i, double rn, double rt) {
  const double nn = s.A(2 * i, 2 * i), nt = s.A(2 * i, 2 * i + 1), tt = s.A(2 * i + 1, 2 * i + 1), mu = s.mu[i];
  if (rn >= 0 || !(nn > 0)) return {};
  if (!s.has_friction(i)) return {-rn / nn, 0, ContactState::stick};
  const double determinant = nn * tt - nt * nt;
  if (s.may(i, ContactState::stick) && tt > 0 && determinant > dependent_contacts * nn * tt) {
    const double pn = (nt * rt - tt * rn) / determinant, pt = (nt * rn - nn * rt) / determinant;
    if (pn >= 0 && std::abs(pt) <= mu * pn) return {pn, pt, ContactState::stick};
  }
  OneContact best;
  for (const ContactState state : {ContactState::slip_forwards, ContactState::slip_backwards}) {
    if (!s.may(i, state)) continue;
    const double along = sense(state), slope = nn - along * mu * nt;
    if (!(slope > 0)) continue;
    const double pn = -rn / slope, pt = -along * mu * pn;
    best = {pn, pt, state};
    if (along * (rt + nt * pn + tt * pt) >= 0 || !s.may(i, ContactState::stick)) break;
  }
  return best;
}

void sweep(const Scaled& s, Eigen::VectorXd& p, States& states) {
  for (int i = 0; i < s.count(); ++i) {
    p[2 * i] = p[2 * i + 1] = 0;
    const double rn = s.b[2 * i] + s.A.row(2 * i).dot(p), rt = s.b[2 * i + 1] + s.A.row(2 * i + 1).dot(p);
    const OneContact one = solve_one(s, i, rn, rt);
    p[2 * i] = one.pn, p[2 * i + 1] = one.pt;
    states[static_cast<std::size_t>(i)] = one.state;
  }
}

// The linear equations of given states. Unknowns are the normal parts of contacts that push and the tangential ones of those that
// stick; where a contact slips, its tangential part follows the normal one.
ContactSolution solve_linear(const Scaled& s, const States& states) {
  std::vector<int> rows;
  for (int i = 0; i < s.count(); ++i) {
    const ContactState state = states[static_cast<std::size_t>(i)];
    if (state == ContactState::open) continue;
    rows.push_back(2 * i);
    if (s.sticks(i, state)) rows.push_back(2 * i + 1);
  }
  ContactSolution solution{true, states, Eigen::VectorXd::Zero(s.b.size())};
  const auto n = static_cast<Eigen::Index>(rows.size());
  if (n == 0) return solution;
  Eigen::MatrixXd K(n, n);
  Eigen::VectorXd r(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int row = rows[static_cast<std::size_t>(k)];
    r[k] = -s.b[row];
    for (Eigen::Index j = 0; j < n; ++j) {
      const int column = rows[static_cast<std::size_t>(j)], i = column / 2;
      K(k, j) = s.A(row, column);
      if (column % 2 == 0) K(k, j) -= sense(states[static_cast<std::size_t>(i)]) * s.mu[i] * s.A(row, column + 1);
    }
  }
  LeastNorm least;
  least.factor(K, dependent_contacts);
  const Eigen::VectorXd x = least.solve(r);
  solution.undetermined = pivoted_qr(K, dependent_contacts).rank < n;
  for (Eigen::Index k = 0; k < n; ++k) solution.p[rows[static_cast<std::size_t>(k)]] = x[k];
  for (int i = 0; i < s.count(); ++i) {
    const double along = sense(states[static_cast<std::size_t>(i)]);
    if (along != 0) solution.p[2 * i + 1] = -along * s.mu[i] * solution.p[2 * i];
  }
  return solution;
}

bool holds(const Scaled& s, const ContactSolution& solution) {
  const Eigen::VectorXd xi = s.b + s.A * solution.p;
  const double least = violated * s.size, least_p = violated * std::max(s.size, solution.p.cwiseAbs().maxCoeff());
  for (int i = 0; i < s.count(); ++i) {
    const ContactState state = solution.state[static_cast<std::size_t>(i)];
    const double pn = solution.p[2 * i], pt = solution.p[2 * i + 1];
    if (xi[2 * i] < -least || pn < -least_p) return false;
    if (state != ContactState::open && std::abs(xi[2 * i]) > least) return false;
    if (!s.has_friction(i) || state == ContactState::open) continue;
    if (state == ContactState::stick && (std::abs(pt) > s.mu[i] * pn + least_p || std::abs(xi[2 * i + 1]) > least)) return false;
    if (sense(state) != 0 && s.may(i, ContactState::stick) && sense(state) * xi[2 * i + 1] < -least) return false;
  }
  return true;
}

// Without those that would pull, the worst first: smallest forces may pull where others that push give the same motion.
ContactSolution solve_pushing(const Scaled& s, States states) {
  for (int pass = 0; pass <= s.count(); ++pass) {
    ContactSolution solution = solve_linear(s, states);
    if (!solution.undetermined || holds(s, solution)) return solution;
    int worst = -1;
    for (int i = 0; i < s.count(); ++i)
      if (solution.p[2 * i] < (worst < 0 ? 0 : solution.p[2 * worst])) worst = i;
    if (worst < 0) return solution;
    states[static_cast<std::size_t>(worst)] = ContactState::open;
  }
  return {};
}

// Contacts of one body that slip without sliding may as well stick: where all of them can, none is at its limit.
ContactSolution sticking(const Scaled& s, const ContactSolution& solution) {
  const Eigen::VectorXd xi = s.b + s.A * solution.p;
  States states = solution.state;
  for (int i = 0; i < s.count(); ++i)
    if (sense(states[static_cast<std::size_t>(i)]) != 0 && s.may(i, ContactState::stick) && std::abs(xi[2 * i + 1]) <= violated * s.size)
      states[static_cast<std::size_t>(i)] = ContactState::stick;
  if (states == solution.state) return solution;
  const ContactSolution sticks = solve_linear(s, states);
  return sticks.p.allFinite() && holds(s, sticks) ? sticks : solution;
}

// At an event a contact is at a limit of its state: what it does next is beyond it, where that gives the same motion.
ContactSolution released(const Scaled& s, ContactSolution solution) {
  const double least = at_limit * solution.p.cwiseAbs().maxCoeff();
  for (int i = 0; i < s.count(); ++i) {
    const double pn = solution.p[2 * i], pt = solution.p[2 * i + 1];
    States states = solution.state;
    ContactState& state = states[static_cast<std::size_t>(i)];
    if (state != ContactState::open && pn <= least)
      state = ContactState::open;
    else if (s.sticks(i, state) && std::abs(pt) >= s.mu[i] * pn - least)
      state = pt < 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
    else
      continue;
    if (const ContactSolution next = solve_linear(s, states); next.p.allFinite() && holds(s, next)) solution = next;
  }
  return solution;
}

}  // namespace

ContactSolution solve(const ContactProblem& problem) {
  const int n = static_cast<int>(problem.mu.size());
  States states(static_cast<std::size_t>(n), ContactState::open), tried;
  if (n == 0) return {true, states, {}};
  const Scaled s(problem);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(2 * n);
  for (int k = 1; k <= most_contact_sweeps; ++k) {
    sweep(s, p, states);
    if (k % sweeps_between_looks == 0)
      if (ContactSolution solution{true, states, p, true}; p.allFinite() && holds(s, solution)) {
        solution.p = p.cwiseQuotient(s.scale);
        return solution;
      }
    if (states == tried) continue;  // looked at again where the iteration has found something else
    tried = states;
    ContactSolution solution = solve_pushing(s, states);
    if (!solution.found || !solution.p.allFinite() || !holds(s, solution)) continue;
    solution = released(s, sticking(s, solution));
    solution.p = solution.p.cwiseQuotient(s.scale);
    return solution;
  }
  return {};
}

}  // namespace armature::internal
