#include "sensitivity/tangent_programs.hpp"

#include <algorithm>
#include <cmath>

#include "expression/common_part.hpp"
#include "expression/derivative.hpp"
#include "expression/expression_matrix.hpp"
#include "step/pivots.hpp"
#include "system/traced_motion.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

void append(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

List slice(const List& list, std::size_t first, std::size_t count) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// What a column moves, in its order.
List column_leaves(const Equations& e) {
  List leaves;
  append(leaves, e.q), append(leaves, e.v), append(leaves, e.z);
  for (const Discrete& value : e.discrete) leaves.push_back(value.leaf);
  append(leaves, e.p);
  return leaves;
}

// The derivatives of a list along a column.
class Varied {
 public:
  Varied(const List& list, const List& leaves, const LeafMap& values) : J_(jacobian_of(list, leaves)), known_(values) {}

  List along(const List& column) {
    List changes;
    for (int i = 0; i < J_.rows(); ++i) {
      Expression sum = 0.0;
      for (const auto& [j, entry] : J_.row(i)) sum += known_(entry) * column[static_cast<std::size_t>(j)];
      changes.push_back(sum);
    }
    return changes;
  }

 private:
  ExpressionMatrix J_;
  Substitution known_;  // accelerations and multipliers
};

// The equations of the motion on the rows that the traced solve uses.
class TangentEquations {
 public:
  TangentEquations(const System& system, double alpha, double beta)
      : e_(system.equations()),
        motion_(system.traced_motion()),
        leaves_(column_leaves(e_)),
        Phi_(jacobian_of(motion_.phidot(), e_.v)) {
    for (const int row : system.options().independent_rows) lambda_.push_back(e_.lambda[static_cast<std::size_t>(row)]);
    for (std::size_t k = 0; k < leaves_.size(); ++k) column_.push_back(e_.graph->input("column"));
    pull_ = motion_.gamma();
    for (std::size_t r = 0; r < pull_.size(); ++r) pull_[r] -= alpha * motion_.phidot()[r] + beta * motion_.phi()[r];
    // the motion itself
    const TracedMotion::Solution solution =
        alpha == 0 && beta == 0 ? motion_.acceleration() : motion_.under_forces(pull_);
    for (std::size_t k = 0; k < e_.a.size(); ++k) known_[e_.a[k].id()] = solution.vdot[k];
    for (std::size_t r = 0; r < lambda_.size(); ++r) known_[lambda_[r].id()] = solution.lambda[r];
  }

  const List& column() const { return column_; }
  List pivots() const { return motion_.with_pivots({}); }

  // [ M Phi' ; Phi 0 ] (da, dlambda) = -(dr, dc), with the accelerations fixed in r and c
  List rate() {
    const List force = residuals(), lack = constraint_residuals();
    const List dr = negative(along(force)), dc = negative(along(lack));
    List rate = along(e_.qdot);
    append(rate, motion_.solve(dr, dc).vdot);
    append(rate, along(e_.zdot));
    return rate;
  }

  // dq and dv, tangent
  List tangent() {
    List column = column_;
    const List step = motion_.step(along(motion_.phi(), column));
    const ExpressionMatrix N = jacobian_of(e_.qdot, e_.v);
    for (int i = 0; i < N.rows(); ++i)
      for (const auto& [k, entry] : N.row(i))
        column[static_cast<std::size_t>(i)] += entry * step[static_cast<std::size_t>(k)];
    const List dv = motion_.step(along(motion_.phidot(), column));
    for (std::size_t k = 0; k < dv.size(); ++k) column[e_.q.size() + k] += dv[k];
    column.resize(e_.q.size() + e_.v.size());
    return column;
  }

 private:
  List along(const List& list) { return along(list, column_); }
  List along(const List& list, const List& column) { return Varied(list, leaves_, known_).along(column); }
  static List negative(List list) {
    for (Expression& x : list) x = -x;
    return list;
  }

  // M a + Phi' lambda - f
  List residuals() const {
    List r = negative(e_.f);
    for (std::size_t i = 0; i < r.size(); ++i)
      for (const auto& [j, entry] : e_.M.row(static_cast<int>(i))) r[i] += entry * e_.a[static_cast<std::size_t>(j)];
    for (int row = 0; row < Phi_.rows(); ++row)
      for (const auto& [i, entry] : Phi_.row(row))
        r[static_cast<std::size_t>(i)] += entry * lambda_[static_cast<std::size_t>(row)];
    return r;
  }

  // Phi a - gamma + alpha phidot + beta phi
  List constraint_residuals() const {
    List c = negative(pull_);
    for (int row = 0; row < Phi_.rows(); ++row)
      for (const auto& [k, entry] : Phi_.row(row))
        c[static_cast<std::size_t>(row)] += entry * e_.a[static_cast<std::size_t>(k)];
    return c;
  }

  const Equations& e_;
  TracedMotion motion_;
  List leaves_, column_, lambda_, pull_;
  ExpressionMatrix Phi_;
  LeafMap known_;
};

}  // namespace

std::shared_ptr<const TangentPrograms> TangentPrograms::of(const System& system, double alpha, double beta) {
  if (!system.options().traced_solve) return nullptr;
  return std::shared_ptr<const TangentPrograms>(new TangentPrograms(system, alpha, beta));
}

TangentPrograms::TangentPrograms(const System& system, double alpha, double beta)
    : n_(system.layout()), used_rows_(static_cast<int>(system.options().independent_rows.size())) {
  TangentEquations equations(system, alpha, beta);
  List outputs = equations.rate();
  const std::size_t rates = outputs.size();
  if (used_rows_ > 0) append(outputs, equations.tangent());
  // one set of coefficients for both
  CommonPart part = split_common(outputs, equations.column());
  List inputs = part.leaves;
  append(inputs, equations.column());
  const int common = static_cast<int>(part.leaves.size());
  const auto program = [&](const List& rest) {
    return std::make_shared<const Program>(inputs, rest, std::vector<Pack>{}, common);
  };
  rate_ = program(slice(part.rest, 0, rates));
  if (used_rows_ > 0) tangent_ = program(slice(part.rest, rates, part.rest.size() - rates));
  append(part.values, equations.pivots());
  coefficients_ = system.make_program(part.values);
}

TangentEvaluator::TangentEvaluator(std::shared_ptr<const TangentPrograms> programs)
    : programs_(std::move(programs)),
      coefficients_of_(programs_->coefficients(), lane_count),
      rate_(programs_->rate(), lane_count),
      in_(static_cast<std::size_t>(programs_->coefficients()->input_count())),
      coefficients_(static_cast<std::size_t>(std::max(1, programs_->coefficients()->output_count()))) {
  const Layout& n = programs_->layout();
  if (programs_->tangent()) tangent_ = Evaluator(programs_->tangent(), lane_count);
  corrected_.resize(static_cast<std::size_t>(n.nq + n.nv));
}

void TangentEvaluator::set_parameters(const Eigen::VectorXd& parameters) {
  const Layout& n = programs_->layout();
  for (int i = 0; i < n.np; ++i) std::fill_n(in_[static_cast<std::size_t>(n.p() + i)].lane, lane_count, parameters[i]);
}

void TangentEvaluator::hold(const Eigen::VectorXd& d, const Eigen::VectorXd& w) {
  const Layout& n = programs_->layout();
  for (int i = 0; i < n.nd; ++i) std::fill_n(in_[static_cast<std::size_t>(n.d() + i)].lane, lane_count, d[i]);
  for (int i = 0; i < n.nw; ++i) std::fill_n(in_[static_cast<std::size_t>(n.w() + i)].lane, lane_count, w[i]);
}

void TangentEvaluator::set_state(int lane, double t, const Eigen::VectorXd& x) {
  in_[0][lane] = t;
  for (Eigen::Index i = 0; i < x.size(); ++i) in_[static_cast<std::size_t>(i + 1)][lane] = x[i];
}

// Lanes that are left over repeat what they had.
bool TangentEvaluator::compute(int count) {
  coefficients_of_(in_.data()->lane, coefficients_.data()->lane);
  const LaneMask wanted = (LaneMask{1} << count) - 1;
  const double least = step::Regularity::squared(step::Regularity::singular);
  return (step::regular<lane_count>(programs_->layout().nv, programs_->used_rows(), pivots(), least) & wanted) ==
         wanted;
}

TangentEvaluator::Pivots TangentEvaluator::pivots() const {
  const int nv = programs_->layout().nv, m = programs_->used_rows();
  const LaneRow* mass = coefficients_.data() + programs_->coefficients()->output_count() - nv - 2 * m;
  return {mass, mass + nv, mass + nv + m};
}

double TangentEvaluator::regularity(int lane) const {
  LaneRow ratio;
  step::pivot_ratios<lane_count>(programs_->layout().nv, programs_->used_rows(), pivots(), ratio);
  return std::sqrt(ratio[lane]);
}

void TangentEvaluator::make_tangent(int lane, LaneRow* columns) {
  if (!programs_->tangent()) return;
  tangent_(columns->lane, corrected_.data()->lane, coefficients_.data()->lane + lane);
  std::ranges::copy(corrected_, columns);
}

}  // namespace armature::internal
