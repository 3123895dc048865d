#include "armature/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/acceleration_solver.hpp"
#include "dynamics/assembly.hpp"
#include "expression/derivative.hpp"
#include "identify/driven_model.hpp"
#include "library/access.hpp"
#include "library/projected.hpp"
#include "library/translate.hpp"
#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "study/study.hpp"

namespace armature {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<Channel> channels_of(const std::vector<internal::Coordinate>& coordinates) {
  std::vector<Channel> list;
  for (const internal::Coordinate& coordinate : coordinates) list.push_back({coordinate.name, coordinate.unit});
  return list;
}

void require_positive(const char* name, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value > 0))
    throw Error(Error::Kind::input, fmt::format("{} is {}, but must be positive", name, *value));
}

// These stand for the values of the file.
void apply(const CompileOptions& given, internal::SimulateOptions& options) {
  require_positive("end", given.end);
  require_positive("record", given.record);
  require_positive("step", given.step);
  require_positive("max_step", given.max_step);
  require_positive("rtol", given.rtol);
  require_positive("atol", given.atol);
  if (given.end) options.end = *given.end;
  if (given.record) options.record = given.record;
  if (given.step) options.step = given.step;
  if (given.max_step) options.max_step = given.max_step;
  if (given.rtol) options.rtol = given.rtol;
  if (given.atol) options.atol = given.atol;
  if (given.integrator) options.integrator = *given.integrator;
  if (given.formulation) options.formulation = *given.formulation;
  place_of(options.integrator, internal::integrator_names(), "integrator");
  place_of(options.formulation, internal::formulation_names(), "formulation");
  if (internal::takes_fixed_steps(options.integrator) && !options.step)
    throw Error(Error::Kind::input, fmt::format("{} needs a fixed step: give the step", options.integrator));
}

std::vector<std::string> parameter_names(const internal::Model& model) {
  std::vector<std::string> names;
  for (const internal::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

// An input that jumps would tear a constraint open.
void refuse_constraints_with_inputs(const internal::Model& model, const internal::Equations& equations) {
  for (const internal::ConstraintRow& row : equations.rows)
    for (std::size_t k = 0; k < equations.p.size(); ++k)
      if (internal::depends_on(row.phi, equations.p[k]))
        throw Error(
            Error::Kind::input,
            {{model.file, 0, row.owner,
              fmt::format("the constraint depends on the input '{}', which jumps when it is set; let a drive or a "
                          "force follow the input instead",
                          equations.p_name[k])}});
}

// Those names that are parameters of the model.
std::vector<std::string> parameters_among(const std::vector<std::string>& names, const internal::Model& model) {
  const std::vector<std::string> parameters = parameter_names(model);
  std::vector<std::string> list;
  for (const std::string& name : names)
    if (std::ranges::count(parameters, name) > 0) list.push_back(name);
  return list;
}

std::vector<State> branches_of(const internal::Prepared& prepared) {
  std::vector<State> list;
  for (const internal::State& state : internal::assembly_branches(prepared))
    list.push_back(to_public(state, prepared.system->layout()));
  return list;
}

internal::SystemEvaluator evaluator_of(const internal::Prepared& prepared, const std::vector<double>& inputs = {}) {
  internal::SystemEvaluator evaluator(prepared.system);
  const auto count = static_cast<std::size_t>(prepared.parameters.size());
  if (!inputs.empty() && inputs.size() != count)
    throw Error(Error::Kind::input, fmt::format("{} inputs were given, but the machine has {}", inputs.size(), count));
  if (inputs.empty())
    evaluator.set_parameters(prepared.parameters);
  else
    evaluator.set_parameters(Eigen::Map<const Eigen::VectorXd>(inputs.data(), prepared.parameters.size()));
  return evaluator;
}

}  // namespace

Machine::Machine(Model model, std::shared_ptr<const internal::Prepared> prepared)
    : model_(std::move(model)), prepared_(std::move(prepared)) {}

std::vector<Channel> Machine::positions() const { return channels_of(prepared_->system->equations().positions); }
std::vector<Channel> Machine::velocities() const { return channels_of(prepared_->system->equations().velocities); }
std::vector<Channel> Machine::states() const { return channels_of(prepared_->system->equations().others); }
int Machine::constraints() const { return prepared_->system->layout().m; }
int Machine::degrees_of_freedom() const { return prepared_->degrees_of_freedom; }
double Machine::end() const { return prepared_->options.end; }
const std::vector<std::string>& Machine::notes() const { return prepared_->notes; }
std::vector<std::string> Machine::warnings() const { return internal::warnings_among(prepared_->findings); }

std::vector<Quantity> Machine::inputs() const {
  const internal::Equations& e = prepared_->system->equations();
  const std::vector<Quantity> known = model_.inputs(), parameters = model_.parameters();
  std::vector<Quantity> list;
  for (std::size_t k = 0; k < e.p_name.size(); ++k) {
    std::string unit;
    for (const auto* from : {&parameters, &known})
      for (const Quantity& quantity : *from)
        if (quantity.name == e.p_name[k]) unit = quantity.unit;
    list.push_back({e.p_name[k], unit, prepared_->parameters[static_cast<Eigen::Index>(k)]});
  }
  return list;
}

State Machine::start() const {
  if (!prepared_->failure.empty())
    throw Error(Error::Kind::computation, {{prepared_->file, 0, "start", prepared_->failure}});
  return to_public(prepared_->start, prepared_->system->layout());
}

std::vector<State> Machine::branches() const {
  return translated([&] { return branches_of(*prepared_); });
}

State Machine::project(const State& state) const {
  return translated([&] {
    internal::SystemEvaluator evaluator = evaluator_of(*prepared_);
    return to_public(projected(to_internal(state, evaluator), evaluator), prepared_->system->layout());
  });
}

State Machine::assemble(const State& guess) const {
  return translated([&] {
    internal::SystemEvaluator evaluator = evaluator_of(*prepared_);
    internal::AssemblyResult found =
        internal::assemble(evaluator, to_internal(guess, evaluator), {.conditions = false});
    if (!found.success) throw Error(Error::Kind::computation, {{prepared_->file, 0, "start", found.sentence}});
    evaluator.set(found.state);
    evaluator.next_discrete(found.state.d);
    return to_public(found.state, prepared_->system->layout());
  });
}

Terms Machine::terms(const State& state, const std::vector<double>& inputs) const {
  return translated([&] {
    internal::SystemEvaluator evaluator = evaluator_of(*prepared_, inputs);
    evaluator.set(to_internal(state, evaluator));
    internal::Terms terms = evaluator.make_terms();
    evaluator.all(terms);
    return Terms{static_cast<int>(terms.M.rows()),
                 static_cast<int>(terms.Phi.rows()),
                 by_rows(terms.M),
                 numbers(terms.f),
                 by_rows(terms.Phi),
                 numbers(terms.gamma),
                 numbers(terms.phi),
                 numbers(terms.phidot),
                 numbers(terms.qdot),
                 numbers(terms.zdot)};
  });
}

Acceleration Machine::acceleration(const State& state, const std::string& formulation,
                                   const std::vector<double>& inputs) const {
  return translated([&] {
    internal::SystemEvaluator evaluator = evaluator_of(*prepared_, inputs);
    evaluator.set(to_internal(state, evaluator));
    const internal::Stabilization none{0, 0, false, {}};
    internal::AccelerationSolver solver(evaluator, {formulation, {}, false}, none);
    if (!solver.solve()) throw Error(Error::Kind::computation, solver.formulation().refusal(solver.acceleration()));
    const internal::Acceleration& found = solver.acceleration();
    return Acceleration{numbers(found.vdot), numbers(found.lambda), found.rank, found.smallest};
  });
}

struct Assembly::Parts {
  internal::Prepared prepared;
  std::vector<int> places;  // of the coordinates' values among the parameters

  internal::Prepared with(const std::vector<double>& values) const {
    if (values.size() != places.size())
      throw Error(Error::Kind::input,
                  fmt::format("{} values were given for {} coordinates", values.size(), places.size()));
    internal::Prepared changed = prepared;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isfinite(values[k]))
        throw Error(Error::Kind::input, fmt::format("the start value {} is not a finite number", values[k]));
      changed.parameters[places[k]] = values[k];
    }
    return changed;
  }
};

// The start values become parameters of the model, which is compiled once more with these as inputs.
Assembly::Assembly(const Machine& machine, const std::vector<std::string>& coordinates)
    : parts_(translated([&] {
        internal::Model model = internal::Access::of(machine.model());
        const std::vector<std::string>& inputs = internal::Access::of(machine).system->equations().p_name;
        std::vector<std::string> free = parameters_among(inputs, model), names;
        for (const std::string& coordinate : coordinates) names.push_back(internal::free_start(model, coordinate));
        free.insert(free.end(), names.begin(), names.end());
        Parts parts{internal::compile(model, free), {}};
        for (const std::string& name : names)
          parts.places.push_back(place_of(name, parts.prepared.system->equations().p_name, "start value"));
        return std::make_shared<const Parts>(std::move(parts));
      })) {}

State Assembly::start(const std::vector<double>& values) const {
  return translated([&] {
    internal::Prepared prepared = parts_->with(values);
    internal::assemble_start(prepared);
    if (!prepared.failure.empty())
      throw Error(Error::Kind::computation, {{prepared.file, 0, "start", prepared.failure}});
    return to_public(prepared.start, prepared.system->layout());
  });
}

std::vector<State> Assembly::branches(const std::vector<double>& values) const {
  return translated([&] { return branches_of(parts_->with(values)); });
}

Machine compile(const Model& model, const CompileOptions& options) {
  return translated([&] {
    internal::Model changed = internal::Access::of(model);
    apply(options, changed.simulate);
    for (const std::string& input : options.inputs) place_of(input, parameter_names(changed), "parameter");
    internal::Prepared prepared = internal::compile(changed, options.inputs);
    refuse_constraints_with_inputs(changed, prepared.system->equations());
    internal::assemble_start(prepared);
    internal::append(internal::held_inputs(changed, prepared.start.t, prepared.options.end), prepared.findings);
    return internal::Access::machine(
        internal::Access::model(std::make_shared<const internal::Model>(std::move(changed)),
                                internal::Access::settings(model)),
        std::make_shared<const internal::Prepared>(std::move(prepared)));
  });
}

}  // namespace armature
