#include "system/friction_loads.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/solution_leaves.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;
using Values = ConstrainedSolution::Values;

constexpr double smallest_load = 1e-12;  // N: rounds the corner of |n|
constexpr double smallest_gain = 1e-12;  // rounds that of |G|, so that derivatives have a value
constexpr int iterations = 5;            // docs/design/014-friction-with-load.md
constexpr int contact_iterations = 3;    // docs/design/017-contact.md

// n = n0 + G L of one term.
struct AffineTerm {
  const LoadTerm* term;
  List n0;
  std::vector<List> G;  // one list a load
};

Expression length_of(const List& x, double least) {
  Expression sum = least * least;
  for (const Expression& part : x) sum += part * part;
  return sqrt(sum);
}

// x; without a value where `margin` is negative.
Expression where_positive(Expression x, Expression margin) {
  const Expression root = sqrt(margin);
  return root * root * x / margin;
}

LeafMap at_no_load(const Equations& e) {
  LeafMap zero;
  for (const FrictionLoad& load : e.loads) zero[load.leaf.id()] = 0.0;
  return zero;
}

bool is_contact(const FrictionLoad& load) { return !load.softness.is(0); }

bool keeps_sign(const FrictionLoad& load) {
  return !load.terms.empty() && std::ranges::all_of(load.terms, &LoadTerm::keeps_sign);
}

// Accelerations, multipliers and reactions that forces depend on are loads as well: unknowns that are affine in all of them. They
// come first, so that the pivots of the others are those that count.
Equations with_signals_as_loads(const Equations& e) {
  std::vector<std::int32_t> used;
  for (const Expression& x : e.f)
    if (!x.is_constant())
      for (const std::int32_t leaf : leaves_of(x)) used.push_back(leaf);
  LeafMap renamed;
  std::vector<FrictionLoad> signals;
  const auto add = [&](Expression leaf, Expression value) {
    if (std::ranges::count(used, leaf.id()) == 0) return;
    const std::string name = e.graph->inputs()[static_cast<std::size_t>(leaf.node().a)];
    const Expression unknown = e.graph->input(name);
    renamed[leaf.id()] = unknown;
    signals.push_back({name, {}, "", unknown, {}, {{1.0, {value}, true}}});
  };
  for (const Expression& a : e.a) add(a, a);
  for (const Expression& lambda : e.lambda) add(lambda, lambda);
  for (const ReactionSignal& signal : e.reaction_signals)
    for (std::size_t i = 0; i < 6; ++i) add(signal.leaf[i], signal.reaction.wrench[i]);
  Equations all = e;
  Substitution rename(renamed);
  for (Expression& x : all.f) x = rename(x);
  // the leaves of reactions do not occur in what they stand for, but where a force brings them there
  LeafMap reactions;
  for (const ReactionSignal& signal : e.reaction_signals)
    for (const Expression& leaf : signal.leaf)
      if (renamed.contains(leaf.id())) reactions[leaf.id()] = renamed[leaf.id()];
  Substitution rename_reactions(reactions);
  all.loads.insert(all.loads.begin(), signals.begin(), signals.end());
  for (FrictionLoad& load : all.loads)
    for (LoadTerm& term : load.terms)
      for (Expression& x : term.n) x = rename_reactions(x);
  std::stable_partition(all.loads.begin(), all.loads.end(), keeps_sign);
  return all;
}

void refuse_nonlinear(const Equations& e, const List& effect, const List& force) {
  for (std::size_t k = 0; k < effect.size(); ++k)
    for (const FrictionLoad& load : e.loads) {
      if (!depends_on(effect[k], load.leaf)) continue;
      refuse_algebraic_loop(e, force[k]);
      throw FormulaError(load.where, "a force must be proportional to the load of " + load.name +
                                         ", or not depend on it: a sampled controller or a low_pass filter of the load "
                                         "breaks the loop");
    }
}

class LoadEquations {
 public:
  // forces: as formulas have them
  LoadEquations(const Equations& e, const ConstrainedSolution& solution, const List& forces)
      : e_(e), solution_(solution) {
    Substitution unloaded(at_no_load(e));
    for (const Expression& x : e.f) f_.push_back(unloaded(x));
    without_ = solution.with_forces(f_);
    for (const FrictionLoad& load : e.loads) {
      Derivative along({{load.leaf.id(), 1.0}});
      List effect;
      for (const Expression& x : e.f) effect.push_back(along(x));
      refuse_nonlinear(e, effect, forces);
      responses_.push_back(solution.response_to(effect));
      effects_.push_back(std::move(effect));
    }
    make_terms();
  }

  List loads() {
    List L;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      Expression sum = 0.0;
      if (!is_contact(e_.loads[i]))
        for (const AffineTerm& term : terms_[i]) sum += value(term, term.n0);
      L.push_back(sum);
    }
    for (int k = 0; k < count(); ++k) {
      pivots_.clear();
      const List step = newton_step(L);
      for (std::size_t i = 0; i < L.size(); ++i) L[i] += step[i];
    }
    for (std::size_t i = 0; i < L.size(); ++i) {
      if (keeps_sign(e_.loads[i])) continue;
      L[i] = where_positive(L[i], margin(i));
      for (std::size_t k = 0; k < L.size(); ++k)
        if (L.size() > 1 && !keeps_sign(e_.loads[k])) L[i] = where_positive(L[i], pivots_[k]);
    }
    return L;
  }

  // What is left of its own load's growth; all of them must be positive.
  Expression margin(std::size_t i) const {
    Expression gain = 0.0;
    for (const AffineTerm& term : terms_[i])
      if (!term.term->keeps_sign && std::ranges::any_of(term.G[i], [](const Expression& x) { return !x.is(0); }))
        gain += abs_of(term.term->scale) * length_of(term.G[i], smallest_gain);
    return 1.0 - gain;
  }
  const List& pivots() const { return pivots_; }

  Values solution(const List& L) const {
    Values values = without_;
    for (std::size_t j = 0; j < L.size(); ++j) {
      for (std::size_t k = 0; k < values.vdot.size(); ++k) values.vdot[k] += responses_[j].vdot[k] * L[j];
      for (std::size_t r = 0; r < values.lambda.size(); ++r) values.lambda[r] += responses_[j].lambda[r] * L[j];
    }
    return values;
  }

 private:
  // Of Newton's iterations. Equations of loads that keep their signs are linear; those of contacts have a matrix that is not
  // quite their own.
  int count() const {
    if (!std::ranges::all_of(e_.loads, keeps_sign)) return iterations;
    return std::ranges::any_of(e_.loads, is_contact) ? contact_iterations : 1;
  }

  static Expression abs_of(Expression scale) {
    return scale.is_constant() ? Expression(std::abs(scale.value())) : scale;
  }

  LeafMap leaves(const Values& values) const {
    LeafMap map;
    for (std::size_t k = 0; k < e_.a.size(); ++k) map[e_.a[k].id()] = values.vdot[k];
    for (std::size_t r = 0; r < e_.lambda.size(); ++r) map[e_.lambda[r].id()] = values.lambda[r];
    return map;
  }

  void make_terms() {
    LeafMap start = leaves(without_);
    start.merge(at_no_load(e_));
    Substitution at_start(start);
    std::vector<Derivative> along;
    for (std::size_t j = 0; j < e_.loads.size(); ++j) {
      LeafMap direction = leaves(responses_[j]);
      direction[e_.loads[j].leaf.id()] = 1.0;
      along.emplace_back(std::move(direction));
    }
    for (const FrictionLoad& load : e_.loads) {
      terms_.emplace_back();
      for (const LoadTerm& term : load.terms) {
        AffineTerm affine{&term, {}, {}};
        for (const Expression& x : term.n) affine.n0.push_back(is_own_row(x) ? own_row(x) : at_start(x));
        // the slopes of n are those at any solution: it is affine
        for (std::size_t j = 0; j < along.size(); ++j) {
          List slopes;
          for (const Expression& x : term.n) slopes.push_back(is_own_row(x) ? own_slope(x, j) : at_start(along[j](x)));
          affine.G.push_back(std::move(slopes));
        }
        terms_.back().push_back(std::move(affine));
      }
    }
  }

  // A contact's n is its force less the acceleration along which the force acts: that acceleration follows from what the force alone
  // would do, without a solve of its own.
  bool is_own_row(const Expression& n) const {
    const std::size_t j = terms_.size() - 1;
    if (!is_contact(e_.loads[j]) || solution_.dependent_rows() > 0) return false;
    for (std::size_t k = 0; k < e_.a.size(); ++k)
      if (!(-Derivative({{e_.a[k].id(), 1.0}})(n) == effects_[j][k])) return false;
    return true;
  }
  Expression own_row(const Expression& n) const {
    LeafMap rest = at_no_load(e_);
    for (const Expression& a : e_.a) rest[a.id()] = 0.0;
    return Substitution(rest)(n) - solution_.along(responses_[terms_.size() - 1], f_);
  }

  // By another load: what each force does along the other is the same, so that forces which only follow this one take no solve.
  Expression own_slope(const Expression& n, std::size_t j) const {
    return Derivative({{e_.loads[j].leaf.id(), 1.0}})(n) -
           solution_.along_force(responses_[terms_.size() - 1], effects_[j]);
  }

  static Expression value(const AffineTerm& term, const List& n) {
    return term.term->scale * (term.term->keeps_sign ? n[0] : length_of(n, smallest_load));
  }

  List newton_step(const List& L) {
    const std::size_t count = L.size();
    std::vector<List> J(count, List(count, 0.0));
    List residual;
    // J = E - d(terms)/dL and the residual terms - L, a row for each load.
    for (std::size_t i = 0; i < count; ++i) {
      Expression sum = 0.0;
      J[i][i] = 1.0;
      for (const AffineTerm& term : terms_[i]) {
        List n = term.n0;
        for (std::size_t j = 0; j < count; ++j)
          for (std::size_t c = 0; c < n.size(); ++c) n[c] += term.G[j][c] * L[j];
        sum += value(term, n);
        // The slope of |n| is n/|n|; of a term that keeps its sign it is one.
        const Expression length = term.term->keeps_sign ? Expression(1.0) : length_of(n, smallest_load);
        for (std::size_t j = 0; j < count; ++j) {
          Expression slope = 0.0;
          for (std::size_t c = 0; c < n.size(); ++c)
            slope += (term.term->keeps_sign ? Expression(1.0) : n[c]) * term.G[j][c];
          J[i][j] -= term.term->scale * (slope / length);
        }
      }
      residual.push_back(sum - L[i]);
      // The softness of a contact makes its diagonal larger.
      if (is_contact(e_.loads[i])) J[i][i] *= 1.0 + e_.loads[i].softness;
    }
    return solve_small(std::move(J), std::move(residual), &pivots_);
  }

  const Equations& e_;
  const ConstrainedSolution& solution_;
  List f_;  // without loads
  Values without_;
  std::vector<List> effects_;                   // on forces, one a load
  std::vector<Values> responses_;               // to these
  std::vector<std::vector<AffineTerm>> terms_;  // of each load
  List pivots_;                                 // of the last Newton matrix
};

// A redundant row passes any force, which the others balance: the loads that it changes are not known.
std::vector<UndeterminedLoad> undetermined_loads(const Equations& e, const ConstrainedSolution& solution) {
  std::vector<UndeterminedLoad> list;
  for (std::size_t d = 0; d < solution.dependent_rows(); ++d) {
    const List balanced = solution.balanced_multipliers(d);
    LeafMap direction;
    for (std::size_t r = 0; r < e.lambda.size(); ++r) direction[e.lambda[r].id()] = balanced[r];
    Derivative along(direction);
    for (const FrictionLoad& load : e.loads) {
      Expression change = 0.0;
      for (const LoadTerm& term : load.terms)
        for (const Expression& n : term.n) change += square(along(n));
      if (!change.is(0))
        list.push_back({load.name, load.where, load.joint, e.rows[solution.dependent_row(d)].name, change});
    }
  }
  return list;
}

SolvedLoads solve_all(const Equations& e, const ConstrainedSolution& solution, const List& forces) {
  LoadEquations equations(e, solution, forces);
  const List L = equations.loads();
  SolvedLoads solved{e.loads, equations.solution(L), {}, {}, undetermined_loads(e, solution)};
  for (std::size_t i = 0; i < L.size(); ++i) solved.values[e.loads[i].leaf.id()] = L[i];
  // NaN elsewhere, at a singular pose, is no jam
  const auto watch = [&](std::size_t i, Expression margin, const char* why) {
    const FrictionLoad& load = e.loads[i];
    solved.watched.push_back({"forces." + load.name, load.where, sqrt(kept_below(margin, 1.0)), why});
  };
  for (std::size_t i = 0; i < L.size(); ++i)
    if (!keeps_sign(e.loads[i]))
      watch(i, equations.margin(i),
            "jams: friction increases the normal force faster than the normal force can be balanced, so rigid bodies "
            "have no "
            "motion here, or more than one (Painlevé's paradox). Reduce the friction, lengthen the guide, or model "
            "elastic "
            "surfaces (worm, power_screw, contact)");
  if (L.size() > 1)
    for (std::size_t i = 0; i < L.size(); ++i)
      if (!keeps_sign(e.loads[i]))
        watch(i, equations.pivots()[i],
              "jams together with the friction of another joint: each increases the other's normal force without "
              "limit, so "
              "rigid bodies have no motion here, or more than one (Painlevé's paradox). Reduce the friction of one of "
              "them, or "
              "model elastic surfaces (worm, power_screw, contact)");
  return solved;
}

}  // namespace

SolvedLoads solve_loads(const Equations& formulas, const ConstrainedSolution& solution) {
  const Equations all = with_signals_as_loads(formulas);
  if (all.loads.empty()) return {{}, solution.with_forces(all.f), {}, {}, {}};
  return solve_all(all, solution, formulas.f);
}

}  // namespace armature::internal
