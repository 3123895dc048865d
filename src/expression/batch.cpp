#include "expression/batch.hpp"

#include <cmath>

#include "expression/elementary.hpp"

namespace armature {

namespace {

template <double (*f)(double)>
void each(const double* x, double* y, long n) {
  for (long i = 0; i < n; ++i) y[i] = f(x[i]);
}

template <double (*f)(double, double)>
void pairs(const double* x1, const double* x2, double* y, long n) {
  for (long i = 0; i < n; ++i) y[i] = f(x1[i], x2[i]);
}

}  // namespace

UnaryBatch unary_batch(Op op) {
  switch (op) {
    case Op::sin: return elementary::sin;
    case Op::cos: return elementary::cos;
    case Op::exp: return elementary::exp;
    case Op::tan: return each<std::tan>;
    case Op::asin: return each<std::asin>;
    case Op::acos: return each<std::acos>;
    case Op::atan: return each<std::atan>;
    case Op::sinh: return each<std::sinh>;
    case Op::cosh: return each<std::cosh>;
    case Op::tanh: return each<std::tanh>;
    case Op::log: return each<std::log>;
    default: return nullptr;
  }
}

BinaryBatch binary_batch(Op op) {
  switch (op) {
    case Op::atan2: return pairs<std::atan2>;
    case Op::pow: return pairs<std::pow>;
    default: return nullptr;
  }
}

}  // namespace armature
