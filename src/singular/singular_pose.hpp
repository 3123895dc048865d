// Singularities of a pose, told apart. With the rates of the active (driven) coordinates v_a = J_a v and of the output
// w = J_o v,
//
//   rank drop   Phi itself loses rank: the loops hold one freedom less than elsewhere
//   type II     [J_a; Phi] is singular: something can move while the drives stand (the platform is not held)
//   type I      [J_o; Phi] is singular: drives can move while the output stands (it cannot go on in some direction)
//
// Smallest singular values are taken in the kinetic metric, rows of length one: pure numbers between 0 and 1, zero where
// singular. Below `Regularity::singular` a pose counts as singular: it is known to the integrator's error only. Determinants have
// a sign, whose changes are crossings; there is one where drives (outputs) are as many as freedoms.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "system/system.hpp"

namespace armature::internal {

enum class SingularityKind { type_I, type_II, rank_drop };
const char* to_string(SingularityKind kind);

// What is driven and what is meant by output, as scalars of the model with their rates.
struct SingularityFrame {
  std::vector<std::string> active, output;  // names
  std::vector<Expression> active_rates, output_rates;
  int freedoms = 0;
  bool loops = false;               // there are constraints, which may lose rank
  int rank = 0;                     // theirs, elsewhere
  bool chosen_by_pivoting = false;  // the model has no drives: independent coordinates of the start
  std::vector<std::string> notes;

  // Whether a pose can be singular in this way and regular elsewhere: with fewer drives (outputs) than freedoms something
  // can always move.
  bool follows(SingularityKind kind) const;
};

// active, output: names of coordinates or recorded quantities; empty: the drives; the passive coordinates where these are as
// many as freedoms (else there is no output). Throws RequestError.
SingularityFrame singularity_frame(const Model& model, const Prepared& prepared, const std::vector<std::string>& active,
                                   const std::vector<std::string>& output);

struct PoseMeasures {
  int rank = 0;                                 // of Phi: singular values from Regularity::singular on
  double sigma = 1, sigma_I = 1, sigma_II = 1;  // smallest singular values; 1 where there is nothing to lose
  double det_I = 0, det_II = 0;                 // NaN: not square

  double sigma_of(SingularityKind kind) const;
  double det_of(SingularityKind kind) const;  // NaN of a rank drop
};

class SingularPose {
 public:
  SingularPose(std::shared_ptr<const System> system, const SingularityFrame& frame);
  ~SingularPose();
  PoseMeasures measure(const State& state);

  // The velocity that a singular pose leaves free, of kinetic length one; and the constraint rows that fail to hold it, by
  // weight (of norm one).
  struct NullDirection {
    Eigen::VectorXd v, rows;
  };
  NullDirection null_direction(const State& state, SingularityKind kind);
  const std::vector<int>& rows() const { return rows_; }  // independent constraint rows
  SystemEvaluator& evaluator() { return evaluator_; }

 private:
  class Rates;
  void evaluate(const State& state);
  Eigen::MatrixXd stacked(const Eigen::MatrixXd& J) const;  // [J; Phi] on the independent rows
  Eigen::MatrixXd scaled(const Eigen::MatrixXd& X) const;   // rows of length one in the kinetic metric

  SystemEvaluator evaluator_;
  std::vector<int> rows_;
  std::unique_ptr<Rates> active_, output_;
  Terms terms_;
  Eigen::MatrixXd Ja_, Jo_;
};

}  // namespace armature::internal
