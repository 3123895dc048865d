// Formulas of a model that may come and go within a step, although no comparison is in them: forces, potentials, prescribed motions and rates
// of states with functions that saturate, swing or grow without bound. A function shows all it can do while its argument moves by about one,
//
//     exp s, tanh s, atan s, sin s, cos s …:  s by 1,        1/s, s^n, log s:  s by a factor,
//
// so a step in which no argument moves further follows the formula, and error control does its work (is_followed). In any other the formula may
// hide what the step has not seen: run/hidden_forces.hpp.
//
// Sines of plain sums of coordinates, functions that the mass matrix depends on and divisions by lengths are those of mechanisms: they are no
// narrower than the motion itself.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"
#include "step/enclosure.hpp"

namespace armature::internal {

struct NarrowTerms {
  // A function, whose argument (for pow: base) is an output.
  struct Gate {
    Op op;
    int argument;
    double exponent;
  };
  // A sum of outputs, what else the equation adds to it left out.
  struct Term {
    std::vector<int> outputs;
    std::vector<double> signs;
    std::vector<int> gates;
  };

  std::vector<Expression> outputs;  // of t, q, v, z, discrete values, outcomes and parameters
  std::vector<Gate> gates;
  std::vector<Term> terms;

  bool any() const { return !terms.empty(); }
};

NarrowTerms find_narrow_terms(const Equations& equations);

// Whether the function shows all that it does while its argument stays in this range.
bool is_followed(const NarrowTerms::Gate& gate, step::Range argument);

}  // namespace armature::internal
