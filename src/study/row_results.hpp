// Numbers of a motion that is known by its rows, as those of `inverse` and `kinematics` are: formulas over the whole of it
// (motion_formula.hpp), of which the rows hold the values. Extremes and conditions are those of the rows; between rows values are
// interpolated by cubics, and so are integrals.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/recorder.hpp"
#include "record/run_record.hpp"
#include "study/motion_formula.hpp"
#include "study/study.hpp"
#include "study/undefined_results.hpp"

namespace armature::internal {

// A functional of values y at the times t, which grow. Not a number where a row that it looks at is none.
double value_of_rows(const Functional& functional, const std::vector<double>& t, const std::vector<double>& y);
// The time of the first such row.
double time_undefined(const Functional& functional, const std::vector<double>& t, const std::vector<double>& y);

// The model with the observed formulas among its recorded quantities, as "#k".
Model with_observed(Model model, const MotionFormulas& formulas);

// Takes the columns "#k" out of the rows on their way to a recorder.
class RowGatherer final : public Recorder {
 public:
  RowGatherer(Recorder& recorder, std::size_t count) : recorder_(recorder), column_(count), values_(count) {}
  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;

  Functionals values_of(const std::vector<Functional>& functionals) const;

 private:
  Recorder& recorder_;
  std::vector<std::size_t> column_, passed_;
  std::vector<double> t_, row_;
  std::vector<std::vector<double>> values_;  // one list a formula
};

// Of one motion.
class RowResults {
 public:
  // results: name, formula. Throws RequestError.
  RowResults(const Model& model, const std::vector<std::pair<std::string, std::string>>& results);

  // Throws RequestError where a result observes one of the quantities that have no column.
  void require_columns(const std::vector<std::string>& missing, const std::string& why) const;
  bool any() const { return !names_.empty(); }
  Model model() const { return any() ? with_observed(varied_.model, formulas_) : model_; }  // to be moved
  RowGatherer gatherer(Recorder& recorder) const { return {recorder, formulas_.observed().size()}; }
  NamedNumbers numbers(const RowGatherer& rows) const;

 private:
  const Model& model_;
  Varied varied_;
  MotionFormulas formulas_;
  std::vector<std::string> names_;
};

}  // namespace armature::internal
