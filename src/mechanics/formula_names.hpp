// What a formula may name: t, parameters, definitions, coordinates, signals that elements offer, places on bodies; and x', the
// total time derivative of any of them. A definition or a signal is lowered when it is first asked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "expression/lower.hpp"
#include "mechanics/coordinates.hpp"
#include "mechanics/time_derivative.hpp"
#include "mechanics/vector.hpp"
#include "model/model.hpp"

namespace armature::internal {

class FormulaNames {
 public:
  using LookUp = std::function<std::optional<Value>(const std::string& name)>;

  FormulaNames(const Model& model, Equations& equations, Coordinates& coordinates, Velocities& velocities,
               TimeDerivative& time_derivative);
  FormulaNames(const FormulaNames&) = delete;
  FormulaNames& operator=(const FormulaNames&) = delete;

  // Values of formulas. What moves is watched, so that a run can name a formula that has no value.
  Expression scalar(const Formula& formula, Expression otherwise = 0.0);
  Vec3 vector(const Formula& formula);
  Value value(const Formula& formula);
  // A formula with a name of its own besides, such as the angle of a cam's profile.
  Expression scalar_with(const Formula& formula, const std::string& name, Expression is) const;
  Vec3 unwatched_vector(const Formula& formula) const { return lower_vector(formula, scope_); }

  std::optional<Value> look_up(const std::string& name);  // nothing: unknown. Throws FormulaError
  Expression rate_of(Expression x);  // of a velocity: an acceleration. Throws FormulaError where there is none

  void offer(const std::string& name, std::function<Value()> make) { offered_[name] = std::move(make); }
  void require_positive_by(decltype(Scope::require_positive) require) { scope_.require_positive = std::move(require); }
  void look_further_in(LookUp further) { further_ = std::move(further); }  // for names that are not known here

 private:
  // A name is being lowered as long as this lives.
  class Defining {
   public:
    Defining(std::set<std::string>& names, const std::string& name);  // throws FormulaError where names nest too deep
    ~Defining() { names_.erase(place_); }
    Defining(const Defining&) = delete;
    Defining& operator=(const Defining&) = delete;

   private:
    std::set<std::string>& names_;
    std::set<std::string>::iterator place_;
  };
  void watch(const Formula& formula, Expression value);
  std::optional<Value> look_up_here(const std::string& name);
  std::optional<Value> constraint_force(const std::string& name);
  const Formula* formula_of(const std::string& name) const;  // null: it has none that is to be lowered
  const Value& define(const std::string& name);
  const Value& signal(const std::string& name, const std::function<Value()>& make);
  std::vector<std::string> known_names() const;

  const Model& model_;
  Equations& equations_;
  Coordinates& coordinates_;
  Velocities& velocities_;
  TimeDerivative& time_derivative_;
  Scope scope_;
  LookUp further_;
  std::unordered_map<std::string, const Parameter*> parameters_;  // by name
  std::unordered_map<std::string, Expression> free_;              // parameters and inputs that are no numbers yet
  std::unordered_map<std::string, const Formula*> definitions_;
  std::map<std::string, std::function<Value()>> offered_;
  std::map<std::string, Value> defined_;  // definitions and signals already lowered
  std::set<std::string> defining_;        // being lowered: finds cycles
};

}  // namespace armature::internal
