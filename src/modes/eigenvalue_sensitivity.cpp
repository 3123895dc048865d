#include "modes/eigenvalue_sensitivity.hpp"

#include <limits>

#include "linear/decompositions.hpp"
#include "system/flow.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using List = std::vector<Expression>;
using Complex = std::complex<double>;

constexpr double repeated = 1e-10;  // second smallest singular value of P against the largest
// w' P'(s) phi against the size of its terms: it vanishes where eigenvectors fall together, and such an eigenvalue is known
// to the root of the round-off only, 1.5e-8.
constexpr double defective = 1e-7;

List make_leaves(Graph& graph, std::size_t count, const char* name) {
  List list;
  for (std::size_t k = 0; k < count; ++k) list.push_back(graph.input(name));
  return list;
}

// First and second derivatives of the residuals as a program of directions.
class Residuals {
 public:
  Residuals(const Equations& e, const std::vector<int>& dynamic, const std::vector<int>& rows)
      : e_(e), dynamic_(dynamic), rows_(rows) {
    write_residuals();
    Graph& graph = *e.graph;
    theta_ = make_leaves(graph, e.v.size(), "dtheta"), theta_v_ = make_leaves(graph, e.v.size(), "dtheta'");
    theta_a_ = make_leaves(graph, e.v.size(), "dtheta''"), zeta_ = make_leaves(graph, dynamic.size(), "dz");
    mu_ = make_leaves(graph, rows.size(), "dlambda");
    dq_ = make_leaves(graph, e.q.size(), "dq/dp"), dz_ = make_leaves(graph, dynamic.size(), "dz/dp");
    dlambda_ = make_leaves(graph, rows.size(), "dlambda/dp"), dp_ = make_leaves(graph, e.p.size(), "dp");
    compile();
  }

  int directions() const { return static_cast<int>(3 * e_.v.size() + zeta_.size() + mu_.size()); }
  int size() const { return static_cast<int>(residual_.size()); }
  StateProgram& program() { return *program_; }

 private:
  void write_residuals() {
    const std::size_t nv = e_.v.size();
    Derivative along_flow(flow_of_positions(e_));
    // The residuals of motion, M a - f + Phi' lambda, …
    List r;
    for (std::size_t i = 0; i < nv; ++i) {
      Expression sum = -e_.f[i];
      for (const auto& [j, entry] : e_.M.row(static_cast<int>(i))) sum += entry * e_.a[j];
      r.push_back(sum);
    }
    for (int row : rows_) {
      const Expression rate = along_flow(e_.rows[row].phi);
      for (std::size_t i = 0; i < nv; ++i) r[i] += Derivative({{e_.v[i].id(), 1.0}})(rate) * e_.lambda[row];
    }
    // … of the other states, and of the constraints.
    for (int k : dynamic_) r.push_back(-e_.zdot[k]);
    for (int row : rows_) r.push_back(e_.rows[row].phi);
    residual_ = r;
  }

  // phi: dq = N dtheta, dv = s dtheta, da = s^2 dtheta
  LeafMap along_mode() const {
    LeafMap velocity, map;
    for (std::size_t i = 0; i < e_.v.size(); ++i) velocity[e_.v[i].id()] = theta_[i];
    Substitution with_theta(velocity);
    for (std::size_t i = 0; i < e_.q.size(); ++i) map[e_.q[i].id()] = with_theta(e_.qdot[i]);
    for (std::size_t i = 0; i < e_.v.size(); ++i) map[e_.v[i].id()] = theta_v_[i], map[e_.a[i].id()] = theta_a_[i];
    for (std::size_t k = 0; k < dynamic_.size(); ++k) map[e_.z[dynamic_[k]].id()] = zeta_[k];
    for (std::size_t k = 0; k < rows_.size(); ++k) map[e_.lambda[rows_[k]].id()] = mu_[k];
    return map;
  }

  LeafMap along_equilibrium(bool parameters_only) const {
    LeafMap map;
    for (std::size_t k = 0; k < e_.p.size(); ++k) map[e_.p[k].id()] = dp_[k];
    if (parameters_only) return map;
    for (std::size_t i = 0; i < e_.q.size(); ++i) map[e_.q[i].id()] = dq_[i];
    for (std::size_t k = 0; k < dynamic_.size(); ++k) map[e_.z[dynamic_[k]].id()] = dz_[k];
    for (std::size_t k = 0; k < rows_.size(); ++k) map[e_.lambda[rows_[k]].id()] = dlambda_[k];
    return map;
  }

  void compile() {
    Derivative mode(along_mode()), way(along_equilibrium(false)), parameter(along_equilibrium(true));
    List outputs, further = e_.a;
    for (const Expression& r : residual_) outputs.push_back(way(mode(r)));
    for (const Expression& r : residual_) outputs.push_back(parameter(r));
    for (const List* list : std::initializer_list<const List*>{&e_.lambda, &theta_, &theta_v_, &theta_a_, &zeta_, &mu_,
                                                               &dq_, &dz_, &dlambda_, &dp_})
      further.insert(further.end(), list->begin(), list->end());
    program_ = std::make_unique<StateProgram>(e_, outputs, further);
  }

  const Equations& e_;
  const std::vector<int>&dynamic_, &rows_;
  List residual_, theta_, theta_v_, theta_a_, zeta_, mu_, dq_, dz_, dlambda_, dp_;
  std::unique_ptr<StateProgram> program_;
};

MatrixXcd pencil(const RestTerms& t, Complex s) {
  const auto nv = t.M.rows(), nz = t.zdot.size();
  MatrixXcd P = t.statics().cast<Complex>();
  P.topLeftCorner(nv, nv) += s * s * t.M + s * t.D;
  P.block(nv, 0, nz, nv) -= s * t.zv;
  P.block(nv, nv, nz, nz).diagonal().array() += s;
  return P;
}

// dP/ds phi
VectorXcd pencil_rate(const RestTerms& t, Complex s, const VectorXcd& phi) {
  const auto nv = t.M.rows(), nz = t.zdot.size();
  VectorXcd rate = VectorXcd::Zero(phi.size());
  rate.head(nv) = 2.0 * s * (t.M * phi.head(nv)) + t.D * phi.head(nv);
  rate.segment(nv, nz) = phi.segment(nv, nz) - t.zv * phi.head(nv);
  return rate;
}

// How large the terms of dP/ds phi are, row by row.
VectorXd pencil_rate_size(const RestTerms& t, Complex s, const VectorXcd& phi) {
  const auto nv = t.M.rows(), nz = t.zdot.size();
  const VectorXd v = phi.head(nv).cwiseAbs();
  VectorXd size(nv + nz);
  size.head(nv) = 2 * std::abs(s) * (t.M.cwiseAbs() * v) + t.D.cwiseAbs() * v;
  size.tail(nz) = phi.segment(nv, nz).cwiseAbs() + t.zv.cwiseAbs() * v;
  return size;
}

struct SmallestSingular {
  VectorXcd left, right;  // singular vectors of the smallest singular value
  double next, largest;   // singular values; the next above the smallest
};

// P (x + iy) has the parts of (Re P, -Im P; Im P, Re P)(x; y). This real matrix has each singular value of P twice, and either of
// the two pairs of vectors is a pair of P.
SmallestSingular smallest_singular(const MatrixXcd& P) {
  const auto n = P.rows();
  MatrixXd A(2 * n, 2 * n);
  A << P.real(), -P.imag(), P.imag(), P.real();
  const Svd of_A = svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto complex = [&](const VectorXd& parts) -> VectorXcd {
    return parts.head(n).cast<Complex>() + Complex(0, 1) * parts.tail(n).cast<Complex>();
  };
  const double next = n > 1 ? of_A.values[2 * n - 3] : std::numeric_limits<double>::infinity();
  return {complex(of_A.U.col(2 * n - 1)), complex(of_A.V.col(2 * n - 1)), next, of_A.values[0]};
}

struct NullVectors {
  VectorXcd right, left;  // left: w' P = 0 without conjugation
  bool simple = true;
};

// Of P after its rows and columns are brought to one size.
NullVectors null_vectors(const RestTerms& t, Complex s) {
  MatrixXcd P = pencil(t, s);
  const auto n = P.rows();
  // A few passes over rows and columns bring all to about one; the factors are undone in the vectors.
  VectorXd rows = VectorXd::Ones(n), columns = VectorXd::Ones(n);
  for (int pass = 0; pass < 5; ++pass)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = P.row(i).norm();
      if (row > 0) P.row(i) /= row, rows[i] /= row;
      const double column = P.col(i).norm();
      if (column > 0) P.col(i) /= column, columns[i] /= column;
    }
  const SmallestSingular of_P = smallest_singular(P);
  NullVectors result;
  result.right = of_P.right.cwiseProduct(columns.cast<Complex>());
  result.left = of_P.left.conjugate().cwiseProduct(rows.cast<Complex>());
  // An eigenvalue is simple where no other singular value is as small and the left vector is not perpendicular to
  // dP/ds of the right one.
  const VectorXd size = pencil_rate_size(t, s, result.right).cwiseProduct(rows.head(t.M.rows() + t.zdot.size()));
  const double product = std::abs((result.left.transpose() * pencil_rate(t, s, result.right))(0));
  result.simple =
      of_P.next > repeated * of_P.largest && product > defective * size.norm() * of_P.left.head(size.size()).norm();
  return result;
}

class Sensitivity {
 public:
  Sensitivity(const std::shared_ptr<const System>& system, const Equilibrium& equilibrium)
      : e_(system->equations()), n_(system->layout()), at_(system), residuals_(e_, at_.dynamic(), at_.rows()) {
    State state = equilibrium.state;
    at_.settle_comparisons(state);
    at_.evaluate(state, equilibrium.lambda, terms_);
    residuals_.program().set(state);
    VectorXd lambda = VectorXd::Zero(n_.m);
    for (std::size_t k = 0; k < at_.rows().size(); ++k) lambda[at_.rows()[k]] = equilibrium.lambda[k];
    further_ = VectorXd::Zero(n_.nv + n_.m + residuals_.directions() + n_.nq + nz() + m() + np());
    further_.segment(n_.nv, n_.m) = lambda;
    auto jacobian = at_.evaluator().make_jacobian();
    const VectorXd rest = VectorXd::Zero(n_.nv);
    at_.evaluator().jacobian(rest, lambda, jacobian);
    N_ = jacobian.qdot_v;
    follow_equilibrium();
  }

  Complex of(Complex s, const NullVectors& null, Eigen::Index p) {
    const VectorXcd change = mode_change(s, null.right, p);
    const Complex rate = (null.left.transpose() * pencil_rate(terms_, s, null.right))(0);
    return -(null.left.transpose() * change)(0) / rate;
  }
  const RestTerms& terms() const { return terms_; }

 private:
  Eigen::Index nz() const { return static_cast<Eigen::Index>(at_.dynamic().size()); }
  Eigen::Index m() const { return static_cast<Eigen::Index>(at_.rows().size()); }
  Eigen::Index np() const { return static_cast<Eigen::Index>(e_.p.size()); }
  Eigen::Index directions_begin() const { return n_.nv + n_.m; }
  Eigen::Index way_begin() const { return directions_begin() + residuals_.directions(); }

  // d(q, z, lambda)/dp: statics times it equals -d(residual)/dp.
  void follow_equilibrium() {
    MatrixXd right(residuals_.size(), np());
    for (Eigen::Index p = 0; p < np(); ++p) {
      further_.tail(np()).setZero();
      further_[further_.size() - np() + p] = 1;
      residuals_.program().set_further(further_);
      right.col(p) = -residuals_.program().evaluate().tail(residuals_.size());
    }
    const MatrixXd d = solve_square(terms_.rest(), right);
    way_.resize(n_.nq + nz() + m(), np());
    way_.topRows(n_.nq) = N_ * d.topRows(n_.nv);
    way_.bottomRows(nz() + m()) = d.bottomRows(nz() + m());
  }

  // dP/dp phi, real and imaginary parts one after the other: it is linear in phi.
  VectorXcd mode_change(Complex s, const VectorXcd& phi, Eigen::Index p) {
    const auto nv = n_.nv;
    // The directions of q, v, a and the rest: a mode's velocity is s times its position.
    VectorXcd direction(residuals_.directions());
    direction << phi.head(nv), s * phi.head(nv), s * s * phi.head(nv), phi.tail(nz() + m());
    // The way in which the equilibrium moves with the parameter, and the parameter itself.
    further_.segment(way_begin(), way_.rows()) = way_.col(p);
    further_.tail(np()).setZero();
    further_[further_.size() - np() + p] = 1;
    VectorXcd change(residuals_.size());
    for (const bool imaginary : {false, true}) {
      further_.segment(directions_begin(), direction.size()) =
          imaginary ? VectorXd(direction.imag()) : VectorXd(direction.real());
      residuals_.program().set_further(further_);
      const VectorXd part = residuals_.program().evaluate().head(residuals_.size());
      if (imaginary)
        change.imag() = part;
      else
        change.real() = part;
    }
    return change;
  }

  const Equations& e_;
  const Layout& n_;
  RestState at_;
  Residuals residuals_;
  RestTerms terms_;
  MatrixXd N_, way_;
  VectorXd further_;
};

}  // namespace

MatrixXcd eigenvalue_sensitivity(const std::shared_ptr<const System>& system, const Equilibrium& equilibrium,
                                 const std::vector<Complex>& eigenvalues) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Sensitivity sensitivity(system, equilibrium);
  const auto parameters = static_cast<Eigen::Index>(system->equations().p.size());
  MatrixXcd result(static_cast<Eigen::Index>(eigenvalues.size()), parameters);
  for (Eigen::Index k = 0; k < result.rows(); ++k) {
    const NullVectors null = null_vectors(sensitivity.terms(), eigenvalues[k]);
    for (Eigen::Index p = 0; p < parameters; ++p)
      result(k, p) = null.simple ? sensitivity.of(eigenvalues[k], null, p) : Complex(unknown, unknown);
  }
  return result;
}

}  // namespace armature::internal
