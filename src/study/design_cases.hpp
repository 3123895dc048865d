// What a design is made of and what it has to go through, besides the variables of its search:
//
//   choices      one of a list: "ratio=20,50,100", or files of parameters: "motor=motors/small.yaml,motors/large.yaml"
//   scenarios    loads and motions: "load=2 kg, volts=12"
//   deviations   "rope=5 mm": what manufacturing leaves open
//
// Every combination of choices is searched by itself. A design is as good as the worst of its cases: each scenario at the values of the
// design, and at all corners of the box of deviations. All are parameters of one compiled model.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "study/design.hpp"

namespace armature::internal {

struct Choice {
  using Values = std::vector<std::pair<std::string, double>>;  // of parameters
  struct Option {
    std::string label;  // as it was given
    double number = 0;  // the value, or the place of the file in the list: 1, 2, …
    Values values;
  };
  std::string name;
  std::vector<Option> options;
};

class DesignCases {
 public:
  // The texts as above; over: the variables of the search. Throws RequestError.
  DesignCases(const Model& model, const std::vector<Axis>& over, const std::vector<std::string>& choose,
              const std::vector<std::string>& scenarios, const std::vector<std::string>& deviations);

  const std::vector<Choice>& choices() const { return choices_; }
  long combinations() const;
  const Choice::Option& chosen(long combination, std::size_t choice) const;
  std::vector<double> numbers(long combination) const;  // of the options, one a choice
  std::size_t cases() const { return cases_.size(); }
  std::string label(std::size_t which) const;  // of a case: "volts=6, rope - 0.01"

  // All variables of the study: those of the search first, then parameters that choices and cases set.
  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::vector<double>> further_values() const;  // that the latter take
  // The point of the study where the search is at `point`.
  std::vector<double> point(const std::vector<double>& point, long combination, std::size_t which) const;

 private:
  void read_choice(const std::string& text, const Model& model);
  void read_scenarios(const std::vector<std::string>& texts, const Model& model);
  void add_deviations(const std::vector<std::string>& texts, const Model& model);
  std::size_t place(const std::string& name, const Model& model);  // among names_, where it is added if it is new

  struct Case {
    std::string text = {};                                                 // of the scenario
    std::vector<std::pair<std::size_t, double>> values = {}, shifts = {};  // by place
  };
  std::size_t over_;
  std::vector<std::string> names_;
  std::vector<double> own_;  // the model's values of the further names
  std::vector<Choice> choices_;
  std::vector<Case> cases_;
};

}  // namespace armature::internal
