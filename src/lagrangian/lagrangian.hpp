// A model given by its energies, turned into equations by Lagrange's equations of the second kind with multipliers:
//
//   d/dt dT/dv - dT/dq + dV/dq + dD/dv = Q - Phi' lambda
//
// With T of second degree in v this is  M vdot = f - Phi' lambda,  where
//
//   M = d2T/dv2,   f = -(d(dT/dv)/dt at vdot = 0) + dT/dq - dV/dq - dD/dv + Q.
//
// All derivatives are exact (expression/derivative). Nothing of this needs T to be free of t: a T that depends on t may
// also have terms of first and zeroth degree in v.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

class FormulaUnits;

class Lagrangian {
 public:
  Lagrangian(const Model& model, Equations& equations);

  void add_coordinates();
  void add_energies();     // T, V, D as expressions
  void add_constraints();  // of the section, and prescribed ones of the model
  void add_forces();       // of the section, and those on coordinates of the model
  void finish();           // M, f, energies

  EquationsBuilder& builder() { return builder_; }

 private:
  void add_force(const LagrangianSection::Force& force);
  void add_row_of(const LagrangianSection::Constraint& constraint, const FormulaUnits& units);
  void check_kinetic(const std::vector<Expression>& hessian);

  EquationsBuilder builder_;
  Equations& eq_;
  const LagrangianSection& section_;
  Expression T_ = 0.0, V_ = 0.0, D_ = 0.0;
};

// Throws ModelError.
std::shared_ptr<Equations> build_lagrangian(const Model& model, const std::vector<std::string>& free_parameters = {},
                                            const ElementAdder& add_elements = {});

// What is wrong with T as a kinetic energy: not a quadratic form of v, or M not positive definite (M: the Hessian of T
// and the inertia of drives); with the state and the coordinate at which it shows. Empty: nothing. (kinetic_form.cpp)
std::string fault_of_kinetic(const Model& model, const Equations& equations, Expression T,
                             const std::vector<Expression>& hessian);

// Velocities such that M factors with little fill: next always the one with the fewest neighbors.
// (elimination_order.cpp)
std::vector<int> fill_reducing_order(const ExpressionMatrix& M);

}  // namespace armature::internal
