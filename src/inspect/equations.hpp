// The equations of a small model in the form in which the literature prints them:
//
//   M(q) v' + C(q, v) v + D v + K q + g(q) = B u + Q - Phi' lambda,    phi(t, q) = 0,    Phi v' = gamma
//
// C by Christoffel's symbols, c_ij = 1/2 sum_k (dm_ij/dq_k + dm_ik/dq_j - dm_jk/dq_i) v_k, so that dM/dt - 2 C is
// skew-symmetric. D comes from dampers and the motors' back-EMF, K from the part of dV/dq that is linear in q, g is
// the rest of dV/dq. u are the motors' voltages (or currents, where these are states) and parameters that stand for
// inputs: those that occur in the forces only, to first degree. Q is what is left. Parameters stay symbols, but for
// those that are zero.
#pragma once

#include <string>
#include <vector>

#include "inspect/printing_style.hpp"
#include "model/model.hpp"

namespace armature::internal {

struct PrintedEquations {
  std::string name;
  std::vector<std::string> coordinates, rates, inputs, rows, states;  // names of q, v, u, phi, z
  // further quantities that stand in the equations: outputs of sampled controllers, and what changes at events only
  std::vector<std::string> held;
  std::vector<std::pair<std::string, double>> parameters;  // symbols with their values
  PrintingAlgebra algebra;
  bool has_christoffel = true;  // false: quaternions; then C is empty and Q holds all of f

  // row by row
  std::vector<PrintingSum> M, C, D, K, g, B, Q;
  std::vector<PrintingSum> phi, Phi, gamma;
  std::vector<PrintingSum> zdot;  // rates of other states
};

// Throws ModelError; std::length_error (a sentence) where a matrix has too many terms to be read; std::overflow_error where a
// coefficient is infinite.
PrintedEquations printed_equations(const Model& model);

// The whole as a page of text or LaTeX, or as a function in C or Python. (equations_page.cpp, equations_code.cpp)
std::string equations_text(const PrintedEquations& equations);
std::string equations_latex(const PrintedEquations& equations);
std::string equations_code(const PrintedEquations& equations, PrintingStyle language);

}  // namespace armature::internal
