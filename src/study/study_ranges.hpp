// Ranges of a program's outputs over parts of a step, on a card: what events/path_ranges.hpp is on the processor.
//
// Program, which range_code.cpp writes:
//   slots, entry_count, held_count, constant_count, time     sizes; the slot of time, -1: it is not read
//   entries[], held[]                                        {input, slot} of states, and of what is constant in a step
//   constants[], output_slots[]                              {slot, number}; the slot of each output
//   run(EnclosureSlots&)                                     all operations
#pragma once

#include "step/called.hpp"
#include "step/dense_output.hpp"
#include "step/enclosure.hpp"

namespace armature::step {

struct RangePlace {
  int input, slot;
};
struct RangeConstant {
  int slot;
  double number;
};

// The values of a program, operation by operation. Each operation is a function: programs are long, and ranges take many instructions.
template <class Functions>
class EnclosureSlots {
 public:
  ARMATURE_STEP EnclosureSlots(Enclosure* slots, double half_span) : s_(slots), half_span_(half_span) {}

  ARMATURE_CALLED void add(int to, int a, int b) { set(to, sum(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void sub(int to, int a, int b) { set(to, difference(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void mul(int to, int a, int b) {
    set(to, a == b ? squared(s_[a]) : product(s_[a], s_[b]), size(a) + size(b));
  }
  ARMATURE_CALLED void div(int to, int a, int b) { set(to, quotient(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void kept_above(int to, int a, int b) { set(to, step::kept_above(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void kept_below(int to, int a, int b) { set(to, step::kept_below(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void atan2(int to, int a, int b) { set(to, arc_tangent<Functions>(s_[a], s_[b]), size(a) + size(b)); }
  ARMATURE_CALLED void select(int to, int a, int b, int c) {
    set(to, choice(s_[a], s_[b], s_[c]), size(a) + size(b) + size(c));
  }
  ARMATURE_CALLED void neg(int to, int a) { set(to, negated(s_[a]), size(a)); }
  ARMATURE_CALLED void sqrt(int to, int a) { set(to, rooted(s_[a]), size(a)); }
  ARMATURE_CALLED void sin(int to, int a) { set(to, sine<Functions>(s_[a]), size(a)); }
  ARMATURE_CALLED void cos(int to, int a) { set(to, cosine<Functions>(s_[a]), size(a)); }
  ARMATURE_CALLED void exp(int to, int a) { set(to, exponential<Functions>(s_[a]), size(a)); }

 private:
  ARMATURE_STEP double size(int slot) const { return s_[slot].value.size(); }
  ARMATURE_STEP void set(int to, const Enclosure& result, double operands) {
    s_[to] = closed(result, half_span_, operands);
  }

  Enclosure* s_;
  double half_span_;
};

template <class Program, class Functions>
class StudyRanges {
 public:
  // in: inputs of the model; of t and x nothing is read.
  ARMATURE_STEP void begin(const DenseOutput<1>& dense, const Ends<1>& ends, const double* in) {
    t0_ = ends.t0[0], t1_ = ends.t1[0], order_ = dense.columns();
    for (int i = 0; i < Program::constant_count; ++i)
      slots_[Program::constants[i].slot] = Enclosure::point(Program::constants[i].number);
    for (int i = 0; i < Program::held_count; ++i)
      slots_[Program::held[i].slot] = Enclosure::point(in[Program::held[i].input]);
    for (int i = 0; i < Program::entry_count; ++i) dense.powers(Program::entries[i].input - 1, ends.x0, powers_[i]);
  }
  ARMATURE_CALLED void find(double from, double to) {
    const double h = unit(), u = (0.5 * (from + to) - 0.5 * (t0_ + t1_)) / h, r = 0.5 * (to - from) / h;
    if (Program::time >= 0) slots_[Program::time] = {0.5 * (from + to), {from, to}, Range::point(h)};
    for (int i = 0; i < Program::entry_count; ++i) {
      double p[most];
      for (int k = 0; k <= order_; ++k) p[k] = powers_[i][k][0];
      if (u != 0) shift_polynomial(p, order_, u);
      slots_[Program::entries[i].slot] = enclosed_polynomial(p, order_, r);
    }
    EnclosureSlots<Functions> slots(slots_, r);
    Program::run(slots);
  }
  ARMATURE_STEP const Enclosure& operator[](int output) const { return slots_[Program::output_slots[output]]; }
  ARMATURE_STEP double unit() const { return t1_ - t0_; }  // of time, in which rates are measured

 private:
  static constexpr int most = 9;  // coefficients of a step's polynomial
  double t0_, t1_;
  int order_;
  Row<1> powers_[Program::entry_count + 1][most];
  Enclosure slots_[Program::slots + 1];
};

}  // namespace armature::step
