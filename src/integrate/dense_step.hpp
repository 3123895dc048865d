// What lies between the ends of a Runge-Kutta step of one state: dense output (step/dense_output.hpp), made when it is first
// asked for after a step, and the step as numbers.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "integrate/ode.hpp"
#include "integrate/step_path.hpp"
#include "step/dense_output.hpp"

namespace armature::internal {

class DenseStep {
 public:
  // tolerance: by which dense output is judged; null: it is always trusted. Keeps references.
  DenseStep(step::RungeKutta<1>& method, Ode& ode, long& evaluations, const step::Tolerance<1>* tolerance);

  // The ends of a step. has_slope: f is known at its end; else nothing is known but a line between them.
  struct Ends {
    double t0, t1;
    const step::Row<1>*x0, *x1;
    bool has_slope;
  };
  void begin_step() { has_rows_ = has_ends_ = false, sound_ = true; }  // another one from now on
  void interpolate(const Ends& ends, double t, Eigen::VectorXd& x);
  // As polynomials; false where dense output is not sound, or a line.
  bool path(const Ends& ends, const std::vector<int>& entries, StepPath& path);
  bool is_sound(const Ends& ends);

  // All that interpolate() needs of a step, as numbers, for another DenseStep of the same tableau that loads all of them in
  // turn: where a step goes on from the last one that was stored, its beginning is known.
  void store(const Ends& ends, std::vector<double>& numbers);
  void restart() {
    stored_until_ = std::numeric_limits<double>::quiet_NaN();
  }  // the next step does not go on from the last
  struct Loaded {
    double t0, t1;
    bool has_slope;
    const double* end;  // of the numbers
  };
  Loaded load(const double* numbers, step::Row<1>* x0, step::Row<1>* x1);

 private:
  void make_rows(const Ends& ends);
  void make_ends(const Ends& ends);
  void make(const Ends& ends);
  int size() const { return method_.size(); }
  const step::Tableau& tableau() const { return method_.tableau(); }
  // The stages after k_1 that the rows of dense output are made of.
  step::Row<1>* stages_of_rows() { return method_.stage(first_of_rows_); }
  long numbers_of_stages() const { return static_cast<long>(size()) * (tableau().stages - first_of_rows_); }
  long numbers_of_rows() const { return static_cast<long>(size()) * tableau().dense_rows; }

  step::RungeKutta<1>& method_;
  Ode& ode_;
  long& evaluations_;
  const step::Tolerance<1>* tolerance_;
  int first_of_rows_;
  std::vector<step::Row<1>> memory_;
  step::DenseOutput<1> dense_;
  bool has_rows_ = false, has_ends_ = false, sound_ = true;
  double stored_until_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace armature::internal
