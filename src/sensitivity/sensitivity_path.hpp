// S along the motion of a run, step by step.
//
// The run goes its own way: its steps, and every bit of them, are those of a run without sensitivities. Beside each step S is integrated on
// the dense output of x, by Dormand and Prince's method over one or more equal parts of the step. Its own error estimate decides how many
// parts: nearly always one, since S varies as the motion does; more where S varies faster, where the run's own method takes longer steps
// (dop853), and where an implicit method steps over a fast decay that an explicit one has to follow.
//
//   begin(run, S)   advance(step, until)   at(t)   advance(…) …
#pragma once

#include <array>
#include <string>
#include <vector>

#include "integrate/step.hpp"
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
  // At the end of the last piece; the caller may change it there (an event, a sample).
  const Eigen::MatrixXd& S() const { return S_; }
  Eigen::MatrixXd& S() { return S_; }
  // Inside the last piece, by dense output of order four.
  void at(double t, Eigen::MatrixXd& S) const;

 private:
  using MatrixXd = Eigen::MatrixXd;
  static constexpr int stages = 7;  // the last one is at the end of a part
  static constexpr int dense = 4;   // coefficients of the dense output, step/tableau.hpp
  struct Part {
    double t = 0, h = 0;
    MatrixXd x0;
    std::array<MatrixXd, dense> F;
  };

  void set_floor(const Eigen::VectorXd& atol, const Eigen::VectorXd& parameters, const MatrixXd& S);
  bool take_parts(const Step& step, double from, double until);  // sets error_
  bool take_part(const Step& step, double t, double h, bool last, double until, Part& part);
  bool rate_at(const Step& step, double t, const MatrixXd& S, MatrixXd& rate);
  void measure_error(double h);

  MotionSensitivity sensitivity_;
  double tolerance_ = 0;
  std::vector<int> tested_;  // entries of x that the error test looks at: all but the ledger of energy
  State state_;              // where S is looked at
  MatrixXd S_, S_begin_, S_stage_, seen_;
  std::array<MatrixXd, stages> k_;
  std::vector<Part> parts_;
  int count_ = 1;     // parts of the next step
  std::string failure_;
  MatrixXd floor_;  // errors that do not count
  double error_ = 0;  // of the worst part, 1: as large as allowed
};

}  // namespace armature::internal
