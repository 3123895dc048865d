#include "singular/singular_pose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "linear/decompositions.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/counted.hpp"
#include "model/request_error.hpp"
#include "system/flow.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using List = std::vector<Expression>;

// Of the coordinate whose rate it is; an angular velocity of a ball joint has none, and keeps its own name.
std::string name_of(const Coordinate& velocity) {
  const std::string& name = velocity.name;
  return name.ends_with("'") ? name.substr(0, name.size() - 1) : name;
}

// The rate of a coordinate or of a recorded quantity, which an option has named; or an angular velocity itself.
Expression rate_of(const Equations& e, const std::string& name, const char* option) {
  std::vector<std::string> known;
  // A coordinate by its velocity …
  for (std::size_t i = 0; i < e.velocities.size(); ++i) {
    known.push_back(name_of(e.velocities[i]));
    if (known.back() == name) return e.v[i];
  }
  // … or a quantity by its derivative along the velocities, if it depends on positions only.
  for (const Quantity& quantity : e.quantities) {
    if (quantity.name == name) {
      for (const Expression& v : e.v)
        if (depends_on(quantity.value, v)) throw RequestError(fmt::format("{} {}", option, name), "is not a position");
      return Derivative(flow_of_positions(e))(quantity.value);
    }
    known.push_back(quantity.name);
  }
  const auto near = nearest_name(name, known);
  throw RequestError(fmt::format("{} {}", option, name), "is neither a coordinate nor a recorded quantity" +
                                                             (near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
}

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::vector<std::string> driven(const Model& model) {
  std::vector<std::string> names;
  for (const Drive& drive : model.drives)
    if (!drive.on.empty()) add_once(names, drive.on);  // but a supply
  for (const ForceElement& element : model.forces)
    if (!element.kind->input().empty())
      for (const std::string& on : element.on) add_once(names, on);
  return names;
}

// As many coordinates as there are freedoms, those whose columns of Phi a pivoted QR takes last. Angular velocities of ball
// joints, which are no coordinates, are to be found first.
std::vector<std::string> pivoted(const Prepared& prepared) {
  constexpr double first = 1e3;
  SystemEvaluator evaluator(prepared.system);
  Terms terms = evaluator.make_terms();
  evaluator.set(prepared.start.t, prepared.start.x.data());
  evaluator.position(terms);
  const Equations& e = prepared.system->equations();
  const auto rank = static_cast<Eigen::Index>(prepared.system->options().independent_rows.size());
  // Columns in the kinetic metric, those without a coordinate made so large that they are taken first.
  MatrixXd weighed = terms.Phi * terms.M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  for (Eigen::Index k = 0; k < weighed.cols(); ++k)
    if (!e.velocities[static_cast<std::size_t>(k)].name.ends_with("'")) weighed.col(k) *= first;
  const Eigen::VectorXi pivots = pivot_order(weighed);
  // What is taken after the rank is free.
  std::vector<int> order;
  for (Eigen::Index k = rank; k < terms.M.rows(); ++k) order.push_back(pivots[k]);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (int k : order) names.push_back(name_of(e.velocities[static_cast<std::size_t>(k)]));
  return names;
}

void choose_active(const Model& model, const Prepared& prepared, SingularityFrame& frame) {
  if (frame.active.empty()) frame.active = driven(model);
  if (!frame.active.empty()) return;
  if (frame.freedoms == 0) {
    frame.notes.push_back("the constraints leave no degree of freedom to drive");
    return;
  }
  frame.active = pivoted(prepared);
  frame.chosen_by_pivoting = true;
  frame.notes.push_back(fmt::format("the model has no drives: {} taken as active (--active names others)",
                                    fmt::join(frame.active, ", ")));
}

// The passive coordinates, where they can tell the pose.
void choose_output(const Equations& e, SingularityFrame& frame) {
  if (!frame.output.empty()) return;
  std::vector<std::string> passive;
  for (const Coordinate& position : e.positions)
    if (std::find(frame.active.begin(), frame.active.end(), position.name) == frame.active.end())
      passive.push_back(position.name);
  if (static_cast<int>(passive.size()) == frame.freedoms && e.quaternions.empty()) frame.output = passive;
}

void note_counts(SingularityFrame& frame) {
  const auto freedoms = static_cast<std::size_t>(frame.freedoms);
  const auto note = [&](std::size_t have, const char* noun, const char* kind, const char* fewer) {
    if (have == freedoms || have == 0) return;
    const std::string counts = fmt::format("{} for {}", counted(static_cast<long>(have), noun),
                                           counted(static_cast<long>(freedoms), "degree of freedom"));
    frame.notes.push_back(
        have < freedoms
            ? fmt::format("{}: {}, so {} is not searched for", counts, fewer, kind)
            : fmt::format("{}: no determinant changes sign, but {} is found where it touches zero", counts, kind));
  };
  note(frame.active.size(), "active coordinate", "type II", "something can always move while the drives are at rest");
  if (frame.output.empty() && frame.freedoms > 0)
    frame.notes.push_back("no output is named, so type I is not searched for (--moves)");
  note(frame.output.size(), "output", "type I", "the drives can always move while the output is at rest");
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
  frame.loops = !e.rows.empty();
  frame.rank = static_cast<int>(prepared.system->options().independent_rows.size());
  frame.active = active;
  frame.output = output;
  choose_active(model, prepared, frame);
  choose_output(e, frame);
  for (const std::string& name : frame.active) frame.active_rates.push_back(rate_of(e, name, "active"));
  for (const std::string& name : frame.output) frame.output_rates.push_back(rate_of(e, name, "moves"));
  note_counts(frame);
  return frame;
}

bool SingularityFrame::follows(SingularityKind kind) const {
  const auto enough = [&](const List& rates) { return !rates.empty() && static_cast<int>(rates.size()) >= freedoms; };
  return kind == SingularityKind::rank_drop ? loops
                                            : enough(kind == SingularityKind::type_I ? output_rates : active_rates);
}

double PoseMeasures::sigma_of(SingularityKind kind) const {
  return kind == SingularityKind::type_I ? sigma_I : kind == SingularityKind::type_II ? sigma_II : sigma;
}

double PoseMeasures::det_of(SingularityKind kind) const {
  return kind == SingularityKind::type_I    ? det_I
         : kind == SingularityKind::type_II ? det_II
                                            : std::numeric_limits<double>::quiet_NaN();
}

// Gradients of some rates at a state.
class SingularPose::Rates {
 public:
  Rates(const Equations& e, const List& rates)
      : count_(static_cast<Eigen::Index>(rates.size())),
        nv_(static_cast<Eigen::Index>(e.v.size())),
        program_(make(e, rates)) {}
  MatrixXd operator()(const State& state) {
    program_.set(state);
    const VectorXd& out = program_.evaluate();
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(out.data(), count_, nv_);
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
  Eigen::Index count_, nv_;
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
  evaluator_.set(state);
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
  MatrixXd W = over_cholesky(X, terms_.M);
  const std::vector<int> groups = row_groups(evaluator_.system().equations());
  const Eigen::Index first = X.rows() - static_cast<Eigen::Index>(rows_.size());
  // rows of drives or outputs by themselves
  for (Eigen::Index i = 0; i < first; ++i)
    if (W.row(i).norm() > 0) W.row(i).normalize();
  // rows of Phi by the norm of their group
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
  // the loops alone: rank of Phi
  const MatrixXd none(0, terms_.M.rows());
  const MatrixXd Phi = scaled(stacked(none));
  if (Phi.rows() > 0) {
    const VectorXd values = singular_values(Phi);
    result.sigma = values.tail(1)[0];
    result.rank = static_cast<int>((values.array() >= Regularity::singular).count());
  }
  // the loops with the drives standing (type II), or with the output standing (type I)
  const auto look = [&](const MatrixXd& J, double& sigma, double& det) {
    const MatrixXd X = stacked(J);
    det = X.rows() == X.cols() ? determinant(X) : std::numeric_limits<double>::quiet_NaN();
    sigma = J.rows() == 0 ? 1 : X.rows() < X.cols() ? 0 : singular_values(scaled(X)).tail(1)[0];
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
  const Svd of_W = svd(W, Eigen::ComputeFullU | Eigen::ComputeFullV);
  NullDirection result;
  result.v = upper_solve(terms_.M, VectorXd(of_W.V.col(W.cols() - 1)));
  const auto count = static_cast<Eigen::Index>(rows_.size());
  result.rows = of_W.U.col(std::min(W.rows(), W.cols()) - 1).tail(count).cwiseAbs();
  if (kind == SingularityKind::rank_drop && count > 0) {
    const Svd loops = svd(scaled(stacked(none)), Eigen::ComputeFullU);
    result.rows = loops.U.col(count - 1).cwiseAbs();
  }
  if (result.rows.norm() > 0) result.rows.normalize();
  return result;
}

}  // namespace armature::internal
