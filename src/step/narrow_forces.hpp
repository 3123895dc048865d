// Whether a step passes over what a term of the equations does inside it (events/narrow_terms.hpp): a punch, a barrier, a resonance that is
// narrower than the step, or many periods of something fast. All stages of the step may see nothing of it, and then no error estimate does.
//
//   1. Ranges over the whole step say how far the arguments of the term's functions move. As a rule they move little, and that is all.
//   2. Else the moment is sought at which the term strays most from the line between both ends of the step: the step is halved again and
//      again, and ranges tell where the largest deviation may be, until a value within a factor of two of it is found.
//   3. There f is evaluated once. Where it contradicts the slope of dense output by more than the tolerance and the errors of states explain,
//      the step has missed it, and is taken again up to that moment. It then sees the term at its end, and error control does the rest.
#pragma once

#include "step/called.hpp"
#include "step/enclosure.hpp"
#include "step/table_stops.hpp"

namespace armature::step {

// A function that shows all it can do while its argument moves by about one, or by a factor.
enum class NarrowFunction { periodic, exponential, hyperbolic_tangent, arc_tangent, ratio, never };
struct NarrowGate {
  NarrowFunction function;
  int argument;       // an output
  double most_ratio;  // of arc_tangent, ratio: by which the argument's size may change
};
// A sum of outputs, and the functions in it: from these places of the lists on.
struct NarrowTerm {
  int output, output_count, gate, gate_count;
};
struct NarrowList {
  const NarrowGate* gates;
  const NarrowTerm* terms;
  int term_count;
  const int* outputs;   // of all terms
  const double* signs;  // of these outputs
  const int* of_terms;  // gates of all terms
};

namespace narrow {
inline constexpr double most_move = 1;   // of an argument, in which a function shows all that it does
inline constexpr double most_ratio = 4;  // of a divisor, or of a power's values
inline constexpr double saturated = 20;  // beyond it tanh is constant to round-off
inline constexpr double vanished = -80;  // below it exp adds nothing to any force
inline constexpr int most_ranges = 300;  // in the search for one term's deviation

// x from low to high is a change by less than a factor.
ARMATURE_STEP bool keeps_size(Range x, double ratio) {
  if (!(x.low > 0) && !(x.high < 0)) return false;
  return x.size() <= ratio * (x.low > 0 ? x.low : -x.high);
}
// Whether the function shows all that it does while its argument stays in this range.
ARMATURE_STEP bool is_followed(const NarrowGate& gate, Range x) {
  if (!x.bounded()) return false;
  const bool little = x.high - x.low <= most_move;
  switch (gate.function) {
    case NarrowFunction::exponential: return little || x.high < vanished;
    case NarrowFunction::hyperbolic_tangent: return little || x.low > saturated || x.high < -saturated;
    case NarrowFunction::arc_tangent: return little || keeps_size(x, gate.most_ratio);
    case NarrowFunction::ratio: return keeps_size(x, gate.most_ratio);
    case NarrowFunction::never: return false;
    case NarrowFunction::periodic: break;
  }
  return little;
}
}  // namespace narrow

// Parts of a step, the one in which a term may stray most first: a heap.
class NarrowPieces {
 public:
  struct Piece {
    double most, from, to;
  };
  ARMATURE_STEP const Piece& top() const { return pieces_[0]; }
  ARMATURE_STEP void push(const Piece& piece) { rise(count_++, piece); }
  ARMATURE_STEP void pop() {
    const Piece last = pieces_[--count_];
    int hole = 0;
    for (int child = 2; child <= count_; child = 2 * hole + 2) {
      if (child == count_ || pieces_[child].most < pieces_[child - 1].most) --child;
      pieces_[hole] = pieces_[child], hole = child;
    }
    rise(hole, last);
  }

 private:
  ARMATURE_STEP void rise(int hole, const Piece& piece) {
    for (int above = (hole - 1) / 2; hole > 0 && pieces_[above].most < piece.most; above = (hole - 1) / 2)
      pieces_[hole] = pieces_[above], hole = above;
    pieces_[hole] = piece;
  }

  int count_ = 0;
  Piece pieces_[narrow::most_ranges + 2];
};

// Steps end where a force was hidden, until that is reached.
class ForceStop {
 public:
  ARMATURE_STEP explicit ForceStop(StopMemory& memory) : t_(memory.force) {}
  ARMATURE_STEP double stop(double t) {
    if (!(t_ > t)) t_ = infinity;
    return t_;
  }
  // found: in the step from t0 to t1; whether that is taken again. One that was is at least halved.
  ARMATURE_STEP bool take(double found, double t0, double t1) {
    if (found == infinity) return false;
    if (t_ < infinity) found = smaller(found, 0.5 * (t0 + t1));
    found = stop_beyond(t0, found);
    if (found < infinity) t_ = found;
    return found < infinity;
  }

 private:
  double& t_;
};

// Ranges: of the list's outputs over parts of the step (zero_crossings.hpp).
template <class Ranges>
class NarrowForces {
 public:
  ARMATURE_STEP NarrowForces(Ranges& ranges, const NarrowList& list) : ranges_(ranges), list_(list) {}

  // A moment of the step at which it contradicts its equations, contradicts(t); infinite: there is none.
  template <class Contradicts>
  ARMATURE_CALLED double find(double t0, double t1, const Contradicts& contradicts) {
    t0_ = t0, t1_ = t1;
    bool over_step = false;
    for (int i = 0; i < list_.term_count; ++i) {
      // how far arguments move, over the whole step
      const NarrowTerm& term = list_.terms[i];
      if (!over_step) ranges_.find(t0, t1), over_step = true;
      if (follows(term)) continue;
      // where the term strays; on its way through something fast the slope may be right by chance
      over_step = false;
      const double where = stray(term);
      if (where == infinity) continue;
      if (contradicts(where) || contradicts(0.5 * (t0 + where)) || contradicts(0.5 * (where + t1))) return where;
    }
    return infinity;
  }

 private:
  ARMATURE_STEP bool follows(const NarrowTerm& term) const {
    for (int k = term.gate; k < term.gate + term.gate_count; ++k) {
      const NarrowGate& gate = list_.gates[list_.of_terms[k]];
      if (!narrow::is_followed(gate, ranges_[gate.argument].value)) return false;
    }
    return true;
  }
  ARMATURE_STEP Enclosure enclosure_of(const NarrowTerm& term) const {
    Enclosure sum = Enclosure::point(0);
    for (int k = term.output; k < term.output + term.output_count; ++k) {
      const Enclosure& part = ranges_[list_.outputs[k]];
      sum = list_.signs[k] > 0 ? step::sum(sum, part) : step::difference(sum, part);
    }
    return sum;
  }
  ARMATURE_STEP double value(const NarrowTerm& term, double t) {
    ranges_.find(t, t);
    return enclosure_of(term).middle;
  }

  // Where the term strays most from the line between its values at both ends; infinite: nowhere.
  ARMATURE_CALLED double stray(const NarrowTerm& term) {
    const double begin = value(term, t0_), end = value(term, t1_);
    const auto line = [&](double t) { return begin + (end - begin) * (t - t0_) / (t1_ - t0_); };
    double where = infinity, found = 0;
    NarrowPieces pieces;
    const auto look = [&](double from, double to) {
      ranges_.find(from, to);
      const Enclosure here = enclosure_of(term);
      const double middle = 0.5 * (from + to), a = line(from), b = line(to);
      if (const double deviation = absolute(here.middle - line(middle)); deviation > found)
        found = deviation, where = middle;
      const double most = larger(here.value.high - smaller(a, b), larger(a, b) - here.value.low);
      pieces.push({most == most ? most : infinity, from, to});
    };
    look(t0_, t1_);
    for (int k = 0; k < narrow::most_ranges && pieces.top().most > 2 * found; k += 2) {
      const NarrowPieces::Piece piece = pieces.top();
      const double middle = 0.5 * (piece.from + piece.to);
      if (!(middle > piece.from) || !(middle < piece.to)) break;
      pieces.pop();
      look(piece.from, middle), look(middle, piece.to);
    }
    return where;
  }

  Ranges& ranges_;
  NarrowList list_;
  double t0_ = 0, t1_ = 0;
};

}  // namespace armature::step
