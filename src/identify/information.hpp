// What the data determine: the information matrix J'J of weighted residuals, by the singular values of its triangular factor R.
//
// Unknowns are compared as relative changes: column k of R is multiplied by the size of the unknown, so that a singular value s is one over
// the relative standard deviation along its direction, 1/s, whatever the units. A direction is not determined where that exceeds 1 (the
// interval holds zero and twice the value), or where s is zero to the accuracy of the derivatives. Along such directions the unknowns
// can move together and no signal shows it. In words:
//
//   one unknown           "the data do not determine J3"
//   a product             moving K by 1 % and R by 1 % changes nothing: "only R/K is determined"
//   a sum                 "only J1 + 0.0961*m2 is determined"; where the factor is a product of parameters: "J1 + m2*l2^2/4"
//
// Covariances are those of the determined directions alone.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace armature::internal {

struct Estimate {
  enum class Kind { parameter, start, offset } kind = Kind::parameter;
  std::string name;     // of the parameter, coordinate or column
  std::string unit;     // SI; empty: none is known
  int experiment = -1;  // of a start value; -1: all
  double first = 0;     // where the search began
  double value = 0;
  double deviation = 0;   // standard deviation; infinite: not determined
  double half_width = 0;  // of the 95 % confidence interval; infinite: not determined
  int bound = 0;          // -1, 1: at its lower or upper bound
};

struct UndeterminedDirection {
  std::vector<std::string> names;
  std::vector<double> changes;  // relative changes of each, the largest 1, that no signal shows
  double deviation = 0;         // relative standard deviation along it; infinite: the data say nothing
  std::string sentence;
};

struct Information {
  Eigen::MatrixXd correlation;  // of the estimates; NaN in rows of those that are not determined
  Eigen::VectorXd singular_values;
  double condition = 0;  // of the determined directions: largest over smallest
  std::vector<UndeterminedDirection> undetermined;
  double freedoms = 0;  // measurements less unknowns
};

struct InformationRequest {
  Eigen::MatrixXd R;               // factor of the weighted J
  double variance = 1;             // of a weighted residual
  bool variance_is_known = false;  // not estimated from the residuals: intervals are those of the normal distribution
  double measurements = 0;
  std::vector<double> sizes;  // of the unknowns, for relative changes
  // Parameters of the model and their values, for the names of factors.
  std::vector<std::pair<std::string, double>> parameters = {};
};

// Fills deviations and half widths of the estimates; those at a bound count as known.
Information find_information(const InformationRequest& request, std::vector<Estimate>& estimates);

double student_quantile(double freedoms);  // of 97.5 %

}  // namespace armature::internal
