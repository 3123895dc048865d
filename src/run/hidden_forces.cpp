#include "run/hidden_forces.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "step/scalar.hpp"

namespace armature::internal {

namespace {

constexpr int most_ranges = 300;  // in the search for one term's deviation

// A part of a step, and the most that a term may stray there.
struct Piece {
  double most, from, to;
  bool operator<(const Piece& other) const { return most < other.most; }
};

}  // namespace

WatchedTerms::WatchedTerms(const System& system) : terms(find_narrow_terms(system.equations())) {
  if (terms.any()) program = system.make_program(terms.outputs);
}

// A step of which only the ends are known, with f there.
class HiddenForces::HermiteStep final : public Step {
 public:
  HermiteStep(const Step& step, const Eigen::VectorXd& x0) : x0_(x0), f0_(x0.size()), f1_(x0.size()) {
    previous_t_ = step.previous_t(), t_ = step.t(), x_ = step.x();
  }
  bool evaluate(Dynamics& dynamics) {
    return dynamics.derivative(previous_t_, x0_.data(), f0_.data()) && dynamics.derivative(t_, x_.data(), f1_.data());
  }
  void interpolate(double t, Eigen::VectorXd& x) const override {
    const double h = t_ - previous_t_, s = (t - previous_t_) / h, r = 1 - s;
    x = r * r * (1 + 2 * s) * x0_ + s * s * (3 - 2 * s) * x_ + h * s * r * (r * f0_ - s * f1_);
  }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    const double h = t_ - previous_t_;
    path.begin(previous_t_, t_, 3, entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const int i = entries[k];
      const double rise = x_[i] - x0_[i], a = h * f0_[i], b = h * f1_[i];
      const double c[] = {0.5 * (x0_[i] + x_[i]) + 0.125 * (a - b), 1.5 * rise - 0.25 * (a + b), 0.5 * (b - a),
                          a + b - 2 * rise};
      path.set(k, [&](int power) { return c[power]; });
    }
    return true;
  }

 private:
  const Eigen::VectorXd& x0_;
  Eigen::VectorXd f0_, f1_;
};

HiddenForces::HiddenForces(const Prepared& prepared, Dynamics& dynamics, std::shared_ptr<const WatchedTerms> terms)
    : dynamics_(dynamics),
      terms_(std::move(terms)),
      ranges_(dynamics.system().layout(), *terms_->program),
      slopes_(prepared, dynamics),
      followed_(terms_->terms.gates.size()) {}

bool HiddenForces::begin(const Step& step) {
  slopes_.begin_step(step);
  return ranges_.begin(step, dynamics_.evaluator().inputs());
}

bool HiddenForces::follows(const NarrowTerms::Term& term) const {
  return std::ranges::all_of(term.gates, [&](int gate) { return followed_[static_cast<std::size_t>(gate)]; });
}

step::Enclosure HiddenForces::enclosure_of(const NarrowTerms::Term& term) const {
  step::Enclosure sum = step::Enclosure::point(0);
  for (std::size_t k = 0; k < term.outputs.size(); ++k) {
    const step::Enclosure& part = ranges_[term.outputs[k]];
    sum = term.signs[k] > 0 ? step::sum(sum, part) : step::difference(sum, part);
  }
  return sum;
}

double HiddenForces::value(const NarrowTerms::Term& term, double t) {
  ranges_.find(t, t);
  return enclosure_of(term).middle;
}

// Where the term strays most from the line between its values at both ends.
std::optional<double> HiddenForces::stray(const NarrowTerms::Term& term, double t0, double t1) {
  const double begin = value(term, t0), end = value(term, t1);
  const auto line = [&](double t) { return begin + (end - begin) * (t - t0) / (t1 - t0); };
  std::optional<double> where;
  double found = 0;
  std::priority_queue<Piece> pieces;
  const auto look = [&](double from, double to) {
    ranges_.find(from, to);
    const step::Enclosure here = enclosure_of(term);
    const double middle = 0.5 * (from + to), a = line(from), b = line(to);
    if (const double deviation = std::abs(here.middle - line(middle)); deviation > found)
      found = deviation, where = middle;
    const double most = std::max(here.value.high - std::min(a, b), std::max(a, b) - here.value.low);
    pieces.push({std::isnan(most) ? step::infinity : most, from, to});
  };
  look(t0, t1);
  for (int k = 0; k < most_ranges && pieces.top().most > 2 * found; k += 2) {
    const Piece piece = pieces.top();
    const double middle = 0.5 * (piece.from + piece.to);
    if (!(middle > piece.from) || !(middle < piece.to)) break;
    pieces.pop();
    look(piece.from, middle), look(middle, piece.to);
  }
  return where;
}

// Dense output that is not sound tells nothing; the ends of the step do.
double HiddenForces::find(const Step& step, const Eigen::VectorXd& x0) {
  if (begin(step)) return find_in(step);
  HermiteStep ends(step, x0);
  return ends.evaluate(dynamics_) && begin(ends) ? find_in(ends) : step::infinity;
}

double HiddenForces::find_in(const Step& step) {
  const double t0 = step.previous_t(), t1 = step.t();
  ranges_.find(t0, t1);
  const std::vector<NarrowTerms::Gate>& gates = terms_->terms.gates;
  for (std::size_t k = 0; k < gates.size(); ++k) followed_[k] = is_followed(gates[k], ranges_[gates[k].argument].value);
  for (const NarrowTerms::Term& term : terms_->terms.terms) {
    if (follows(term)) continue;
    const std::optional<double> where = stray(term, t0, t1);
    if (!where) continue;
    // on its way through something fast the slope may be right by chance
    for (const double t : {*where, 0.5 * (t0 + *where), 0.5 * (*where + t1)})
      if (slopes_.contradicts(t)) return *where;
  }
  return step::infinity;
}

void HiddenForces::look(const Step& step, const Eigen::VectorXd& x0) {
  HermiteStep ends(step, x0);
  if (!ends.evaluate(dynamics_) || !begin(ends)) return;
  if (const double t = find_in(ends); t < step::infinity) slopes_.look_inside(t);
}

}  // namespace armature::internal
