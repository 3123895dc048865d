// Formulas over a whole motion: ordinary formulas, in which these calls stand for numbers of the motion. Their arguments are
// formulas of the moment, as in a model file.
//
//   initial(x)  final(x)  at(x, T)   x at the start, at the end, at time T
//   max(x)  min(x)                   the largest and smallest x; with two arguments and more they compare numbers as usual
//   mean(x)  integral(x)             over time
//   turns(x)                         how far the angle x gets from where it was, either way, in turns: max |x - x(0)|/2pi
//   first(condition)                 the first time at which it holds; infinite: it never does
//   last(condition)                  the last time at which it holds; the start (of the window): it never does
//   max(x, A, B) …                   between the times A and B only: any of them but initial, final and at
//
//   turns(phi) >= 1 and final(phi) - at(phi, 28) > 2*pi
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "expression/lower.hpp"
#include "expression/program.hpp"
#include "model/model.hpp"
#include "model/unit_inference.hpp"
#include "study/gathered.hpp"

namespace armature::internal {

struct Functional : step::Measured {
  using Kind = step::FunctionalKind;
  std::optional<Dimension> dimension = {};  // as checks know it
  InferredUnit unit = {};                   // for the reader
};

// The formulas of one study, together: each functional refers to an observed formula of the moment.
class MotionFormulas {
 public:
  // The model must outlive it. `varied`: the parameters that differ from motion to motion.
  MotionFormulas(const Model& model, std::vector<std::string> varied);

  // Returns the number of the formula. Throws FormulaError.
  int add_number(const std::string& text);
  int add_condition(const std::string& text);

  const std::vector<Formula>& formulas() const { return formulas_; }  // functional k as the name "#k"
  std::string unit(int formula) const;  // in SI; empty where there is none, or it is not known
  const std::vector<Functional>& functionals() const { return functionals_; }
  const std::vector<Formula>& observed() const { return observed_; }
  const std::vector<std::string>& varied() const { return varied_; }

  // What a name in formulas() stands for: a leaf for a functional or a varied parameter, a number, or what follows from
  // these. Throws FormulaError.
  Value look_up(const std::string& name) const;

 private:
  friend class MotionEvaluator;
  friend class FormulaGradient;
  int add(const std::string& text, bool condition);
  std::shared_ptr<const Syntax> with_rates(const std::shared_ptr<const Syntax>& tree) const;
  std::shared_ptr<const Syntax> replace(const std::shared_ptr<const Syntax>& tree, const std::string& text);
  std::shared_ptr<const Syntax> replace_call(const Syntax& call, Functional::Kind kind, const std::string& text);
  void refuse_unknown_function(const Syntax& tree) const;
  std::optional<Functional::Kind> kind_of(const Syntax& tree) const;
  bool changes_on_the_way(const Syntax& tree) const;
  void refuse_nested(const Syntax& tree, const std::string& outer) const;
  void refuse_count(const Syntax& call, Functional::Kind kind) const;
  void refuse_varied(const Syntax& tree, const std::string& of) const;
  double constant_time(const Syntax& tree, const std::string& of) const;
  InferredUnit unit_of_name(const std::string& name) const;

  const Model& model_;
  std::vector<std::string> varied_;
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  std::vector<Expression> varied_leaves_, functional_leaves_, values_;
  std::vector<Formula> formulas_, observed_;
  std::vector<std::string> units_;  // of the formulas
  std::vector<Functional> functionals_;
};

// The values of the formulas (1 or 0 of a condition) where the motion gave these functionals; NaN where they look at one that is none. A copy a thread: making one
// from the formulas touches their graph.
class MotionEvaluator {
 public:
  explicit MotionEvaluator(const MotionFormulas& formulas);
  const std::vector<double>& operator()(const std::vector<double>& functionals, std::span<const double> varied);

 private:
  std::vector<Graph::Comparison> comparisons_;
  Evaluator program_;  // functionals, varied, outcomes -> roots of the comparisons, values
  std::vector<double> in_, out_, values_;
};

// d(formula)/d(functional) and d(formula)/d(varied), one row a formula, comparisons keeping their outcome. A copy a thread.
class FormulaGradient {
 public:
  explicit FormulaGradient(const MotionFormulas& formulas);
  const Eigen::MatrixXd& operator()(const std::vector<double>& functionals, std::span<const double> varied);

 private:
  std::vector<Graph::Comparison> comparisons_;
  Evaluator program_;  // functionals, varied, outcomes -> roots of the comparisons, derivatives column by column
  std::vector<double> in_, out_;
  Eigen::MatrixXd gradient_;
};

std::string name_of(Functional::Kind kind);  // "max"

// The number k of a name "#k"; -1: it is another name.
int functional_number(const std::string& name);

}  // namespace armature::internal
