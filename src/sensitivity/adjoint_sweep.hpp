// Gradients of a few results by many parameters: from the end of a recorded motion to its start, entry by entry. Between events adjoints follow
// adjoint_path.hpp, across events and samples adjoint_jump.hpp; where a result looks at the motion, they gain the gradient of what it sees.
//
//   begin(…)   back(record)   [back(record of what comes before)]   gradient
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sensitivity/adjoint_jump.hpp"
#include "sensitivity/adjoint_path.hpp"
#include "sensitivity/start_sensitivity.hpp"

namespace armature::internal {

// What results see of a motion, to first order; each weight is a row, one entry a result.
struct ResultSeeds {
  struct Point {  // a formula at a time of a piece
    double t = 0;
    int formula = 0;
    Eigen::RowVectorXd weights;
  };
  struct Integral {
    int formula = 0;
    double from = 0, to = 0;
    Eigen::RowVectorXd weights;
  };
  Eigen::Index results = 0;
  std::map<long, std::vector<Point>> points;               // by entries of the record
  std::map<long, std::vector<AdjointJump::Shift>> shifts;  // likewise
  std::vector<Integral> integrals;
};

// Made once (it writes expressions into the graph), then copied, one per thread.
class AdjointSweep {
 public:
  // observed: formulas that results look at. tables: those by whose points is differentiated.
  AdjointSweep(const std::shared_ptr<const System>& system, const MotionSensitivity& motion, double alpha, double beta,
               const std::vector<Expression>& observed, const std::vector<int>& tables = {});

  // Why there are no adjoints: a sentence without its subject. Empty: there are.
  static std::string missing(const Prepared& prepared, const std::vector<int>& tables);

  // prepared: the run, with its start as assembled.
  void begin(const Prepared& prepared, ResultSeeds seeds);
  // Over all that the record has, and behind which everything is done. False: failure() says why there are no gradients.
  bool back(const MotionRecord& record);
  const std::string& failure() const { return failure_; }

  // At the start of the motion: what results owe to the state there and, by themselves, to the parameters.
  const Eigen::MatrixXd& lambda() const { return path_.lambda(); }
  const TableGradient& tables(Eigen::Index result) { return path_.tables()[static_cast<std::size_t>(result)]; }
  long evaluations() const { return path_.evaluations(); }
  const MotionAdjoint& adjoint() const { return path_.adjoint(); }
  // Comparisons that slide from the start on, with the gradients of their roots: nearby starts must have them at zero, too.
  const std::vector<std::pair<std::string, Eigen::VectorXd>>& held_at_start() const { return held_at_start_; }

 private:
  bool back_over(const RecordedPiece& piece, const std::vector<ResultSeeds::Point>& points);
  bool back_over(const RecordedSample& sample, bool start);
  std::vector<double> breaks(const RecordedPiece& piece, const std::vector<ResultSeeds::Point>& points) const;
  Eigen::MatrixXd running_weights(double from, double until) const;

  AdjointPath path_;
  AdjointJump jump_;
  Eigen::Index observed_;
  TableGradient no_tables_;  // zeros, to begin with
  ResultSeeds seeds_;
  std::vector<std::pair<std::string, Eigen::VectorXd>> held_at_start_;
  std::string failure_;
};

// The start by the parameters that it depends on (start_sensitivity.hpp): gradient = lambda_p + (dx(0)/dp)' lambda_x. Made once, then copied.
class AdjointStart {
 public:
  explicit AdjointStart(const std::shared_ptr<const System>& system);

  // prepared: with its start assembled; scales: one per parameter. gradients: results x parameters. False: failure().
  bool operator()(const Prepared& prepared, KnownPositions& known, const Eigen::VectorXd& scales, AdjointSweep& sweep,
                  Eigen::MatrixXd& gradients);
  const std::string& failure() const { return failure_; }

 private:
  StartSensitivity start_;
  std::vector<Eigen::Index> parameters_;  // those that the start depends on
  std::string failure_;
};

}  // namespace armature::internal
