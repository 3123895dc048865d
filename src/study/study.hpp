// A study: one model compiled once, run many times with other parameters and start values, each time giving numbers of the
// whole motion. What is varied are inputs of the compiled programs, so that nothing is compiled again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "prepare/known_positions.hpp"
#include "prepare/prepare.hpp"
#include "study/cells.hpp"
#include "study/classes.hpp"
#include "study/motion_formula.hpp"
#include "study/motion_watcher.hpp"
#include "study/requirements.hpp"
#include "study/value_ranges.hpp"
#include "study/varied_table.hpp"

namespace armature::internal {

// A model of which some things are left open: parameters by name; start values by the name of their coordinate ("theta"),
// start speeds as "theta.v" or "theta'"; points of a table as "torque[3]" (varied_table.hpp). Throws FormulaError: nothing has this name (did you mean …?).
struct Varied {
  Model model;                           // with a parameter for each start value, as its `keep` or `speed`
  std::vector<std::string> parameters;   // what the variables are called in it
  std::vector<VariedTable> tables = {};  // whose points are variables
};
// points: those of tables may be among them; such a study runs on one thread.
Varied vary(const Model& model, const std::vector<std::string>& names, bool points = false);
// Leaves a single start value open; returns the name of its parameter. Throws FormulaError: there is no such coordinate.
std::string free_start(Model& model, const std::string& name);

enum class MotionStatus { finished, no_start, failed, stopped };

// A motion that is computed row by row, from its point to the functionals of the study: that of inverse dynamics.
struct MotionByRows {
  MotionStatus status = MotionStatus::finished;
  std::string sentence;
  Functionals functionals;
  Findings findings = {};
};
using MotionRows = std::function<MotionByRows(std::span<const double> point, const std::atomic<bool>& stop)>;

// Whether a model with free parameters, at some values of these, has the equations of the model that was compiled with the values.
bool mean_the_same(Prepared free, const Prepared& folded);

// Shared by all threads, to which it looks immutable. Keeps references to both of its parts.
class Study {
 public:
  Study(const Varied& varied, const MotionFormulas& formulas);  // throws ModelError
  // prepared: at the model's own values, for what describes the study.
  Study(const Varied& varied, const MotionFormulas& formulas, Prepared prepared, MotionRows rows);

  const MotionRows& rows() const { return rows_; }  // empty: motions are integrated

  const Prepared& prepared() const { return prepared_; }
  void pass_over_short_forces() {
    prepared_.options.finds_short_forces = false;
  }                                                                   // as a card that cannot look for them
  void set_integral_share(double share) { integral_share_ = share; }  // of the tolerance of integrals
  double integral_share() const { return integral_share_; }
  const MotionFormulas& formulas() const { return formulas_; }
  std::shared_ptr<const Program> observed() const { return observed_; }
  const MotionEvaluator& evaluator() const { return evaluator_; }  // to be copied
  KnownPositions& known_positions() const { return *known_positions_; }
  Eigen::VectorXd parameters_at(std::span<const double> point) const;  // in the order of Equations::p_name

  // Tables have the values of a point from here on; before parameters_at() means a motion there.
  void move_tables(std::span<const double> point) const;
  const std::vector<VariedTable>& tables() const { return varied_.tables; }
  std::vector<int> varied_tables() const;  // numbers of them in the graph; -1: the equations do not look it up

  std::size_t variable_of(Eigen::Index parameter) const { return place_[static_cast<std::size_t>(parameter)]; }

  // A parameter may do more than enter equations: a number of elements, an end time. `folded` is the model read anew with
  // the values of a point; a sentence: this study gives another motion there.
  std::string differs_from(const Model& folded, std::span<const double> point) const;

  // Whether a value is one for which the file means another model than this study: an element has other equations (a spring without a
  // length), or these have no value (they divide by an inductance of zero), while the model read anew has one (and one state less).
  bool degenerates_at(const Model& folded, std::span<const double> point) const;

  // What the file allows its values to be; and what is not allowed at a point, in words, or nothing.
  void set_ranges(ValueRanges ranges) { ranges_ = std::move(ranges); }
  std::string violation(std::span<const double> point) const;

 private:
  Prepared at(std::span<const double> point) const;                                  // not assembled
  Prepared compiled_anew(const Model& folded, std::span<const double> point) const;  // likewise

  const Varied& varied_;
  const MotionFormulas& formulas_;
  Prepared prepared_;
  double integral_share_ = 1;
  std::vector<std::size_t> place_;  // of each parameter among the variables
  std::shared_ptr<const Program> observed_;
  MotionEvaluator evaluator_;
  std::unique_ptr<KnownPositions> known_positions_;
  MotionRows rows_;
  ValueRanges ranges_;
  Requirements required_;
};

// One thread's part of a study.
class StudyRun {
 public:
  // classes: the motion ends as soon as its class is decided; null: it is always run to its end.
  StudyRun(const Study& study, const Classes* classes, const StopFlag& stop);

  // The motion at a point. What came out of the last one is then known below.
  MotionStatus run(std::span<const double> point);

  // The same in two parts, with the run between them left to others (MotionLanes). False: there is no start.
  bool prepare(std::span<const double> point);
  const Prepared& prepared() const { return prepared_; }
  MotionWatcher& watcher() { return watcher_; }
  MotionStatus conclude(const Outcome& outcome);
  // A motion that a card has computed: to t, where it finished without warnings. motion_class: -1 where it is not known yet.
  MotionStatus take(std::span<const double> point, int motion_class, double t, std::span<const double> functionals);

  const std::vector<double>& values() const { return values_; }  // of the formulas; valid after `finished`
  int motion_class() const { return class_; }
  double t() const { return t_; }                            // where the motion ended
  const std::string& sentence() const { return sentence_; }  // why it failed
  const Findings& findings() const { return findings_; }

 private:
  class Watcher : public MotionWatcher {
   public:
    Watcher(StudyRun& run, const Study& study)
        : MotionWatcher(study.formulas().functionals(), study.observed(), study.prepared().options.end), run_(run) {
      set_integral_share(study.integral_share());
    }

   protected:
    bool enough() const override { return run_.decide(); }

   private:
    StudyRun& run_;
  };

  MotionStatus run_by_rows(std::span<const double> point);
  bool decide();
  MotionStatus evaluate();

  const Study& study_;
  const Classes* classes_;
  const StopFlag& stop_;
  Prepared prepared_;
  SystemEvaluator assembler_;
  Watcher watcher_;
  MotionEvaluator evaluator_;
  std::vector<double> point_, values_;
  Functionals functionals_;
  std::vector<Interval> bounds_;
  int class_ = -1;
  double t_ = 0;
  std::string sentence_;
  Findings findings_;
};

}  // namespace armature::internal
