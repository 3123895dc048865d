// What a formula does between the samples of a part of a step. Ranges over any part of it, and of the rate (events/path_ranges.hpp), tell
// where samples say enough:
//
//   the top       parts whose range ends below the top that is known are left out; where the rate has one sign the top is an
//                 end; else both halves are searched, the one that may be higher first
//   the integral  Boole's rule, where it differs little from Simpson's, and the rate leaves little room beside the samples; or where
//                 the whole range is so narrow that it does not matter; else of both halves
//
// until nothing is left. All errors count against the mean size of the signal so far, part by part, so that a million periods are summed as
// exactly as one. What is given up (a pole, or more parts than a motion has patience for) is a doubt, which takes the value from the functional
// unless it is too small to matter (Searched). Freestanding, and without recursion: motions of the processor and of a card have the same bits.
//
// Ranges: as of step/zero_crossings.hpp, and unit(): of time, in which rates are measured.
#pragma once

#include "step/enclosure.hpp"
#include "study/gathered.hpp"

namespace armature::step {

// Of a formula that has none.
struct NoRanges {
  Enclosure nothing;
  ARMATURE_STEP void find(double, double) {}
  ARMATURE_STEP const Enclosure& operator[](int) const { return nothing; }
  ARMATURE_STEP double unit() const { return 1; }
};

template <class Ranges>
class SignalSearch {
 public:
  static constexpr double patience = 4e6;  // parts of a motion, beside those that belong to every piece of it
  static constexpr double of_piece = 4096;

  // ranges null: samples alone tell. most: parts in this piece.
  ARMATURE_STEP SignalSearch(Ranges* ranges, int output, Searched& known, double most = patience)
      : ranges_(ranges), output_(output), known_(known), most_(smaller(most, of_piece + patience - known.parts)) {}

  // Before the search is over. True: the piece had more parts than `most`.
  ARMATURE_STEP bool finish() {
    known_.parts += larger(0, parts_ - of_piece);
    return parts_ > most_;
  }

  // f(t): the formula. Raises `top` to the largest sign * f between two times; where f is not a number, to that.
  template <class F>
  ARMATURE_STEP void raise(const F& f, double sign, double from, double to, PieceTop& top) {
    const auto look = [&](double t) {
      if (const double value = sign * f(t); value > top.value || value != value) top = {value, t};
    };
    Part open[deepest];  // what is left to look at, the next one last
    int last = 0;
    open[0] = bounded(sign, from, to, 0);
    while (last >= 0 && top.value == top.value) {
      const Part part = open[last--];
      const double middle = 0.5 * (part.from + part.to);
      if (part.high <= top.value + exact * absolute(top.value)) continue;
      if (part.rate.low > 0 || part.rate.high < 0) {
        look(part.rate.low > 0 ? part.to : part.from);
        continue;
      }
      if (parts_ > few_parts && is_near_enough(part, top.value)) continue;
      look(middle);
      if (parts_ > most_ || last + 2 >= deepest || !(middle > part.from && middle < part.to)) {
        known_.doubt_top(sign, part.high, part.from);
        continue;
      }
      const Part left = bounded(sign, part.from, middle, part.depth + 1),
                 right = bounded(sign, middle, part.to, part.depth + 1);
      const bool right_is_higher = right.high > left.high;
      open[++last] = right_is_higher ? left : right;
      open[++last] = right_is_higher ? right : left;
    }
  }

  // y: five samples at equal distances.
  template <class F>
  ARMATURE_STEP double integral(const F& f, double from, double to, const double* y) {
    Half open[deepest];  // parts whose halves are looked at, from the whole to the smallest
    int depth = 0;
    whole_ = (to - from) * mean_size(y);
    open[0] = {from, to, {y[0], y[1], y[2], y[3], y[4]}};
    for (;;) {
      // the rule, or else the left half
      Half& part = open[depth];
      const double h = part.to - part.from, middle = 0.5 * (part.from + part.to);
      ++parts_;
      if (!tells(f, part, depth)) {
        const auto at = [&](int eighth) { return f(part.from + h * eighth / 8); };
        const double first = at(1), third = at(3);
        part.fifth = at(5), part.seventh = at(7), part.left_is_known = false;
        open[++depth] = {part.from, middle, {part.y[0], first, part.y[1], third, part.y[2]}};
        continue;
      }
      // with what is known beside it; then the right half of the smallest part that lacks it
      known_.size += h * mean_size(part.y);
      double value = h * boole(part.y);
      while (depth > 0 && open[depth - 1].left_is_known) value = open[--depth].left + value;
      if (depth == 0) return value;
      Half& whole = open[depth - 1];
      whole.left = value, whole.left_is_known = true;
      open[depth] = {
          0.5 * (whole.from + whole.to), whole.to, {whole.y[2], whole.fifth, whole.y[3], whole.seventh, whole.y[4]}};
    }
  }

 private:
  static constexpr int deepest = 40;        // halvings
  static constexpr int coarse = 5;          // halvings where a formula has no bounds anywhere
  static constexpr int by_samples = 8;      // halvings of a formula that has no ranges
  static constexpr int few_parts = 32;      // of a piece, without a look at round-off
  static constexpr int many_parts = 2000;   // of a piece; then what is lost where large numbers cancel is left alone
  static constexpr double cancelled = 1e6;  // of round-off: what ranges cannot tell where large numbers cancel
  static constexpr double exact = resolved(1e-9);   // of the top
  static constexpr double jagged = resolved(1e-6);  // of the top, where there is no rate
  static constexpr double smooth =
      resolved(1e-5);  // difference of both rules, of the mean size; Boole's own error is far smaller
  static constexpr double hidden = resolved(1e-7);  // what samples may not show, of the mean size
  static constexpr double negligible = 1e-3;  // of the doubt that is left to an integral: so much may go to one part

  struct Part {
    double from, to, high;  // high: no value in it is larger
    Range rate;
    int depth;
  };
  struct Half {
    double from, to, y[piece_samples];
    double fifth = 0, seventh = 0;  // samples at these eighths
    double left = 0;                // integral of the left half
    bool left_is_known = false;
  };

  ARMATURE_STEP static double simpson(const double* y) { return (y[0] + y[4] + 4 * (y[1] + y[3]) + 2 * y[2]) / 12; }
  ARMATURE_STEP static double mean_size(const double* y) {
    double size[piece_samples];
    for (int j = 0; j < piece_samples; ++j) size[j] = absolute(y[j]);
    return boole(size);
  }

  ARMATURE_STEP const Enclosure& enclosed(double from, double to) {
    ranges_->find(from, to);
    return (*ranges_)[output_];
  }
  ARMATURE_STEP Part bounded(double sign, double from, double to, int depth) {
    ++parts_;
    const Enclosure& y = enclosed(from, to);
    return sign > 0 ? Part{from, to, y.value.high, y.rate, depth} : Part{from, to, -y.value.low, -y.rate, depth};
  }

  // What round-off makes of the formula, from the place that is asked for first: its range over an instant, but for its rate.
  ARMATURE_STEP double noise(double t) {
    if (noise_ < 0) {
      const double instant = 4 * epsilon * larger(absolute(t), ranges_->unit());
      const Enclosure y = enclosed(t - instant, t + instant);
      const double width = y.value.high - y.value.low - 2 * instant * y.rate.size() / ranges_->unit();
      noise_ = y.value.bounded() && width > 0 ? width : 0;
    }
    return noise_;
  }

  // Not even at one instant.
  ARMATURE_STEP bool has_no_bounds(double t) { return !enclosed(t, t).value.bounded(); }
  ARMATURE_STEP bool has_no_rate(double t) { return !enclosed(t, t).rate.bounded(); }

  // What the part may be higher than the top is round-off, or cannot be told.
  ARMATURE_STEP bool is_near_enough(const Part& part, double top) {
    const double middle = 0.5 * (part.from + part.to);
    if (part.high <= top + (parts_ > many_parts ? cancelled : 1) * noise(middle)) return true;
    if (part.rate.bounded() || part.depth < coarse) return false;
    return part.high <= top + jagged * absolute(top) ? has_no_rate(middle) : has_no_bounds(middle);
  }

  // Where samples agree (they lie on a polynomial, or apart by round-off): that there is no room beside them. Where they do not: that it is
  // too little to matter, or all that can be told.
  template <class F>
  ARMATURE_STEP bool tells(const F& f, const Half& part, int depth) {
    const double* y = part.y;
    const double h = part.to - part.from, middle = 0.5 * (part.from + part.to);
    if (!finite(boole(y))) return true;
    double least = y[0], most = y[0];
    for (int j = 1; j < piece_samples; ++j) least = smaller(least, y[j]), most = larger(most, y[j]);
    const double mean = larger(mean_size(y), known_.mean_size(part.from)), way = most - least;
    const double smooth = known_.share * SignalSearch::smooth, hidden = known_.share * SignalSearch::hidden;
    const double room = negligible * (hidden * (known_.size + whole_) - known_.doubt);
    const bool ends = depth + 1 == deepest || parts_ > most_;
    if (!ranges_) {
      if (is_between(f, part, smooth * mean, 2) || h * way <= room) return true;
      if (ends) known_.doubt_integral(h * way, part.from);
      return ends || depth == by_samples;  // round-off is not smooth at any distance
    }
    const double error = smooth * mean, noise = depth < coarse ? 0 : this->noise(middle);
    const bool agree = absolute(boole(y) - simpson(y)) <= error || way <= noise;
    if (!(agree || ends || h * way <= room)) return false;
    const Enclosure over = enclosed(part.from, part.to);
    const double width = over.value.bounded() ? over.value.high - over.value.low : infinity;
    const bool is_noise = larger(absolute(least), absolute(most)) <= 4 * noise;
    const double small = larger(hidden * mean, (is_noise || parts_ > many_parts ? cancelled : 1) * noise);
    if (agree && (width <= small || (is_noise && parts_ > many_parts))) return true;
    const bool has_room = over.rate.size() * h / ranges_->unit() - 8 * way > small;
    if (agree && (over.rate.low > 0 || over.rate.high < 0 || !has_room) &&
        is_between(f, part, larger(3 * error, noise), 1))
      return true;
    if (h * width <= room || ends) {
      known_.doubt_integral(h * width, part.from);
      return true;
    }
    return agree && depth >= coarse && !over.rate.bounded() && has_no_rate(middle) && is_between(f, part, error, 2);
  }

  // Whether the formula follows the polynomial through the samples at some more places. What repeats with the samples does not, nor what
  // agrees with both rules by accident.
  template <class F>
  ARMATURE_STEP bool is_between(const F& f, const Half& part, double error, int places) {
    constexpr double place[] = {0.1372, 0.6873};
    for (int i = 0; i < places; ++i) {
      const double x = 4 * place[i], *y = part.y;
      const double p = y[0] * (x - 1) * (x - 2) * (x - 3) * (x - 4) / 24 - y[1] * x * (x - 2) * (x - 3) * (x - 4) / 6 +
                       y[2] * x * (x - 1) * (x - 3) * (x - 4) / 4 - y[3] * x * (x - 1) * (x - 2) * (x - 4) / 6 +
                       y[4] * x * (x - 1) * (x - 2) * (x - 3) / 24;
      if (!(absolute(f(part.from + place[i] * (part.to - part.from)) - p) <= error)) return false;
    }
    return true;
  }

  Ranges* ranges_;
  int output_;
  Searched& known_;
  double most_, parts_ = 0;
  double whole_ = 0;   // size of the integral over the piece, by its samples
  double noise_ = -1;  // negative: not known yet
};

}  // namespace armature::step
