// What every kind of model needs while it is turned into equations. Each part has a header of its own; elements (forces, drives,
// controllers) see them through this class:
//
//   coordinates.hpp         coordinates by name
//   formula_names.hpp       names and values of formulas
//   time_derivative.hpp     x' of an expression of positions and t
//   generalized_forces.hpp  forces and inertia on rates
//   bodies.hpp              bodies and the tree of links that carries them, which only mechanisms have
//
// States, and what is wrong with the model, are kept here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/coordinates.hpp"
#include "mechanics/equations.hpp"
#include "mechanics/formula_names.hpp"
#include "mechanics/generalized_forces.hpp"
#include "mechanics/time_derivative.hpp"
#include "mechanics/vector.hpp"
#include "mechanics/velocities.hpp"
#include "model/model.hpp"

namespace armature::internal {

class Bodies;

class EquationsBuilder {
 public:
  // `virtual_joints` get six virtual displacements each: a second build of a model, for reactions.
  EquationsBuilder(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints = {});
  EquationsBuilder(const EquationsBuilder&) = delete;
  EquationsBuilder& operator=(const EquationsBuilder&) = delete;

  const Model& model() const { return model_; }
  Equations& equations() { return equations_; }
  Graph& graph() { return *equations_.graph; }
  Velocities& velocities() { return velocities_; }
  bool second_build() const { return velocities_.has_virtual(); }

  // --- names and formulas
  const FormulaNames& names() const { return names_; }
  Expression scalar(const Formula& formula, Expression otherwise = 0.0) { return names_.scalar(formula, otherwise); }
  Vec3 vector(const Formula& formula) { return names_.vector(formula); }
  Value value(const Formula& formula) { return names_.value(formula); }
  std::optional<Value> look_up(const std::string& name) { return names_.look_up(name); }
  // The total time derivative, with accelerations where it depends on v; and of what depends on positions and t only.
  Expression rate_of(Expression x) { return names_.rate_of(x); }
  Expression time_derivative(Expression x) { return time_derivative_(x); }
  void offer(const std::string& name, std::function<Value()> make) { names_.offer(name, std::move(make)); }

  // --- what waits until all names are offered
  void when_named(std::function<void()> act) { when_named_.push_back(std::move(act)); }
  void act_when_named();
  void keep_alive(std::shared_ptr<void> owner) { owners_.push_back(std::move(owner)); }  // of what offers refer to

  // --- coordinates
  const Coordinates& coordinates() const { return coordinates_; }
  const NamedCoordinate& coordinate(const std::string& name, Location where) const {
    return coordinates_.at(name, where);
  }
  const NamedCoordinate& add_coordinate(const std::string& name, Coordinate::Kind kind, const std::string& owner) {
    return coordinates_.add(name, kind, owner);
  }
  void name_coordinate(const NamedCoordinate& coordinate) { coordinates_.name(coordinate); }

  // --- auxiliary and discrete states
  Expression add_state(const std::string& name, const std::string& unit, const std::string& owner);  // a new z
  void set_rate(Expression state, Expression zdot);
  Expression add_discrete(const std::string& name, double period, double offset);  // a new discrete value, 0 at first
  void set_next(Expression leaf, Expression next);
  Expression add_event_value(const std::string& name, double initial);  // a discrete value that the run sets at events

  // --- forces and inertia on rates
  const GeneralizedForces& forces() const { return forces_; }
  // Throw FormulaError where a rate or inertia depends on an acceleration or a reaction.
  void apply(Expression effort, Expression rate);
  void add_inertia(Expression inertia, Expression rate);

  // --- bodies
  void set_bodies(Bodies& bodies);
  Bodies* find_bodies() { return bodies_; }  // null: the model has none
  Bodies& bodies_with(const std::string& body,
                      Location where) const;  // throws FormulaError where there is no such body

  // --- what is wrong with the model
  // Throw FormulaError where a number is not so; of what is no number yet it becomes one of Equations::requirements.
  void require_positive(Expression value, Location where, const std::string& sentence) {
    require({value, true, where, sentence});
  }
  void require_not_negative(Expression value, Location where, const std::string& sentence) {
    require({value, false, where, sentence});
  }
  // The element has other equations where it is not so; the caller has looked at numbers.
  void assume_positive(Expression value, Location where, const std::string& sentence) {
    require({value, true, where, sentence, "", true});
  }
  void fail(Location where, const std::string& key, const std::string& message);
  // Runs f and keeps the error of a formula in it.
  template <class F>
  void guarded(const std::string& key, F f) {
    const std::string outside = std::exchange(key_, key);
    try {
      f();
    } catch (const FormulaError& error) {
      fail(error.where, key, error.what());
    }
    key_ = outside;
  }
  void throw_if_failed() const;

 private:
  void require(Requirement requirement);

  const Model& model_;
  Equations& equations_;
  Velocities velocities_;
  TimeDerivative time_derivative_;
  Coordinates coordinates_;
  FormulaNames names_;
  GeneralizedForces forces_;
  Bodies* bodies_ = nullptr;
  std::vector<std::function<void()>> when_named_;
  std::vector<std::shared_ptr<void>> owners_;
  std::vector<Diagnostic> diagnostics_;
  std::string key_;  // of the element that is added now
};

// Adds what acts on coordinates of any kind of model (drives, controllers); called when the coordinates are known and
// before forces are.
using ElementAdder = std::function<void(EquationsBuilder&)>;

}  // namespace armature::internal
