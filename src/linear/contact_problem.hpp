// Impulses of contacts at an impact, or their forces, with dry friction:
//
//   xi = b + A p
//   normal        xi_n >= 0,  p_n >= 0,  xi_n p_n = 0
//   tangential    |p_t| <= mu p_n;  xi_t = 0 inside, else p_t = -mu p_n xi_t/|xi_t|
//
// b and A belong to rows, two a contact: 2 i normal, 2 i + 1 tangential. In space xi_t and p_t are vectors along two tangents, and the rows
// of the second ones stand behind those of all contacts. A is symmetric and positive semidefinite: G M^-1 G' along the constraints.
//
// Gauss and Seidel's iteration, contact by contact, finds which contacts push, stick and slip; with that known the equations are linear, and
// solved exactly; directions of sliding in space follow in a few such solves. Where the equations leave forces undetermined, these are the
// smallest in the kinetic metric, of those contacts that can push. Where the smallest forces leave the cones of friction, forces of the same
// motion within the cones are found by projections. Others may give another motion, through friction (leaves_motion_open).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace armature::internal {

enum class ContactState : char {
  open,
  stick,
  slip_forwards,
  slip_backwards
};  // forwards: xi_t > 0, so that p_t < 0; in space always that

struct ContactProblem {
  // What a contact may do besides staying open.
  enum class Friction : char {
    none,
    any,
    forwards,
    backwards
  };  // none: p_t = 0; forwards, backwards: it slides that way
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::VectorXd mu;              // one a contact
  std::vector<Friction> friction;  // one a contact
  // In space; empty: all contacts have one tangent.
  std::vector<int> second = {};             // of each contact: the row of its second tangent; -1: it has one
  std::vector<Eigen::Vector2d> along = {};  // of each that slides: the direction of xi_t
};

struct ContactSolution {
  bool found = false;
  std::vector<ContactState> state;
  Eigen::VectorXd p;
  bool undetermined = false;                // other forces satisfy the contacts, too
  std::vector<Eigen::Vector2d> along = {};  // of each that slips: the direction of xi_t along its tangents
  bool leaves_motion_open = false;          // some of the other forces give another motion
};

ContactSolution solve(const ContactProblem& problem);

// Whether contacts in these states leave the motion open. Forces z that the equations of the states do not determine,
//
//   A_n (z_n + friction of z_n) = 0   on the rows that push or stick,
//
// cancel along the normals. Where contacts slide in different directions their friction does not: A (z_n + friction of z_n) is not zero.
bool leaves_motion_open(const ContactProblem& problem, const ContactSolution& states);

}  // namespace armature::internal
