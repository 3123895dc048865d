// What every kind of model needs while it is turned into equations: names and formulas, coordinates, forces that do work on
// a rate, inertia on a rate, further states, constraint rows, start conditions, and the complaints. Mechanisms (mechanism.hpp)
// build on it; so does anything else that ends in Equations.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "mechanics/equations.hpp"
#include "mechanics/vector.hpp"
#include "model/model.hpp"

namespace armature::internal {

// Places in a list that only grows, by name; of equal names the first.
class PlacesByName {
 public:
  template <class List>
  int find(const List& list, const std::string& name) {  // -1: none
    for (; seen_ < list.size(); ++seen_) places_.emplace(list[seen_].name, static_cast<int>(seen_));
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> places_;
  std::size_t seen_ = 0;
};

template <class List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

// "leg.slide"; the only component of a joint goes by the joint's name.
inline std::string component_name(const std::string& joint, const std::string& component) {
  return component.empty() ? joint : joint + "." + component;
}

// A scalar that moves and that forces can act on: a coordinate of a joint (in the tree or cut), of a Lagrangian, of a rotor.
struct NamedCoordinate {
  std::string name;  // "theta1", "leg.slide"
  std::string unit;  // "rad" or "m"
  Expression value, rate;
};

class EquationsBuilder {
 public:
  EquationsBuilder(const Model& model, Equations& equations);
  virtual ~EquationsBuilder() = default;
  EquationsBuilder(const EquationsBuilder&) = delete;
  EquationsBuilder& operator=(const EquationsBuilder&) = delete;

  const Model& model() const { return model_; }
  Equations& equations() { return eq_; }
  Graph& graph() { return graph_; }

  // --- names and formulas (names.cpp)
  Expression scalar(const Formula& formula, Expression otherwise = 0.0);
  Vec3 vector(const Formula& formula);
  Value value(const Formula& formula);
  virtual std::optional<Value> look_up(const std::string& name);  // t, parameters, definitions, coordinates
  const NamedCoordinate* find_coordinate(const std::string& name) const;
  const NamedCoordinate& coordinate(const std::string& name, Location where) const;  // throws FormulaError
  Expression rate_of(Expression x);                                  // total time derivative; x must not depend on v
  Expression along_flow(Expression x);                               // the same of what depends on positions and t only
  void offer(const std::string& name, std::function<Value()> make);  // a name for formulas, made when first asked for
  void when_named(std::function<void()> act) { when_named_.push_back(std::move(act)); }  // once all names are offered
  void act_when_named();
  void keep_alive(std::shared_ptr<void> owner) { owners_.push_back(std::move(owner)); }  // of what offers refer to

  // --- coordinates and states (builder.cpp)
  // A new scalar coordinate with qdot = v; the one of that name if it exists (a second build of the same model).
  const NamedCoordinate& add_coordinate(const std::string& name, Coordinate::Kind kind, const std::string& owner);
  void name_coordinate(NamedCoordinate coordinate);  // an expression that acts as a coordinate
  Expression add_state(const std::string& name, const std::string& unit, const std::string& owner);  // a new z
  void set_rate(Expression state, Expression zdot);
  Expression add_discrete(const std::string& name, double period, double offset);  // a new discrete value, 0 at first
  void set_next(Expression leaf, Expression next);

  // --- forces and inertia on rates: expressions linear in v (builder.cpp)
  void apply(Expression effort, Expression rate);         // f += J' effort,  J = d(rate)/dv
  void add_inertia(Expression inertia, Expression rate);  // 1/2 inertia rate^2; rate must be a time derivative
  void add_row(const std::string& owner, const std::string& suffix, const std::string& direction,
               const std::string& unit, Location where, Expression phi);

  // --- elements that know coordinates only (coordinate_forces.cpp)
  void add_coordinate_spring(const NamedCoordinate& coordinate, Expression stiffness, Expression damping,
                             Expression rest);
  void add_friction(const NamedCoordinate& coordinate, Expression friction, double breakaway);
  void add_stop(const NamedCoordinate& coordinate, double side, Expression limit, Expression stiffness,
                Expression damping);
  void add_force_elements();  // those of the model, each by its kind
  void add_prescribed();      // prescribed constraints of the model
  void add_start();           // start conditions of the model (start.cpp)

  // --- bodies, which only mechanisms have (forces.cpp)
  // Axes of a body in the ground's, and its angular velocity in ground axes.
  struct Turning {
    Mat3 R;
    Vec3 w;
  };
  virtual Turning turning_of(const std::string& body, Location where);
  virtual Vec3 gap(const Attachment& a, const Attachment& b);  // b - a, in the axes of the last link that moves both
  virtual bool can_move(const Attachment& place);              // false: on a body that is fixed to the ground
  // Force and torque on a body at a place, along the axes of the ground or of the body. Returns their powers F_i v_i and N.w.
  virtual std::vector<Expression> apply_wrench(const Attachment& place, const Vec3& force, const Vec3& torque,
                                               bool in_body);

  void fail(Location where, const std::string& key, const std::string& message);
  // Runs f and keeps what a formula in it has to complain about.
  template <class F>
  void guarded(const std::string& key, F f) {
    try {
      f();
    } catch (const FormulaError& error) {
      fail(error.where, key, error.what());
    }
  }
  void throw_if_failed() const;

 protected:
  void set_flow();  // after coordinates were added: x' follows q' = N v, t' = 1
  void watch(const Formula& formula, Expression value);
  void add_condition(const StartEntry& entry, const std::string& suffix, Expression residual, const std::string& unit,
                     std::vector<StartCondition>& conditions);
  // A start entry that is not a scalar coordinate or a vector of look_up(): a body, in a mechanism.
  virtual void add_body_condition(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions);

  // Leaves that count as velocities: those of the equations, then virtual ones (reactions).
  int velocity_count() const { return static_cast<int>(eq_.v.size() + virtual_leaves_.size() / 2); }
  int velocity_of(std::int32_t leaf);  // its number, -1: none
  bool second_build() const { return !virtual_leaves_.empty(); }

  const Model& model_;
  Equations& eq_;
  Graph& graph_;
  Scope scope_;
  std::map<std::string, NamedCoordinate> coordinates_;
  LeafMap flow_;                                         // t -> 1, q -> qdot
  std::map<int, Expression> applied_;                    // generalized forces of elements, by velocity
  std::map<std::pair<int, int>, Expression> reflected_;  // their inertia
  std::vector<Expression> virtual_leaves_;  // virtual displacements, then their velocities; see reactions.cpp

 private:
  bool start_state(const StartEntry& entry);  // false: it is none
  void start_entry(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions);
  std::string rate_in(Expression phi);  // the first velocity or further state that a constraint depends on, in words

  // A name is being lowered as long as this lives.
  class Defining {
   public:
    Defining(EquationsBuilder& builder, const std::string& name);  // throws FormulaError where names nest too deep
    ~Defining() { names_.erase(place_); }
    Defining(const Defining&) = delete;
    Defining& operator=(const Defining&) = delete;

   private:
    std::set<std::string>& names_;
    std::set<std::string>::iterator place_;
  };
  const Formula* formula_of(const std::string& name) const;  // null: it has none that is to be lowered
  const Value& define(const std::string& name);

  std::unordered_map<std::string, const Parameter*> parameters_;  // by name
  std::unordered_map<std::string, const Formula*> definitions_;
  std::map<std::string, Value> defined_;  // definitions already lowered
  std::map<std::string, std::function<Value()>> offered_;
  std::vector<std::function<void()>> when_named_;
  std::vector<std::shared_ptr<void>> owners_;
  std::set<std::string> defining_;  // being lowered: finds cycles
  std::vector<Diagnostic> diagnostics_;
  std::unordered_map<std::int32_t, int> velocity_number_;
  std::optional<Derivative> along_flow_;  // made when first asked for
  PlacesByName positions_, velocities_;   // of the equations' coordinates
};

// Adds what acts on coordinates of any kind of model (drives, controllers); called when the coordinates are known and
// before forces are.
using ElementAdder = std::function<void(EquationsBuilder&)>;

}  // namespace armature::internal
