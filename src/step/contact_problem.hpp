// Impulses of contacts at an impact, or their forces, with dry friction:
//
//   xi = b + A p
//   normal        xi_n >= 0,  p_n >= 0,  xi_n p_n = 0
//   tangential    |p_t| <= mu p_n;  xi_t = 0 inside, else p_t = -mu p_n xi_t/|xi_t|
//
// b and A belong to rows, two a contact: 2 i normal, 2 i + 1 tangential. In space xi_t and p_t are vectors along two tangents, and the rows
// of the second ones stand behind those of all contacts. A is symmetric and positive semidefinite: G M^-1 G' along the constraints.
//
// Here is the problem; contact_iteration.hpp finds what each contact does, contact_equations.hpp solves the linear equations that follow,
// contact_solver.hpp puts them together.
#pragma once

#include "step/called.hpp"
#include "step/scalar.hpp"

namespace armature::step {

// forwards: xi_t > 0, so that p_t < 0; in space always that.
enum class ContactState : int { open, stick, slip_forwards, slip_backwards };
// What a contact may do besides staying open. none: p_t = 0; forwards, backwards: it slides that way.
enum class ContactFriction : int { none, any, forwards, backwards };

// Along both tangents of a contact; the second number is zero where there is one tangent.
struct Tangential {
  double x = 1, y = 0;
};
ARMATURE_STEP Tangential operator*(double c, Tangential a) { return {c * a.x, c * a.y}; }
ARMATURE_STEP Tangential operator-(Tangential a, Tangential b) { return {a.x - b.x, a.y - b.y}; }
ARMATURE_STEP double dot(Tangential a, Tangential b) { return a.x * b.x + a.y * b.y; }
ARMATURE_STEP double length(Tangential a) { return square_root(dot(a, a)); }
ARMATURE_STEP Tangential direction_of(Tangential a) {  // of nothing: nothing
  const double most = larger(absolute(a.x), absolute(a.y));
  if (!(most > 0)) return a;
  const Tangential unit = 1 / most * a;
  return 1 / length(unit) * unit;
}

// What a contact does: its state and, where it slips, the direction of xi_t. Along one tangent that is (1, 0), with the state's sense.
struct ContactMode {
  ContactState state = ContactState::open;
  Tangential along;
};
ARMATURE_STEP bool operator==(const ContactMode& a, const ContactMode& b) {
  return a.state == b.state && a.along.x == b.along.x && a.along.y == b.along.y;
}
ARMATURE_STEP double sense(ContactState state) {
  return state == ContactState::slip_forwards ? 1 : state == ContactState::slip_backwards ? -1 : 0;
}

struct ContactKind {
  ContactFriction friction = ContactFriction::none;
  int second = -1;   // the row of its second tangent; -1: it has one
  Tangential along;  // in space, of one that slides: the direction of xi_t
};

// Contacts in some modes, with their p.
struct ContactSolution {
  bool found = false;
  bool undetermined = false;  // other forces satisfy the contacts, too
  ContactMode* modes = nullptr;
  double* p = nullptr;
};

namespace contact {
inline constexpr double violated = resolved(1e-9);             // of the largest row: a condition that does not hold
inline constexpr double dependent_contacts = resolved(1e-10);  // a pivot of the rows that push, against the largest
inline constexpr double settled =
    resolved(1e-15);  // of forces, or of a direction: passes that change less are the last
}  // namespace contact

class ContactProblem {
 public:
  ARMATURE_STEP static int numbers(int contacts, int rows) { return rows * rows + 3 * rows + contacts; }
  ARMATURE_STEP ContactProblem(int contacts, int rows, double* numbers, ContactKind* kinds)
      : A(numbers), b(A + rows * rows), mu(b + rows), xi_(mu + contacts), scale_(xi_ + rows), kind(kinds) {}

  ARMATURE_STEP void begin(int contacts, int rows) { count = contacts, this->rows = rows; }
  ARMATURE_STEP double a(int i, int j) const { return A[i * rows + j]; }

  // Rows over the square roots of their diagonals: without units, and with a diagonal of ones. Both tangents of a contact have one scale.
  ARMATURE_CALLED void scale() {
    for (int k = 0; k < rows; ++k) scale_[k] = square_root(larger(a(k, k), 0));
    for (int i = 0; i < count; ++i)
      if (in_space(i)) scale_[2 * i + 1] = scale_[second(i)] = larger(scale_[2 * i + 1], scale_[second(i)]);
    for (int k = 0; k < rows; ++k)
      if (!(scale_[k] > 0)) scale_[k] = 1;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) A[i * rows + j] = 1 / scale_[i] * a(i, j) * (1 / scale_[j]);
    size = 0;
    for (int k = 0; k < rows; ++k) b[k] = b[k] * (1 / scale_[k]), size = larger(size, absolute(b[k]));
    for (int i = 0; i < count; ++i) mu[i] = mu[i] * scale_[2 * i + 1] / scale_[2 * i];
  }
  ARMATURE_STEP void take_scale_back(double* p) const {
    for (int k = 0; k < rows; ++k) p[k] = p[k] / scale_[k];
  }

  ARMATURE_STEP bool may(int i, ContactState state) const {
    const ContactFriction friction = kind[i].friction;
    if (friction == ContactFriction::any || state == ContactState::open) return true;
    return state == (friction == ContactFriction::none       ? ContactState::stick
                     : friction == ContactFriction::forwards ? ContactState::slip_forwards
                                                             : ContactState::slip_backwards);
  }
  ARMATURE_STEP bool has_friction(int i) const { return kind[i].friction != ContactFriction::none; }
  ARMATURE_STEP bool sticks(int i, ContactState state) const { return state == ContactState::stick && has_friction(i); }
  ARMATURE_STEP bool in_space(int i) const { return kind[i].second >= 0; }
  ARMATURE_STEP int second(int i) const { return kind[i].second; }

  ARMATURE_STEP Tangential tangential(const double* numbers, int i) const {
    return {numbers[2 * i + 1], in_space(i) ? numbers[second(i)] : 0};
  }
  ARMATURE_STEP void set_tangential(int i, Tangential value, double* numbers) const {
    numbers[2 * i + 1] = value.x;
    if (in_space(i)) numbers[second(i)] = value.y;
  }
  ARMATURE_STEP double xi(int row, const double* p) const { return b[row] + product(row, p); }
  ARMATURE_STEP double product(int row, const double* p) const {
    double sum = 0;
    for (int j = 0; j < rows; ++j) sum += a(row, j) * p[j];
    return sum;
  }
  // They stay until the next call.
  ARMATURE_STEP const double* all_xi(const double* p) const {
    for (int k = 0; k < rows; ++k) xi_[k] = xi(k, p);
    return xi_;
  }

  // Whether all conditions hold.
  ARMATURE_CALLED bool holds(const ContactSolution& solution, double tolerance = contact::violated) const {
    const double* xi = all_xi(solution.p);
    double largest_p = 0;
    for (int k = 0; k < rows; ++k) largest_p = larger(largest_p, absolute(solution.p[k]));
    const double least = tolerance * size, least_p = tolerance * larger(size, largest_p);
    for (int i = 0; i < count; ++i) {
      const ContactState state = solution.modes[i].state;
      const double pn = solution.p[2 * i], pt = length(tangential(solution.p, i));
      const Tangential slip = tangential(xi, i);
      // what pushes does not move along its normal
      if (xi[2 * i] < -least || pn < -least_p) return false;
      if (state != ContactState::open && absolute(xi[2 * i]) > least) return false;
      if (!has_friction(i) || state == ContactState::open) continue;
      // what sticks is inside its cone, and what slips goes against its friction
      if (state == ContactState::stick && (pt > mu[i] * pn + least_p || length(slip) > least)) return false;
      if (sense(state) == 0 || !may(i, ContactState::stick)) continue;
      const Tangential along = sense(state) * solution.modes[i].along;
      if (dot(slip, along) < -least || length(slip - dot(slip, along) * along) > least) return false;
    }
    return true;
  }

  int count = 0, rows = 0;
  double *A, *b, *mu;  // A: row by row; mu: one a contact

 private:
  double *xi_, *scale_;

 public:
  ContactKind* kind;  // one a contact
  double size = 0;    // the largest |b|
};

}  // namespace armature::step
