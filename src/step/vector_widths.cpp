// The arithmetic of steps, one version of each function for every vector width of the machine: the loader picks the best.
#include "step/vector_widths.hpp"

#include "step/arithmetic.hpp"
#include "step/pivots.hpp"

#ifdef ARMATURE_VECTOR_WIDTH_CALLS

namespace armature::step::vector_widths {

ARMATURE_VECTOR_WIDTHS void combine(int n, const plain::Combination<1>& combination) {
  plain::combine<1>(n, combination);
}
ARMATURE_VECTOR_WIDTHS void error_norm(int n, double rtol, const Row<1>* atol, const Row<1>* error, const Row<1>* x0,
                                       const Row<1>* x1, Row<1>& norm) {
  plain::error_norm<1>(n, rtol, atol, error, x0, x1, norm);
}
ARMATURE_VECTOR_WIDTHS void combine(int n, const plain::Combination<8>& combination) {
  plain::combine<8>(n, combination);
}
ARMATURE_VECTOR_WIDTHS void error_norm(int n, double rtol, const Row<8>* atol, const Row<8>* error, const Row<8>* x0,
                                       const Row<8>* x1, Row<8>& norm) {
  plain::error_norm<8>(n, rtol, atol, error, x0, x1, norm);
}
ARMATURE_VECTOR_WIDTHS void dense_ends(int n, const Row<8>& h, const Row<8>* x0, const Row<8>* x1, const Row<8>* f0,
                                       const Row<8>* f1, Row<8>* F) {
  plain::dense_ends<8>(n, h, x0, x1, f0, f1, F);
}
ARMATURE_VECTOR_WIDTHS void dense_value(int n, int columns, const Row<8>& theta, const Row<8>* F, const Row<8>* x0,
                                        Row<8>* x) {
  plain::dense_value<8>(n, columns, theta, F, x0, x);
}
ARMATURE_VECTOR_WIDTHS void dense_powers(int n, int columns, int e, const Row<8>* F, const Row<8>* x0, Row<8>* p) {
  plain::dense_powers<8>(n, columns, e, F, x0, p);
}
ARMATURE_VECTOR_WIDTHS void add(int n, const Row<8>& c, const Row<8>* y, Row<8>* x) { plain::add<8>(n, c, y, x); }
ARMATURE_VECTOR_WIDTHS void largest(int n, const Row<8>* x, Row<8>& size) { plain::largest<8>(n, x, size); }
ARMATURE_VECTOR_WIDTHS void largest_times(int n, const Row<8>* x, const Row<8>* f, Row<8>& size) {
  plain::largest_times<8>(n, x, f, size);
}
ARMATURE_VECTOR_WIDTHS void copy(Mask<8> lanes, int n, const Row<8>* from, Row<8>* to) {
  plain::copy<8>(lanes, n, from, to);
}
ARMATURE_VECTOR_WIDTHS void add_to(Mask<8> lanes, int n, const Row<8>* y, Row<8>* x) {
  plain::add_to<8>(lanes, n, y, x);
}
ARMATURE_VECTOR_WIDTHS Mask<8> finite(int n, const Row<8>* x) { return plain::finite<8>(n, x); }
ARMATURE_VECTOR_WIDTHS Mask<8> different(int n, const Row<8>* a, const Row<8>* b) {
  return plain::different<8>(n, a, b);
}

ARMATURE_VECTOR_WIDTHS Mask<8> pivot_ratios(int nv, int m, const Row<8>* mass, const Row<8>* pivots,
                                            const Row<8>* scales, Row<8>& ratio) {
  return plain::pivot_ratios<8>(nv, m, mass, pivots, scales, ratio);
}
ARMATURE_VECTOR_WIDTHS Mask<8> regular(int nv, int m, const Row<8>* mass, const Row<8>* pivots, const Row<8>* scales,
                                       double least) {
  return plain::regular<8>(nv, m, mass, pivots, scales, least);
}

}  // namespace armature::step::vector_widths

#endif
