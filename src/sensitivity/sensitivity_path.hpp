// S along the motion of a run, step by step.
//
// The run goes its own way: its steps, and every bit of them, are those of a run without sensitivities. Beside each step S is integrated on
// the dense output of x, by Dormand and Prince's method over one or more equal parts of the step. Its own error estimate decides how many
// parts: nearly always one, since S varies as the motion does; more where S varies faster, where the run's own method takes longer steps
// (dop853), and where an implicit method steps over a fast decay that an explicit one has to follow.
//
// S obeys a linear equation along a motion that is known, so the coefficients at all stages of a part are computed at once, in lanes, and
// then serve all columns, eight at a time (tangent_programs.hpp). Where comparisons slide, near singular poses and in systems without a
// traced solve, each stage is set by itself (motion_sensitivity.hpp).
//
//   begin(run, S)   advance(step, until)   at(t)   advance(…) …
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "integrate/step.hpp"
#include "sensitivity/column_packs.hpp"
#include "sensitivity/motion_sensitivity.hpp"

namespace armature::internal {

class SensitivityPath {
 public:
  explicit SensitivityPath(const MotionSensitivity& sensitivity);

  MotionSensitivity& sensitivity() { return sensitivity_; }
  // prepared: the run, with its tolerances.
  void begin(const Prepared& prepared, const Eigen::MatrixXd& S);
  // From `from` to `until`, inside the step. held: discrete values and outcomes of this piece. False: S has no value.
  bool advance(const Step& step, const State& held, double from, double until);
  const std::string& failure() const { return failure_; }  // why it has none
  double regularity() const;                               // of the pose at the end of the last piece: a sine
  // At the end of the last piece; the caller may change it there (an event, a sample).
  const Eigen::MatrixXd& S() const;
  Eigen::MatrixXd& S();
  // Inside the last piece, by dense output of order four.
  void at(double t, Eigen::MatrixXd& S);

 private:
  using MatrixXd = Eigen::MatrixXd;
  using Rows = std::vector<LaneRow>;
  static constexpr int stages = 7;  // the last one is at the end of a part, where the one before it is
  static constexpr int dense = 4;   // coefficients of the dense output, step/tableau.hpp
  // Rows of dx, one pack behind the other; in each pack one stage or coefficient behind the other.
  struct Part {
    double t = 0, h = 0;
    Rows x0, x1, k, F;
    bool has_dense = false;
  };

  void set_floor(const Eigen::VectorXd& atol, const Eigen::VectorXd& parameters, const MatrixXd& S);
  void hold(const State& held);
  void take_columns();
  void go_back();
  bool take_parts(const Step& step, double from, double until);  // sets error_
  void set_stages(const Step& step, const Part& part, double end);
  bool take_part(Part& part);
  bool begin_part(Part& part);
  bool end_part(Part& part);
  bool find_rates(int at, const ColumnPacks& columns, int stage, Part& part);
  bool set_state(int at);
  bool fails_at(int at);
  void make_tangent(int at);
  void measure_error(const Part& part);
  void make_dense(Part& part) const;
  LaneRow* rates(Part& part, int pack, int stage) const { return part.k.data() + (pack * stages + stage) * nx_; }
  const LaneRow* rates(const Part& part, int pack, int stage) const {
    return part.k.data() + (pack * stages + stage) * nx_;
  }

  MotionSensitivity sensitivity_;
  std::optional<TangentEvaluator> tangents_;  // nothing: the system has no traced solve
  int nx_ = 0;
  double tolerance_ = 0;
  std::vector<int> tested_;  // entries of x that the error test looks at: all but the ledger of energy
  State state_;              // where S is looked at
  // the stages of a part
  std::array<double, stages - 1> times_{};
  std::array<Eigen::VectorXd, stages - 1> states_;
  bool in_lanes_ = false;  // the evaluator has their coefficients
  // S: as a matrix, which the caller may change, and in packs
  mutable MatrixXd S_;
  mutable bool matrix_is_old_ = false;
  bool packs_are_old_ = true, rate_is_known_ = false;
  ColumnPacks columns_, stage_;
  Rows last_rate_, zeros_, errors_, seen_, floor_;  // seen: the largest values so far; floor: errors that do not count
  MatrixXd S_stage_, rate_;
  std::vector<Part> parts_;
  int count_ = 1;  // parts of the next step
  std::string failure_;
  double error_ = 0;  // of the worst part, 1: as large as allowed
};

}  // namespace armature::internal
