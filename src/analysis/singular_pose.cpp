#include "analysis/singular_pose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "analysis/request_error.hpp"
#include "analysis/state_program.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/determinants.hpp"

namespace armature {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::size_t largest_determinant = 10;  // rows that are not those of single coordinates
using List = std::vector<Expression>;

List gradient(Expression rate, const List& v) {
  List row;
  for (const Expression& leaf : v) row.push_back(Derivative({{leaf.id(), 1.0}})(rate));
  return row;
}

// The rate of a coordinate or of a recorded quantity, which an option has named.
Expression rate_of(const Equations& e, const std::string& name, const char* option) {
  for (std::size_t i = 0; i < e.velocities.size(); ++i)
    if (e.velocities[i].name == name + "'") return e.v[i];
  std::vector<std::string> known;
  for (const Coordinate& position : e.positions) known.push_back(position.name);
  for (const Quantity& quantity : e.quantities) {
    if (quantity.name == name) {
      for (const Expression& v : e.v)
        if (depends_on(quantity.value, v)) throw RequestError(fmt::format("{} {}: is no position", option, name));
      return Derivative(flow_of_positions(e))(quantity.value);
    }
    known.push_back(quantity.name);
  }
  const auto near = nearest_name(name, known);
  throw RequestError(fmt::format("{} {}: is neither a coordinate nor a recorded quantity{}", option, name,
                                 near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
}

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::vector<std::string> driven(const Model& model) {
  std::vector<std::string> names;
  for (const DcMotor& motor : model.motors) add_once(names, motor.on);
  for (const Effort& effort : model.efforts) add_once(names, effort.on);
  return names;
}

// As many coordinates as there are freedoms, those whose columns of Phi a pivoted QR takes last.
std::vector<std::string> pivoted(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  Terms terms = evaluator.make_terms();
  evaluator.set(prepared.start.t, prepared.start.x.data());
  evaluator.position(terms);
  const auto rank = static_cast<Eigen::Index>(prepared.system->options().independent_rows.size());
  const MatrixXd weighed = terms.Phi * terms.M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(weighed);
  const Equations& e = prepared.system->equations();
  std::vector<int> order;
  for (Eigen::Index k = rank; k < terms.M.rows(); ++k) order.push_back(qr.colsPermutation().indices()[k]);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (int k : order) names.push_back(e.velocities[k].name.substr(0, e.velocities[k].name.size() - 1));
  return names;
}

double smallest_singular_value(const MatrixXd& X) {
  if (X.rows() == 0 || X.cols() == 0) return 1;
  if (X.rows() < X.cols()) return Eigen::JacobiSVD<MatrixXd>(X).singularValues().tail(1)[0];
  return Eigen::JacobiSVD<MatrixXd>(X).singularValues()[X.cols() - 1];
}

}  // namespace

const char* to_string(SingularityKind kind) {
  switch (kind) {
    case SingularityKind::type_I: return "type I";
    case SingularityKind::type_II: return "type II";
    default: return "rank drop";
  }
}

SingularityFrame singularity_frame(const Model& model, const Prepared& prepared, const std::vector<std::string>& active,
                                   const std::vector<std::string>& output) {
  const Equations& e = prepared.system->equations();
  SingularityFrame frame;
  frame.freedoms = static_cast<int>(e.v.size() - prepared.system->options().independent_rows.size());
  frame.active = active.empty() ? driven(model) : active;
  if (frame.active.empty()) {
    frame.active = pivoted(prepared);
    frame.chosen_by_pivoting = true;
    frame.notes.push_back(fmt::format("the model has no drives: {} taken as active (--active names others)",
                                      fmt::join(frame.active, ", ")));
  }
  for (const std::string& name : frame.active) frame.active_rates.push_back(rate_of(e, name, "--active"));
  frame.output = output;
  if (output.empty()) {  // the passive coordinates, where they can tell the pose
    std::vector<std::string> passive;
    for (const Coordinate& position : e.positions)
      if (std::find(frame.active.begin(), frame.active.end(), position.name) == frame.active.end())
        passive.push_back(position.name);
    if (static_cast<int>(passive.size()) == frame.freedoms && e.quaternions.empty()) frame.output = passive;
  }
  for (const std::string& name : frame.output) frame.output_rates.push_back(rate_of(e, name, "--moves"));
  const auto count = [&](const char* what, std::size_t have) {
    if (static_cast<int>(have) != frame.freedoms)
      frame.notes.push_back(
          fmt::format("{} {} for {} freedoms: there is no determinant to change sign", have, what, frame.freedoms));
  };
  count("active coordinates", frame.active.size());
  if (frame.output.empty())
    frame.notes.push_back("no output is known: --moves names it, for singularities of type I");
  else
    count("outputs", frame.output.size());
  return frame;
}

std::optional<Expression> singularity_determinant(const System& system, const List& rates) {
  const Equations& e = system.equations();
  const std::vector<int>& rows = system.options().independent_rows;
  if (rates.size() + rows.size() != e.v.size()) return std::nullopt;
  std::vector<List> matrix, full;
  for (const Expression& rate : rates) {  // rows of one entry first: they cost nothing
    List row = gradient(rate, e.v);
    const auto entries = std::count_if(row.begin(), row.end(), [](const Expression& x) { return !x.is(0); });
    (entries == 1 ? matrix : full).push_back(std::move(row));
  }
  Derivative along_flow(flow_of_positions(e));
  for (int row : rows) full.push_back(gradient(along_flow(e.rows[row].phi), e.v));
  if (full.size() > largest_determinant) return std::nullopt;
  matrix.insert(matrix.end(), full.begin(), full.end());
  return determinant(matrix);
}

// Gradients of some rates at a state.
class SingularPose::Rates {
 public:
  Rates(const Equations& e, const List& rates)
      : count_(static_cast<Eigen::Index>(rates.size())), program_(make(e, rates)) {}
  MatrixXd operator()(const State& state) {
    program_.set(state);
    const VectorXd& out = program_.evaluate();
    const Eigen::Index nv = count_ == 0 ? 0 : out.size() / count_;
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(out.data(), count_, nv);
  }

 private:
  static StateProgram make(const Equations& e, const List& rates) {
    List outputs;
    for (const Expression& rate : rates) {
      const List row = gradient(rate, e.v);
      outputs.insert(outputs.end(), row.begin(), row.end());
    }
    return StateProgram(e, outputs);
  }
  Eigen::Index count_;
  StateProgram program_;
};

SingularPose::SingularPose(std::shared_ptr<const System> system, const SingularityFrame& frame)
    : evaluator_(std::move(system)),
      rows_(evaluator_.system().options().independent_rows),
      active_(std::make_unique<Rates>(evaluator_.system().equations(), frame.active_rates)),
      output_(std::make_unique<Rates>(evaluator_.system().equations(), frame.output_rates)),
      terms_(evaluator_.make_terms()) {}

SingularPose::~SingularPose() = default;

void SingularPose::evaluate(const State& state) {
  evaluator_.set(state.t, state.x.data());
  evaluator_.set_discrete(state.d);
  evaluator_.set_modes(state.w);
  evaluator_.position(terms_);
  Ja_ = (*active_)(state);
  Jo_ = (*output_)(state);
}

MatrixXd SingularPose::stacked(const MatrixXd& J) const {
  MatrixXd X(J.rows() + static_cast<Eigen::Index>(rows_.size()), terms_.M.rows());
  X.topRows(J.rows()) = J;
  X.bottomRows(static_cast<Eigen::Index>(rows_.size())) = terms_.Phi(rows_, Eigen::all);
  return X;
}

// X L^-T; rows of one constraint and unit are components of one vector and keep their proportions.
MatrixXd SingularPose::scaled(const MatrixXd& X) const {
  const Eigen::LLT<MatrixXd> llt(terms_.M);
  MatrixXd W = llt.matrixL().solve(X.transpose()).transpose();
  const std::vector<int> groups = row_groups(evaluator_.system().equations());
  const Eigen::Index first = X.rows() - static_cast<Eigen::Index>(rows_.size());
  for (Eigen::Index i = 0; i < first; ++i)
    if (W.row(i).norm() > 0) W.row(i).normalize();
  const MatrixXd before = W;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double square = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (groups[rows_[k]] == groups[rows_[i]])
        square += before.row(first + static_cast<Eigen::Index>(k)).squaredNorm();
    if (square > 0) W.row(first + static_cast<Eigen::Index>(i)) /= std::sqrt(square);
  }
  return W;
}

PoseMeasures SingularPose::measure(const State& state) {
  evaluate(state);
  PoseMeasures result;
  const MatrixXd none(0, terms_.M.rows());
  const MatrixXd Phi = scaled(stacked(none));
  if (Phi.rows() > 0) {
    const VectorXd values = Eigen::JacobiSVD<MatrixXd>(Phi).singularValues();
    result.sigma = values.tail(1)[0];
    result.rank = static_cast<int>((values.array() > rank_tolerance).count());
  }
  const auto look = [&](const MatrixXd& J, double& sigma, double& det) {
    const MatrixXd X = stacked(J);
    det = X.rows() == X.cols() ? X.determinant() : std::numeric_limits<double>::quiet_NaN();
    sigma = J.rows() == 0 ? 1 : X.rows() < X.cols() ? 0 : smallest_singular_value(scaled(X));
  };
  look(Ja_, result.sigma_II, result.det_II);
  look(Jo_, result.sigma_I, result.det_I);
  return result;
}

SingularPose::NullDirection SingularPose::null_direction(const State& state, SingularityKind kind) {
  evaluate(state);
  const MatrixXd none(0, terms_.M.rows());
  // a rank drop is looked at with the drives standing, too: what moves then is what the loops fail to hold
  const MatrixXd& J = kind == SingularityKind::type_I ? Jo_ : Ja_;
  const MatrixXd W = scaled(stacked(J));
  const Eigen::JacobiSVD<MatrixXd> svd(W, Eigen::ComputeFullU | Eigen::ComputeFullV);
  NullDirection result;
  result.v = Eigen::LLT<MatrixXd>(terms_.M).matrixU().solve(svd.matrixV().col(W.cols() - 1));
  const auto count = static_cast<Eigen::Index>(rows_.size());
  result.rows = svd.matrixU().col(std::min(W.rows(), W.cols()) - 1).tail(count).cwiseAbs();
  if (kind == SingularityKind::rank_drop && count > 0) {
    const Eigen::JacobiSVD<MatrixXd> loops(scaled(stacked(none)), Eigen::ComputeFullU);
    result.rows = loops.matrixU().col(count - 1).cwiseAbs();
  }
  if (result.rows.norm() > 0) result.rows.normalize();
  return result;
}

}  // namespace armature
