#include "linear/contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

using Friction = ContactProblem::Friction;
using States = std::vector<ContactState>;
using Eigen::Vector2d;

constexpr double violated = 1e-9;  // of the largest row: a condition that does not hold
constexpr double nearly = 1e-6;    // the same where an edge begins to slip, and the iteration hardly moves any more
constexpr double dependent_contacts =
    1e-10;                             // a pivot of the rows that push, against the largest: they depend on each other
constexpr double at_limit = 1e-12;     // of the largest force: it would pull, or slip, at once
constexpr double other_motion = 1e-6;  // of the largest force: by which forces that are not determined accelerate
constexpr double settled = 1e-15;      // of forces, or of a direction: passes that change less are the last
constexpr int most_contact_sweeps = 4096, sweeps_between_looks = 32;
constexpr int most_enumerated = 6;  // contacts: each has four states
constexpr int sweeps_before_trying = 128,
              few_contacts = 3;       // of so many all states are tried sooner than the iteration may end
constexpr int most_projections = 64;  // of one contact in a sweep
constexpr int most_turns = 64;        // of the directions of those that slip in space

double sense(ContactState state) {
  return state == ContactState::slip_forwards ? 1 : state == ContactState::slip_backwards ? -1 : 0;
}

std::size_t place(int i) { return static_cast<std::size_t>(i); }

// What each contact does: its state and, where it slips, the direction of xi_t. Along one tangent that is (1, 0), with the state's sense.
struct Modes {
  States state;
  std::vector<Vector2d> along;
  bool operator==(const Modes&) const = default;
};

// Rows over the square roots of their diagonals: without units, and with a diagonal of ones. Both tangents of a contact have one scale.
class Scaled {
 public:
  explicit Scaled(const ContactProblem& problem)
      : n_(static_cast<int>(problem.mu.size())),
        friction_(problem.friction),
        second_(problem.second.empty() ? std::vector<int>(problem.friction.size(), -1) : problem.second),
        along_(problem.along.empty() ? std::vector<Vector2d>(problem.friction.size(), Vector2d::UnitX())
                                     : problem.along),
        A(problem.A),
        b(problem.b) {
    scale = A.diagonal().cwiseMax(0).cwiseSqrt();
    for (int i = 0; i < n_; ++i)
      if (in_space(i)) scale[2 * i + 1] = scale[second(i)] = std::max(scale[2 * i + 1], scale[second(i)]);
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
    switch (friction_[place(i)]) {
      case Friction::none: return state == ContactState::open || state == ContactState::stick;
      case Friction::any: return true;
      case Friction::forwards: return state == ContactState::open || state == ContactState::slip_forwards;
      case Friction::backwards: return state == ContactState::open || state == ContactState::slip_backwards;
    }
    return false;
  }
  bool has_friction(int i) const { return friction_[place(i)] != Friction::none; }
  bool sticks(int i, ContactState state) const { return state == ContactState::stick && has_friction(i); }
  bool in_space(int i) const { return second_[place(i)] >= 0; }
  int second(int i) const { return second_[place(i)]; }
  const Vector2d& along(int i) const { return along_[place(i)]; }  // as it slides already

  // Both tangential numbers of a contact; the second is zero where there is one tangent.
  Vector2d tangential(const Eigen::VectorXd& rows, int i) const {
    return {rows[2 * i + 1], in_space(i) ? rows[second(i)] : 0.0};
  }
  void set_tangential(int i, const Vector2d& value, Eigen::VectorXd& rows) const {
    rows[2 * i + 1] = value.x();
    if (in_space(i)) rows[second(i)] = value.y();
  }

 private:
  int n_;
  const std::vector<Friction>& friction_;
  std::vector<int> second_;
  std::vector<Vector2d> along_;

 public:
  Eigen::MatrixXd A;
  Eigen::VectorXd b, mu, scale;
  double size = 0;
};

// One contact with the others as they are: r are its rows without its own part.
struct OneContact {
  double pn = 0;
  Vector2d pt = Vector2d::Zero();
  ContactState state = ContactState::open;
  Vector2d along = Vector2d::UnitX();
};

OneContact solve_one(const Scaled& s, int i, double rn, double rt) {
  const double nn = s.A(2 * i, 2 * i), nt = s.A(2 * i, 2 * i + 1), tt = s.A(2 * i + 1, 2 * i + 1), mu = s.mu[i];
  if (rn >= 0 || !(nn > 0)) return {};
  if (!s.has_friction(i)) return {-rn / nn, Vector2d::Zero(), ContactState::stick};
  // Sticking: both relative velocities are zero, with a force inside the cone.
  const double determinant = nn * tt - nt * nt;
  if (s.may(i, ContactState::stick) && tt > 0 && determinant > dependent_contacts * nn * tt) {
    const double pn = (nt * rt - tt * rn) / determinant, pt = (nt * rn - nn * rt) / determinant;
    if (pn >= 0 && std::abs(pt) <= mu * pn) return {pn, {pt, 0}, ContactState::stick};
  }
  // Slipping, one way and then the other: the force lies on the edge of the cone, and the slip that results points
  // that way.
  OneContact best;
  for (const ContactState state : {ContactState::slip_forwards, ContactState::slip_backwards}) {
    if (!s.may(i, state)) continue;
    const double along = sense(state), slope = nn - along * mu * nt;
    if (!(slope > 0)) continue;
    const double pn = -rn / slope, pt = -along * mu * pn;
    best = {pn, {pt, 0}, state};
    if (along * (rt + nt * pn + tt * pt) >= 0 || !s.may(i, ContactState::stick)) break;
  }
  return best;
}

// In space. One that slides already is solved for p_n alone. Else p_t is found by projections onto the disk |p_t| <= mu p_n, starting from
// what it was: p_t <- projection of p_t - xi_t/stiffest.
OneContact solve_one_in_space(const Scaled& s, int i, double rn, const Vector2d& rt, Vector2d pt) {
  const double nn = s.A(2 * i, 2 * i), mu = s.mu[i];
  if (rn >= 0 || !(nn > 0)) return {};
  if (!s.has_friction(i)) return {-rn / nn, Vector2d::Zero(), ContactState::stick};
  const int rows[] = {2 * i + 1, s.second(i)};
  const Vector2d nt(s.A(2 * i, rows[0]), s.A(2 * i, rows[1]));
  // Slipping in a known direction: as in a plane.
  if (!s.may(i, ContactState::stick)) {
    const double slope = nn - mu * nt.dot(s.along(i)), pn = -rn / slope;
    if (!(slope > 0)) return {};
    return {pn, -mu * pn * s.along(i), ContactState::slip_forwards, s.along(i)};
  }
  Eigen::Matrix2d T;
  T << s.A(rows[0], rows[0]), s.A(rows[0], rows[1]), s.A(rows[1], rows[0]), s.A(rows[1], rows[1]);
  // The larger eigenvalue of T, by which a projection is a contraction.
  const double middle = 0.5 * T.trace(),
               stiffest = middle + std::sqrt(std::max(middle * middle - (T(0, 0) * T(1, 1) - T(1, 0) * T(0, 1)), 0.0));
  OneContact one;
  for (int pass = 0; pass < most_projections; ++pass) {
    // p_n so that the surfaces do not part; then p_t by one step towards no sliding, cut off at the cone.
    one.pn = std::max(0.0, -(rn + nt.dot(pt)) / nn);
    const Vector2d next = pt - (rt + nt * one.pn + T * pt) / stiffest, before = pt;
    const double limit = mu * one.pn, length = next.norm();
    const bool slips = length > limit;
    pt = slips ? Vector2d(limit / length * next) : next;
    one.state = one.pn == 0 ? ContactState::open : slips ? ContactState::slip_forwards : ContactState::stick;
    if (slips) one.along = -next / length;
    if ((pt - before).norm() <= settled * (pt.norm() + std::abs(rn))) break;
  }
  one.pt = pt;
  return one;
}

void sweep(const Scaled& s, Eigen::VectorXd& p, Modes& modes) {
  for (int i = 0; i < s.count(); ++i) {
    const Vector2d was = s.tangential(p, i);
    p[2 * i] = 0;
    s.set_tangential(i, Vector2d::Zero(), p);
    const double rn = s.b[2 * i] + s.A.row(2 * i).dot(p), rt = s.b[2 * i + 1] + s.A.row(2 * i + 1).dot(p);
    const OneContact one =
        !s.in_space(i) ? solve_one(s, i, rn, rt)
                       : solve_one_in_space(s, i, rn, {rt, s.b[s.second(i)] + s.A.row(s.second(i)).dot(p)}, was);
    p[2 * i] = one.pn;
    s.set_tangential(i, one.pt, p);
    modes.state[place(i)] = one.state, modes.along[place(i)] = one.along;
  }
}

// The linear equations of given modes, K x = r. Unknowns are the normal parts of contacts that push and the tangential ones of those that
// stick; where a contact slips, its tangential part follows the normal one.
class ModeEquations {
 public:
  ModeEquations(const Scaled& s, const Modes& modes) : s_(s), modes_(modes) {
    // The unknowns: normal forces of all that is not open, tangential ones of what sticks.
    for (int i = 0; i < s.count(); ++i) {
      const ContactState state = modes.state[place(i)];
      if (state == ContactState::open) continue;
      add(2 * i, i);
      if (!s.sticks(i, state)) continue;
      add(2 * i + 1, i);
      if (s.in_space(i)) add(s.second(i), i);
    }
    const auto n = size();
    K_.resize(n, n), r_.resize(n);
    // The drag of what slips is proportional to its normal force: its columns are added to that of the normal force.
    for (Eigen::Index k = 0; k < n; ++k) {
      const int row = rows_[static_cast<std::size_t>(k)];
      r_[k] = -s.b[row];
      for (Eigen::Index j = 0; j < n; ++j) {
        const int column = rows_[static_cast<std::size_t>(j)], i = contact_[static_cast<std::size_t>(j)];
        K_(k, j) = s.A(row, column);
        if (column == 2 * i) K_(k, j) += drag(i).x() * s.A(row, column + 1);
        if (column == 2 * i && s.in_space(i)) K_(k, j) += drag(i).y() * s.A(row, s.second(i));
      }
    }
    if (n > 0) least_.factor(K_, dependent_contacts);
  }

  ContactSolution smallest() const {
    ContactSolution solution{true, modes_.state, Eigen::VectorXd::Zero(s_.b.size()), false, modes_.along};
    if (size() == 0) return solution;
    solution.undetermined = pivoted_qr(K_, dependent_contacts).rank < size();
    put(least_.solve(r_), solution.p);
    return solution;
  }

  // Forces that satisfy the equations besides, one a column; those of contacts that only touch may be negative.
  Eigen::MatrixXd undetermined_forces() const {
    if (size() == 0) return Eigen::MatrixXd(s_.b.size(), 0);
    const Eigen::Index rank = pivoted_qr(K_, dependent_contacts).rank, count = size() - rank;
    Eigen::MatrixXd forces(s_.b.size(), count);
    if (count == 0) return forces;
    const Eigen::MatrixXd null = svd(K_, Eigen::ComputeFullV).V.rightCols(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::VectorXd p = Eigen::VectorXd::Zero(s_.b.size());
      put(null.col(k), p);
      forces.col(k) = p;
    }
    return forces;
  }

  // p of the same motion within all cones of friction: by projections onto the cones, a little narrower, and onto the solutions in turn. Those of
  // p where there are none, or none that are found.
  Eigen::VectorXd within_cones(Eigen::VectorXd p) const {
    for (int pass = 0; pass < most_cone_projections && p.allFinite(); ++pass) {
      if (are_within_cones(p)) return p;
      for (int i = 0; i < s_.count(); ++i) project_onto_cone(i, p);
      Eigen::VectorXd x(size());
      for (Eigen::Index k = 0; k < size(); ++k) x[k] = p[rows_[static_cast<std::size_t>(k)]];
      const Eigen::VectorXd left = K_ * x - r_;
      put(x - least_.solve(left), p);
    }
    return p;
  }

 private:
  static constexpr int most_cone_projections = 1000;
  static constexpr double narrower = 0.999;

  Eigen::Index size() const { return static_cast<Eigen::Index>(rows_.size()); }
  void add(int row, int i) { rows_.push_back(row), contact_.push_back(i); }
  // p_t of what slips, for p_n = 1
  Vector2d drag(int i) const { return -sense(modes_.state[place(i)]) * s_.mu[i] * modes_.along[place(i)]; }
  void put(const Eigen::VectorXd& x, Eigen::VectorXd& p) const {
    for (Eigen::Index k = 0; k < size(); ++k) p[rows_[static_cast<std::size_t>(k)]] = x[k];
    for (int i = 0; i < s_.count(); ++i)
      if (sense(modes_.state[place(i)]) != 0) s_.set_tangential(i, p[2 * i] * drag(i), p);
  }
  bool are_within_cones(const Eigen::VectorXd& p) const {
    for (int i = 0; i < s_.count(); ++i) {
      if (p[2 * i] < 0) return false;
      if (s_.sticks(i, modes_.state[place(i)]) && s_.tangential(p, i).norm() > s_.mu[i] * p[2 * i]) return false;
    }
    return true;
  }
  void project_onto_cone(int i, Eigen::VectorXd& p) const {
    const double pn = p[2 * i], mu = narrower * s_.mu[i];
    if (!s_.sticks(i, modes_.state[place(i)])) {
      p[2 * i] = std::max(pn, 0.0);
      return;
    }
    const Vector2d pt = s_.tangential(p, i);
    const double length = pt.norm();
    if (length <= mu * pn) return;
    const double nearest = std::max((pn + mu * length) / (1 + mu * mu), 0.0);
    p[2 * i] = nearest;
    s_.set_tangential(i, length > 0 ? Vector2d(mu * nearest / length * pt) : Vector2d::Zero(), p);
  }

  const Scaled& s_;
  const Modes& modes_;
  std::vector<int> rows_, contact_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd r_;
  LeastNorm least_;
};

ContactSolution solve_linear(const Scaled& s, const Modes& modes) { return ModeEquations(s, modes).smallest(); }

// The same with the directions in which contacts slip in space: each is that of xi_t, which the others change.
ContactSolution solve_directions(const Scaled& s, Modes modes) {
  ContactSolution solution = solve_linear(s, modes);
  for (int pass = 0; pass < most_turns; ++pass) {
    // The velocities that these forces leave; the drag of each contact that slips turns against its slip.
    const Eigen::VectorXd xi = s.b + s.A * solution.p;
    double turned = 0;
    for (int i = 0; i < s.count(); ++i) {
      if (!s.in_space(i) || sense(modes.state[place(i)]) == 0 || !s.may(i, ContactState::stick)) continue;
      const Vector2d slip = s.tangential(xi, i), was = modes.along[place(i)];
      if (!(slip.norm() > violated * s.size)) continue;
      modes.along[place(i)] = slip.normalized();
      turned = std::max(turned, (modes.along[place(i)] - was).norm());
    }
    // No direction has changed, or only by round-off.
    if (turned == 0) break;
    solution = solve_linear(s, modes);
    if (turned < settled) break;
  }
  return solution;
}

bool holds(const Scaled& s, const ContactSolution& solution, double tolerance = violated) {
  const Eigen::VectorXd xi = s.b + s.A * solution.p;
  const double least = tolerance * s.size, least_p = tolerance * std::max(s.size, solution.p.cwiseAbs().maxCoeff());
  for (int i = 0; i < s.count(); ++i) {
    const ContactState state = solution.state[place(i)];
    const double pn = solution.p[2 * i], pt = s.tangential(solution.p, i).norm();
    const Vector2d slip = s.tangential(xi, i);
    // No surface enters another one, none pulls, and those that push stay in contact.
    if (xi[2 * i] < -least || pn < -least_p) return false;
    if (state != ContactState::open && std::abs(xi[2 * i]) > least) return false;
    if (!s.has_friction(i) || state == ContactState::open) continue;
    // What sticks stays within the cone and does not slide.
    if (state == ContactState::stick && (pt > s.mu[i] * pn + least_p || slip.norm() > least)) return false;
    if (sense(state) == 0 || !s.may(i, ContactState::stick)) continue;
    // What slips does so against its drag.
    const Vector2d along = sense(state) * solution.along[place(i)];
    if (slip.dot(along) < -least || (slip - slip.dot(along) * along).norm() > least) return false;
  }
  return true;
}

// Of contacts that stick the smallest forces may leave cones of friction where others give the same motion.
ContactSolution within_cones(const Scaled& s, ContactSolution solution) {
  bool sticks = false;
  for (int i = 0; i < s.count(); ++i) sticks = sticks || s.sticks(i, solution.state[place(i)]);
  const Modes modes{solution.state, solution.along};
  if (sticks) solution.p = ModeEquations(s, modes).within_cones(solution.p);
  solution.found = sticks && solution.p.allFinite() && holds(s, solution);
  return solution;
}

// Without those that would pull, the worst first: smallest forces may pull where others that push give the same motion.
ContactSolution solve_pushing(const Scaled& s, Modes modes) {
  for (int pass = 0; pass <= s.count(); ++pass) {
    ContactSolution solution = solve_directions(s, modes);
    if (!solution.undetermined || holds(s, solution)) return solution;
    if (ContactSolution inside = within_cones(s, solution); inside.found) return inside;
    int worst = -1;
    for (int i = 0; i < s.count(); ++i)
      if (solution.p[2 * i] < (worst < 0 ? 0 : solution.p[2 * worst])) worst = i;
    if (worst < 0) return solution;
    modes.state[place(worst)] = ContactState::open;
  }
  return {};
}

// Contacts of one body that slip without sliding may as well stick: where all of them can, none is at its limit.
ContactSolution sticking(const Scaled& s, const ContactSolution& solution) {
  const Eigen::VectorXd xi = s.b + s.A * solution.p;
  Modes modes{solution.state, solution.along};
  for (int i = 0; i < s.count(); ++i)
    if (sense(modes.state[place(i)]) != 0 && s.may(i, ContactState::stick) &&
        s.tangential(xi, i).norm() <= violated * s.size)
      modes.state[place(i)] = ContactState::stick;
  if (modes.state == solution.state) return solution;
  const ContactSolution sticks = solve_directions(s, modes);
  return sticks.p.allFinite() && holds(s, sticks) ? sticks : solution;
}

// At an event a contact is at a limit of its state: what it does next is beyond it, where that gives the same motion.
ContactSolution released(const Scaled& s, ContactSolution solution) {
  const double least = at_limit * solution.p.cwiseAbs().maxCoeff();
  for (int i = 0; i < s.count(); ++i) {
    const double pn = solution.p[2 * i];
    const Vector2d pt = s.tangential(solution.p, i);
    Modes modes{solution.state, solution.along};
    ContactState& state = modes.state[place(i)];
    // A force of zero may open; one on the cone may slip against the force.
    if (state != ContactState::open && pn <= least) {
      state = ContactState::open;
    } else if (s.sticks(i, state) && pt.norm() >= s.mu[i] * pn - least) {
      state = s.in_space(i) || pt.x() < 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
      if (s.in_space(i) && pt.norm() > 0) modes.along[place(i)] = -pt.normalized();
    } else {
      continue;
    }
    // The new state counts only where it solves the whole problem.
    if (const ContactSolution next = solve_directions(s, modes); next.p.allFinite() && holds(s, next)) solution = next;
  }
  return solution;
}

// The iteration may go round in circles between contacts that strongly depend on each other. A few contacts have few states: one after the
// other is tried, those that push first.
ContactSolution enumerated(const Scaled& s) {
  constexpr ContactState states[] = {ContactState::stick, ContactState::slip_forwards, ContactState::slip_backwards,
                                     ContactState::open};
  const int n = s.count();
  if (n > most_enumerated) return {};
  Modes modes{States(place(n)), std::vector<Vector2d>(place(n), Vector2d::UnitX())};
  // In space a slip begins in the direction of the velocity without forces.
  for (int i = 0; i < n; ++i)
    if (s.in_space(i))
      modes.along[place(i)] = s.may(i, ContactState::stick) ? s.tangential(s.b, i).stableNormalized() : s.along(i);
  // Two binary digits of the code are the state of one contact.
  for (int code = 0; code < 1 << (2 * n); ++code) {
    bool possible = true;
    for (int i = 0; i < n; ++i) {
      const ContactState state = states[code >> (2 * i) & 3];
      modes.state[place(i)] = state;
      possible = possible && s.may(i, state) && !(s.in_space(i) && state == ContactState::slip_backwards);
    }
    if (!possible) continue;
    if (const ContactSolution solution = solve_directions(s, modes); solution.p.allFinite() && holds(s, solution))
      return solution;
  }
  return {};
}

// Some slips, and not all of them touch without friction.
bool any_slips(const Scaled& s, const Modes& modes) {
  for (int i = 0; i < s.count(); ++i)
    if (sense(modes.state[place(i)]) != 0 && s.mu[i] > 0) return true;
  return false;
}

bool accelerate(const Scaled& s, const Eigen::MatrixXd& forces) {
  return forces.cols() > 0 && (s.A * forces).cwiseAbs().maxCoeff() > other_motion * forces.cwiseAbs().maxCoeff();
}

// Contacts that touch without a force may push as well: they slip as they would.
std::vector<int> take_touching(const Scaled& s, const ContactSolution& solution, Modes& modes) {
  const Eigen::VectorXd xi = s.b + s.A * solution.p;
  std::vector<int> touching;
  for (int i = 0; i < s.count(); ++i) {
    const auto k = place(i);
    if (modes.state[k] != ContactState::open || std::abs(xi[2 * i]) > violated * s.size) continue;
    const Vector2d slip = s.tangential(xi, i);
    // Without friction to stick is to push; else it slips as it slides, or as it already did.
    if (!s.has_friction(i)) {
      modes.state[k] = ContactState::stick;
    } else if (!s.may(i, ContactState::stick)) {
      modes.state[k] =
          s.may(i, ContactState::slip_forwards) ? ContactState::slip_forwards : ContactState::slip_backwards;
      modes.along[k] = s.along(i);
    } else if (slip.norm() > violated * s.size) {
      modes.state[k] = s.in_space(i) || slip.x() > 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
      if (s.in_space(i)) modes.along[k] = slip.normalized();
    } else {
      continue;
    }
    touching.push_back(i);
  }
  return touching;
}

// Forces among the columns in which contacts that touch push: by projections onto the columns and onto those in turn.
Eigen::VectorXd pushing_forces(const Eigen::MatrixXd& forces, const std::vector<int>& touching) {
  constexpr int most_passes = 500;
  LeastNorm columns;
  columns.factor(forces);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(forces.rows());
  for (const int i : touching) p[2 * i] = 1;
  for (int pass = 0; pass < most_passes; ++pass) {
    // Onto the combinations of the columns, then onto forces that push.
    p = forces * columns.solve(p);
    bool push = true;
    for (const int i : touching)
      if (p[2 * i] < 0) push = push && p[2 * i] > -other_motion, p[2 * i] = 0;
    if (push) break;
  }
  return forces * columns.solve(p);
}

bool leaves_motion_open(const Scaled& s, const ContactSolution& solution) {
  Modes modes{solution.state, solution.along};
  if (any_slips(s, modes) && accelerate(s, ModeEquations(s, modes).undetermined_forces())) return true;
  const std::vector<int> touching = take_touching(s, solution, modes);
  if (touching.empty() || !any_slips(s, modes)) return false;
  const Eigen::MatrixXd forces = ModeEquations(s, modes).undetermined_forces();
  if (!accelerate(s, forces)) return false;
  const Eigen::VectorXd p = pushing_forces(forces, touching);
  for (const int i : touching)
    if (p[2 * i] < -other_motion) return false;
  return p.cwiseAbs().maxCoeff() > other_motion && accelerate(s, p);
}

ContactSolution unscaled(const Scaled& s, ContactSolution solution) {
  solution.leaves_motion_open = solution.found && leaves_motion_open(s, solution);
  solution.p = solution.p.cwiseQuotient(s.scale).eval();
  return solution;
}

}  // namespace

bool leaves_motion_open(const ContactProblem& problem, const ContactSolution& states) {
  const Scaled s(problem);
  const Modes modes{states.state, states.along};
  return any_slips(s, modes) && accelerate(s, ModeEquations(s, modes).undetermined_forces());
}

ContactSolution solve(const ContactProblem& problem) {
  const int n = static_cast<int>(problem.mu.size());
  Modes modes{States(place(n), ContactState::open), std::vector<Vector2d>(place(n), Vector2d::UnitX())}, tried;
  if (n == 0) return {true, modes.state, {}};
  const Scaled s(problem);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(s.b.size());
  bool undetermined = true;
  for (int k = 1; k <= most_contact_sweeps; ++k) {
    sweep(s, p, modes);
    if (k % sweeps_between_looks == 0)
      if (ContactSolution solution{true, modes.state, p, undetermined, modes.along};
          p.allFinite() && holds(s, solution))
        return unscaled(s, std::move(solution));
    if (k == sweeps_before_trying && n <= few_contacts)
      if (ContactSolution solution = enumerated(s); solution.found)
        return unscaled(s, released(s, sticking(s, solution)));
    // looked at again where the iteration has found something else
    const bool same = modes.state == tried.state && (modes.along == tried.along || k % sweeps_between_looks != 0);
    if (same) continue;
    tried = modes;
    ContactSolution solution = solve_pushing(s, modes);
    undetermined = solution.undetermined;
    if (!solution.found || !solution.p.allFinite() || !holds(s, solution)) continue;
    return unscaled(s, released(s, sticking(s, solution)));
  }
  ContactSolution solution = enumerated(s);
  if (!solution.found) solution = {true, modes.state, p, undetermined, modes.along};
  solution.found = solution.p.allFinite() && holds(s, solution, nearly);
  return unscaled(s, std::move(solution));
}

}  // namespace armature::internal
