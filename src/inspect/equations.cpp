#include "inspect/equations.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "expression/derivative.hpp"
#include "mechanics/solution_leaves.hpp"
#include "model/formula_tree.hpp"
#include "system/build_model.hpp"

namespace armature::internal {

namespace {

using Kind = PrintingSymbol::Kind;

// The model with its drives' voltages as parameters of their own: inputs. Their values do not matter.
Model with_inputs(Model model, std::vector<std::string>& inputs) {
  for (Drive& drive : model.drives) {
    if (!drive.commands("voltage")) continue;
    const std::string name = drive.name + ".voltage";
    model.parameters.push_back({name, number_formula(1), 1, {}});
    drive.command.is = name_formula(name, drive.command.is.where);
    inputs.push_back(name);
  }
  return model;
}

std::vector<std::string> free_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters)
    if (parameter.value != 0) names.push_back(parameter.name);
  return names;
}

class Derivation {
 public:
  Derivation(const Model& model, const Equations& e, const std::vector<std::string>& voltages, PrintedEquations& result)
      : e_(e), n_(static_cast<int>(e.v.size())), voltages_(voltages), has_motors_(!model.drives.empty()), out_(result) {
    out_.name = model.name;
    out_.has_christoffel = e.quaternions.empty();
    add_symbols();
  }

  void run() {
    mass();
    if (out_.has_christoffel) {
      christoffel();
      damping();
      potential();
    }
    constraints();
    others();
    forces();
    held();
  }

 private:
  PrintingAlgebra& algebra() { return out_.algebra; }
  static Expression partial(Expression y, Expression x) { return Derivative({{x.id(), 1.0}})(y); }

  void add_symbols() {
    for (std::size_t i = 0; i < e_.p.size(); ++i) {
      const bool is_input = std::count(voltages_.begin(), voltages_.end(), e_.p_name[i]) > 0;
      const int symbol = algebra().add_symbol(e_.p[i], {is_input ? Kind::other : Kind::parameter, e_.p_name[i], {}});
      if (is_input)
        inputs_.push_back(symbol);
      else
        out_.parameters.emplace_back(e_.p_name[i], e_.p_value[i]);
    }
    algebra().add_symbol(e_.t, {Kind::time, "t", {}});
    for (std::size_t i = 0; i < e_.q.size(); ++i) {
      positions_.push_back(algebra().add_symbol(e_.q[i], {Kind::coordinate, e_.positions[i].name, {}}));
      out_.coordinates.push_back(e_.positions[i].name);
    }
    for (int i = 0; i < n_; ++i) {
      rates_.push_back(algebra().add_symbol(e_.v[i], {Kind::rate, e_.velocities[i].name, {}}));
      out_.rates.push_back(e_.velocities[i].name);
    }
    for (std::size_t i = 0; i < e_.z.size(); ++i) {
      const int symbol = algebra().add_symbol(e_.z[i], {Kind::other, e_.others[i].name, {}});
      if (e_.others[i].unit == "A") inputs_.push_back(symbol);
    }
    for (const Discrete& discrete : e_.discrete)
      algebra().add_symbol(discrete.leaf, {Kind::other, symbol_name(discrete), {}});
  }

  // Angles are unwrapped from a reference and what corrects it.
  std::string symbol_name(const Discrete& discrete) const {
    const bool corrects = std::ranges::find(e_.references, discrete.name, &AngleReference::name) != e_.references.end();
    return corrects ? "correction of " + discrete.name : discrete.name;
  }

  void mass() {
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) out_.M.push_back(algebra().expand(e_.M(i, j)));
  }

  // dm_ij/dq_k, exact before it is expanded
  Expression slope(int i, int j, int k) const { return partial(e_.M(i, j), e_.q[k]); }

  void christoffel() {
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        PrintingSum sum;
        for (int k = 0; k < n_; ++k) {
          const PrintingSum symbol = PrintingAlgebra::added(
              PrintingAlgebra::added(algebra().expand(slope(i, j, k)), algebra().expand(slope(i, k, j))),
              algebra().expand(slope(j, k, i)), -1);
          sum = PrintingAlgebra::added(sum, algebra().product(symbol, algebra().symbol(rates_[k])), 0.5);
        }
        out_.C.push_back(sum);
      }
  }

  // The lost power is v' D v.
  void damping() {
    const Expression lost = smooth_terms(e_.dissipation);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const PrintingSum entry = algebra().expand(partial(partial(lost, e_.v[i]), e_.v[j]));
        out_.D.push_back(uses(entry, rates_) ? PrintingSum{} : PrintingAlgebra::added({}, entry, 0.5));
      }
  }

  // The terms of x, but for those that bend or jump where rates change: their damping is a part of Q.
  Expression smooth_terms(Expression x) const {
    Expression sum = 0;
    std::vector<std::pair<Expression, double>> open{{x, 1}};  // terms with their signs
    while (!open.empty()) {
      const auto [term, sign] = open.back();
      open.pop_back();
      const Op op = term.is_constant() ? Op::constant : term.node().op;
      if (op != Op::add && op != Op::sub) {
        if (!bends(term)) sum += sign * term;
        continue;
      }
      const Node node = term.node();
      open.push_back({{term.graph(), node.a}, sign});
      open.push_back({{term.graph(), node.b}, op == Op::sub ? -sign : sign});
    }
    return sum;
  }

  bool depends_on_rates(Expression x) const {
    return std::ranges::any_of(e_.v, [&](const Expression& v) { return depends_on(x, v); });
  }

  // Whether a comparison or a limit of rates stands in x. Operands are numbered before what is made of them.
  bool bends(Expression x) const {
    std::set<std::int32_t> below;
    if (!x.is_constant()) below.insert(x.id());
    while (!below.empty()) {
      const std::int32_t id = *below.rbegin();
      below.erase(id);
      const Node& node = (*e_.graph)[id];
      const Expression limited = node.op == Op::outcome ? outcome_root(node)
                                 : node.op == Op::kept_above || node.op == Op::kept_below
                                     ? Expression(e_.graph.get(), id)
                                     : Expression(0);
      if (depends_on_rates(limited)) return true;
      const std::int32_t operands[] = {node.a, node.b, node.c};
      below.insert(operands, operands + operand_count(node.op));
    }
    return false;
  }
  Expression outcome_root(const Node& outcome) const {
    return e_.graph->comparisons()[static_cast<std::size_t>(outcome.a)].root;
  }

  static bool uses(const PrintingMonomial& monomial, const std::vector<int>& symbols) {
    for (int symbol : symbols)
      if (monomial.powers.contains(symbol) || monomial.angle.factors.contains(symbol)) return true;
    return false;
  }
  static bool uses(const PrintingSum& sum, const std::vector<int>& symbols) {
    return std::any_of(sum.begin(), sum.end(), [&](const auto& term) { return uses(term.first, symbols); });
  }

  // Which of the symbols is the one factor, to first power, among those of `moving`; -1: none.
  static int linear_in(const PrintingMonomial& monomial, const std::vector<int>& symbols,
                       const std::vector<int>& moving) {
    for (std::size_t j = 0; j < symbols.size(); ++j) {
      const auto place = monomial.powers.find(symbols[j]);
      if (place == monomial.powers.end() || place->second != 1) continue;
      PrintingMonomial rest = monomial;
      rest.powers.erase(symbols[j]);
      if (!uses(rest, moving)) return static_cast<int>(j);
    }
    return -1;
  }

  static void move_term(const PrintingMonomial& monomial, double value, int symbol, PrintingSum& target) {
    PrintingMonomial rest = monomial;
    rest.powers.erase(symbol);
    target = PrintingAlgebra::added(target, {{rest, value}});
  }

  std::vector<int> moving() const {
    std::vector<int> list = positions_;
    list.insert(list.end(), rates_.begin(), rates_.end());
    for (int i = 0; i < out_.algebra.size(); ++i)
      if (out_.algebra[i].kind == Kind::time || out_.algebra[i].kind == Kind::call) list.push_back(i);
    return list;
  }

  void potential() {
    out_.K.assign(n_ * n_, {});
    for (int i = 0; i < n_; ++i) {
      PrintingSum rest;
      const PrintingSum slope = algebra().expand(partial(e_.potential, e_.q[i]));
      for (const auto& [monomial, value] : slope) {
        const int j = monomial.wave == Wave::none ? linear_in(monomial, positions_, moving()) : -1;
        if (j >= 0)
          move_term(monomial, value, positions_[j], out_.K[i * n_ + j]);
        else
          rest[monomial] = value;
      }
      out_.g.push_back(rest);
    }
  }

  // What is left of f: Q = f + C v + D v + K q + g.
  PrintingSum remainder(int i) {
    PrintingSum rest = algebra().expand(e_.f[i]);
    if (!out_.has_christoffel) return rest;
    for (int j = 0; j < n_; ++j) {
      const PrintingSum v = algebra().symbol(rates_[j]);
      rest = PrintingAlgebra::added(rest, algebra().product(out_.C[i * n_ + j], v));
      rest = PrintingAlgebra::added(rest, algebra().product(out_.D[i * n_ + j], v));
      rest = PrintingAlgebra::added(rest, algebra().product(out_.K[i * n_ + j], algebra().symbol(positions_[j])));
    }
    return PrintingAlgebra::added(rest, out_.g[i]);
  }

  void forces() {
    for (int i = 0; i < n_; ++i) out_.Q.push_back(remainder(i));
    if (has_motors_ && out_.has_christoffel) take_back_emf();
    take_input_parameters();
    take_inputs();
  }

  // With a current that follows at once, the back-EMF is damping.
  void take_back_emf() {
    for (int i = 0; i < n_; ++i) {
      PrintingSum rest;
      for (const auto& [monomial, value] : out_.Q[i]) {
        const int j = monomial.wave == Wave::none ? linear_in(monomial, rates_, moving()) : -1;
        if (j >= 0)
          move_term(monomial, -value, rates_[j], out_.D[i * n_ + j]);
        else
          rest[monomial] = value;
      }
      out_.Q[i] = rest;
    }
  }

  std::set<int> symbols_of(const std::vector<PrintingSum>& sums) const {
    std::set<int> symbols;
    for (const PrintingSum& sum : sums)
      for (const auto& [monomial, value] : sum) {
        for (const auto& [symbol, n] : monomial.powers) {
          symbols.insert(symbol);
          const std::set<int> inner = symbols_of(out_.algebra[symbol].arguments);
          symbols.insert(inner.begin(), inner.end());
        }
        for (const auto& [symbol, factor] : monomial.angle.factors) symbols.insert(symbol);
      }
    return symbols;
  }

  // Parameters that stand in the forces only; they count if every term has exactly one of them, to first power.
  void take_input_parameters() {
    std::set<int> elsewhere;
    for (const auto* list :
         {&out_.M, &out_.C, &out_.D, &out_.K, &out_.g, &out_.Phi, &out_.phi, &out_.gamma, &out_.zdot})
      for (int symbol : symbols_of(*list)) elsewhere.insert(symbol);
    for (const PrintingSum& sum : out_.Q)  // a factor of an input is no input
      for (const auto& [monomial, value] : sum)
        if (uses(monomial, inputs_))
          for (int symbol : symbols_of({PrintingSum{{monomial, value}}})) elsewhere.insert(symbol);
    std::vector<int> candidates;
    for (int symbol : symbols_of(out_.Q))
      if (algebra()[symbol].kind == Kind::parameter && !elsewhere.contains(symbol)) candidates.push_back(symbol);
    for (const PrintingSum& sum : out_.Q)
      for (const auto& [monomial, value] : sum)
        if (!uses(monomial, inputs_) && linear_in(monomial, candidates, candidates) < 0) return;
    inputs_.insert(inputs_.end(), candidates.begin(), candidates.end());
  }

  void take_inputs() {
    const std::set<int> used = symbols_of(out_.Q);
    std::erase_if(inputs_, [&](int symbol) { return !used.contains(symbol); });
    for (int symbol : inputs_) {
      out_.inputs.push_back(algebra()[symbol].name);
      std::erase_if(out_.parameters, [&](const auto& parameter) { return parameter.first == out_.inputs.back(); });
    }
    const int count = static_cast<int>(inputs_.size());
    out_.B.assign(n_ * count, {});
    for (int i = 0; i < n_; ++i) {
      PrintingSum rest;
      for (const auto& [monomial, value] : out_.Q[i]) {
        const int j = linear_in(monomial, inputs_, inputs_);
        if (j >= 0)
          move_term(monomial, value, inputs_[j], out_.B[i * count + j]);
        else
          rest[monomial] = value;
      }
      out_.Q[i] = rest;
    }
  }

  void constraints() {
    LeafMap flow{{e_.t.id(), 1.0}};
    for (std::size_t i = 0; i < e_.q.size(); ++i) flow[e_.q[i].id()] = e_.qdot[i];
    Derivative along(flow);
    for (const ConstraintRow& row : e_.rows) {
      const Expression rate = rate_of(row, along);
      out_.rows.push_back(row.name);
      out_.phi.push_back(algebra().expand(row.phi));
      for (const Expression& v : e_.v) out_.Phi.push_back(algebra().expand(partial(rate, v)));
      out_.gamma.push_back(algebra().expand(-along(rate)));
    }
  }

  void others() {
    for (std::size_t i = 0; i < e_.z.size(); ++i) {
      if (e_.others[i].kind != Coordinate::Kind::other) continue;
      out_.states.push_back(e_.others[i].name);
      out_.zdot.push_back(algebra().expand(e_.zdot[i]));
    }
  }

  // Other symbols of the matrices.
  void held() {
    std::set<int> used;
    for (const auto* list :
         {&out_.M, &out_.C, &out_.D, &out_.K, &out_.g, &out_.B, &out_.Q, &out_.Phi, &out_.phi, &out_.gamma})
      used.merge(symbols_of(*list));
    for (int symbol : used) {
      const PrintingSymbol& s = algebra()[symbol];
      const bool known = std::ranges::count(out_.states, s.name) + std::ranges::count(out_.inputs, s.name) > 0;
      if (s.kind == Kind::other && !known) out_.held.push_back(s.name);
    }
  }

  const Equations& e_;
  int n_;
  std::vector<std::string> voltages_;
  bool has_motors_;
  PrintedEquations& out_;
  std::vector<int> positions_, rates_, inputs_;
};

// Friction with load, and other forces in proportion to accelerations or reactions, follow from the equations that would have to
// contain them.
void refuse_implicit_forces(const Model& model, const Equations& equations) {
  const std::string why =
      "depends on reactions or accelerations, which follow from the equations themselves: they have no closed form to "
      "print";
  for (const FrictionLoad& load : equations.loads) throw ModelError(model, {{load.where, "forces." + load.name, why}});
  for (const Expression& x : equations.f)
    if (has_acceleration(equations, x) || has_constraint_force(equations, x))
      throw ModelError(model, {{{}, "forces", "one of them " + why}});
}

}  // namespace

PrintedEquations printed_equations(const Model& model) {
  PrintedEquations result;
  std::vector<std::string> voltages;
  const Model changed = with_inputs(model, voltages);
  const auto equations = build_plain_model(changed, free_names(changed));
  refuse_implicit_forces(model, *equations);
  try {
    Derivation(changed, *equations, voltages, result).run();
  } catch (const std::length_error&) {
    throw std::length_error(
        "the equations of this model have more terms than a page can hold; print those of a smaller one");
  }
  return result;
}

}  // namespace armature::internal
