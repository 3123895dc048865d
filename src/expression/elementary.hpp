// sin, cos, exp and atan2 of our own, over arrays: every lane width, the interpreter and the machine code use these, so that a
// result has the same bits wherever it is computed. Only +, -, *, /, comparison and integer operations occur, never a fused
// multiply-add; the compiler may use any vector width.
//
// Error, measured against long double: exp at most 1.1 units in the last place; sin and cos 1.6 for |x| <= 100 and 2.5 for
// |x| <= 5e5, 1.6e-16 in absolute terms; atan2 2.0. Beyond that, for exp outside [-708, 709], and for atan2 where the larger
// number is outside [1e-150, 1e150], the C library is asked.
#pragma once

namespace armature::elementary {

// y[i] = sin x[i] and so on; y does not overlap x.
void sin(const double* x, double* y, long n);
void cos(const double* x, double* y, long n);
void sin_cos(const double* x, double* sine, double* cosine, long n);
void exp(const double* x, double* y, long n);
void atan2(const double* y, const double* x, double* angle, long n);

double sin(double x);
double cos(double x);
double exp(double x);
double atan2(double y, double x);

}  // namespace armature::elementary
