// Formulas of a model that may come and go within a step, although no comparison is in them: forces, potentials, prescribed motions and rates
// of states with functions that saturate, swing or grow without bound. A function shows all it can do while its argument moves by about one,
//
//     exp s, tanh s, atan s, sin s, cos s …:  s by 1,        1/s, s^n, log s:  s by a factor,
//
// so a step in which no argument moves further follows the formula, and error control does its work. In any other the formula may
// hide what the step has not seen: step/narrow_forces.hpp.
//
// Sines of plain sums of coordinates, functions that the mass matrix depends on and divisions by lengths are those of mechanisms: they are no
// narrower than the motion itself.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"
#include "step/narrow_forces.hpp"

namespace armature::internal {

struct NarrowTerms {
  std::vector<Expression> outputs;  // of t, q, v, z, discrete values, outcomes and parameters

  // The lists of step::NarrowList. A term is a sum of outputs, what else the equation adds to it left out.
  std::vector<step::NarrowGate> gates;
  std::vector<step::NarrowTerm> terms;
  std::vector<int> term_outputs, term_gates;
  std::vector<double> term_signs;

  bool any() const { return !terms.empty(); }
  step::NarrowList list() const {
    return {gates.data(),        terms.data(),      static_cast<int>(terms.size()),
            term_outputs.data(), term_signs.data(), term_gates.data()};
  }
};

NarrowTerms find_narrow_terms(const Equations& equations);

}  // namespace armature::internal
