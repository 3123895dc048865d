#include "expression/batch.hpp"

#include <cmath>

#include "expression/elementary.hpp"

namespace armature::internal {

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
    case Op::atan2: return elementary::atan2;
    case Op::pow: return pairs<std::pow>;
    default: return nullptr;
  }
}

const char* function_name(Op op) {
  switch (op) {
    case Op::sqrt: return "sqrt";
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::atan2: return "atan2";
    case Op::pow: return "pow";
    case Op::kept_above: return "max";
    case Op::kept_below: return "min";
    case Op::select: return "if";
    case Op::table: return "table";
    default: return "";
  }
}

}  // namespace armature::internal
