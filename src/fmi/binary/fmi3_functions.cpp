// The functions of FMI 3.0.
#include <cstring>

#include "fmi/binary/component.hpp"
#include "fmi/fmi3.h"

namespace {

using namespace armature::internal;
using I = FmuInstance;

template <class F>
fmi3Status call(fmi3Instance instance, const char* function, unsigned modes,
                std::initializer_list<FmuArgument> arguments, const F& f) {
  return static_cast<fmi3Status>(call_component(instance, function, modes, arguments, f));
}

FmuInstance::Log logger_of(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  if (!log) return {};
  return [environment, log](FmuStatus status, const char* category, const std::string& sentence) {
    log(environment, static_cast<fmi3Status>(status), category, sentence.c_str());
  };
}

fmi3Status no_variables(fmi3Instance instance, const char* function, size_t count) {
  return call(instance, function, I::any_mode, {}, [&](FmuInstance&) {
    if (count > 0) throw std::runtime_error("all variables of this FMU are Float64");
  });
}

fmi3Status no_clocks(fmi3Instance instance, const char* function) {
  return call(instance, function, I::any_mode, {},
              [](FmuInstance&) { throw std::runtime_error("this FMU has no clocks"); });
}

void require_counts(size_t references, size_t values) {
  if (references != values)
    throw std::runtime_error("all variables of this FMU are scalars: there must be as many values as references");
}

}  // namespace

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String categories[]) {
  return call(i, "fmi3SetDebugLogging", I::any_mode, {},
              [&](FmuInstance& instance) { instance.set_logging(on, texts_of(categories, count)); });
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  return make_component(name, token, resources, {I::Interface::model_exchange, false, false}, logging,
                        logger_of(environment, log));
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode_used,
                                         fmi3Boolean early_return_allowed, const fmi3ValueReference[],
                                         size_t intermediate_variables, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  const FmuInstance::Log logger = logger_of(environment, log);
  if (intermediate_variables > 0) {
    if (logger)
      logger(FmuStatus::error, "logStatusError",
             "no variable of this FMU is accessible inside a step (providesIntermediateUpdate is false)");
    return nullptr;
  }
  return make_component(name, token, resources, {I::Interface::co_simulation, event_mode_used, early_return_allowed},
                        logging, logger);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  if (log)
    log(environment, fmi3Error, "logStatusError",
        "this FMU is for model exchange and co-simulation, not for scheduled execution");
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance i) { delete static_cast<FmuComponent*>(i); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean with_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean with_stop, fmi3Float64 stop) {
  return call(i, "fmi3EnterInitializationMode", I::instantiated, {}, [&](FmuInstance& instance) {
    instance.setup(with_tolerance ? std::optional(tolerance) : std::nullopt, start,
                   with_stop ? std::optional(stop) : std::nullopt);
    instance.enter_initialization();
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
  return call(i, "fmi3ExitInitializationMode", I::initialization, {},
              [](FmuInstance& instance) { instance.exit_initialization(); });
}

fmi3Status fmi3EnterEventMode(fmi3Instance i) {
  return call(i, "fmi3EnterEventMode", I::continuous | I::step, {}, [](FmuInstance& instance) {
    if (instance.mode() == I::step && !instance.options().event_mode)
      throw std::runtime_error("the instance was made without event mode (eventModeUsed)");
    instance.enter_event_mode();
  });
}

fmi3Status fmi3Terminate(fmi3Instance i) {
  return call(i, "fmi3Terminate", I::running, {}, [](FmuInstance& instance) { instance.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance i) {
  return call(i, "fmi3Reset", I::any_mode, {}, [](FmuInstance& instance) { instance.reset(); });
}

// ---------------------------------------------------------------- values

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference list[], size_t count, fmi3Float64 values[],
                          size_t value_count) {
  return call(i, "fmi3GetFloat64", I::any_mode, {{"list", list, count}, {"values", values, count}},
              [&](FmuInstance& instance) {
                require_counts(count, value_count);
                for (size_t k = 0; k < count; ++k) values[k] = instance.get(list[k]);
              });
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference list[], size_t count, const fmi3Float64 values[],
                          size_t value_count) {
  return call(i, "fmi3SetFloat64", I::instantiated | I::initialization | I::running,
              {{"list", list, count}, {"values", values, count}}, [&](FmuInstance& instance) {
                require_counts(count, value_count);
                for (size_t k = 0; k < count; ++k) instance.set(list[k], values[k]);
              });
}

#define ARMATURE_NO_VARIABLES(Type)                                                                            \
  fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference[], size_t n, fmi3##Type[], size_t) {       \
    return no_variables(i, "fmi3Get" #Type, n);                                                                \
  }                                                                                                            \
  fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference[], size_t n, const fmi3##Type[], size_t) { \
    return no_variables(i, "fmi3Set" #Type, n);                                                                \
  }
ARMATURE_NO_VARIABLES(Float32)
ARMATURE_NO_VARIABLES(Int8)
ARMATURE_NO_VARIABLES(UInt8)
ARMATURE_NO_VARIABLES(Int16)
ARMATURE_NO_VARIABLES(UInt16)
ARMATURE_NO_VARIABLES(Int32)
ARMATURE_NO_VARIABLES(UInt32)
ARMATURE_NO_VARIABLES(Int64)
ARMATURE_NO_VARIABLES(UInt64)
ARMATURE_NO_VARIABLES(Boolean)
ARMATURE_NO_VARIABLES(String)
#undef ARMATURE_NO_VARIABLES

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference[], size_t n, size_t[], fmi3Binary[], size_t) {
  return no_variables(i, "fmi3GetBinary", n);
}
fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference[], size_t n, const size_t[], const fmi3Binary[],
                         size_t) {
  return no_variables(i, "fmi3SetBinary", n);
}
fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference[], size_t n, fmi3Clock[]) {
  return no_variables(i, "fmi3GetClock", n);
}
fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference[], size_t n, const fmi3Clock[]) {
  return no_variables(i, "fmi3SetClock", n);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference reference, size_t* count) {
  return call(i, "fmi3GetNumberOfVariableDependencies", I::any_mode, {{"count", count}},
              [&](FmuInstance& instance) { *count = instance.dependencies(reference).size(); });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference reference, size_t elements[],
                                       fmi3ValueReference independents[], size_t independent_elements[],
                                       fmi3DependencyKind kinds[], size_t count) {
  return call(i, "fmi3GetVariableDependencies", I::any_mode,
              {{"elements", elements, count},
               {"independents", independents, count},
               {"independent_elements", independent_elements, count},
               {"kinds", kinds, count}},
              [&](FmuInstance& instance) {
                const std::vector<std::uint32_t> all = instance.dependencies(reference);
                if (count != all.size())
                  throw std::runtime_error("as many dependencies must be asked for as there are");
                for (size_t k = 0; k < count; ++k) {
                  elements[k] = independent_elements[k] = 0;
                  independents[k] = all[k];
                  kinds[k] = fmi3Dependent;
                }
              });
}

// ---------------------------------------------------------------- states

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state) {
  return call(i, "fmi3GetFMUState", I::any_mode & ~I::failed, {{"state", state}}, [&](FmuInstance& instance) {
    std::unique_ptr<I::Saved> saved = instance.save();
    delete static_cast<I::Saved*>(*state);
    *state = saved.release();
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
  return call(i, "fmi3SetFMUState", I::any_mode, {}, [&](FmuInstance& instance) {
    if (!state) throw std::runtime_error("there is no state");
    instance.restore(*static_cast<const I::Saved*>(state));
  });
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state) {
  return call(i, "fmi3FreeFMUState", I::any_mode, {}, [&](FmuInstance&) {
    if (!state) return;
    delete static_cast<I::Saved*>(*state);
    *state = nullptr;
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size) {
  return call(i, "fmi3SerializedFMUStateSize", I::any_mode, {{"size", size}}, [&](FmuInstance& instance) {
    if (!state) throw std::runtime_error("there is no state");
    *size = instance.bytes_of(*static_cast<const I::Saved*>(state)).size();
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return call(i, "fmi3SerializeFMUState", I::any_mode, {{"bytes", bytes, size}}, [&](FmuInstance& instance) {
    if (!state) throw std::runtime_error("there is no state");
    const std::vector<std::uint8_t> all = instance.bytes_of(*static_cast<const I::Saved*>(state));
    if (size < all.size()) throw std::runtime_error("there is too little room for the state");
    std::memcpy(bytes, all.data(), all.size());
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return call(i, "fmi3DeserializeFMUState", I::any_mode, {{"bytes", bytes, size}, {"state", state}},
              [&](FmuInstance& instance) {
                std::unique_ptr<I::Saved> saved = instance.saved_of({bytes, size});
                delete static_cast<I::Saved*>(*state);
                *state = saved.release();
              });
}

// ---------------------------------------------------------------- derivatives

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknown_count,
                                        const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],
                                        size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count) {
  return call(i, "fmi3GetDirectionalDerivative", I::initialization | I::running | I::terminated,
              {{"unknowns", unknowns, unknown_count},
               {"knowns", knowns, known_count},
               {"seed", seed, seed_count},
               {"sensitivity", sensitivity, sensitivity_count}},
              [&](FmuInstance& instance) {
                require_counts(known_count, seed_count), require_counts(unknown_count, sensitivity_count);
                instance.directional_derivative({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
              });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknown_count,
                                    const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],
                                    size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count) {
  return call(i, "fmi3GetAdjointDerivative", I::initialization | I::running | I::terminated,
              {{"unknowns", unknowns, unknown_count},
               {"knowns", knowns, known_count},
               {"seed", seed, seed_count},
               {"sensitivity", sensitivity, sensitivity_count}},
              [&](FmuInstance& instance) {
                require_counts(unknown_count, seed_count), require_counts(known_count, sensitivity_count);
                instance.adjoint_derivative({unknowns, unknown_count}, {knowns, known_count}, seed, sensitivity);
              });
}

// ---------------------------------------------------------------- what this FMU does not have: structural parameters, clocks

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) {
  return call(i, "fmi3EnterConfigurationMode", I::any_mode, {},
              [](FmuInstance&) { throw std::runtime_error("this FMU has no structural parameters"); });
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) {
  return call(i, "fmi3ExitConfigurationMode", I::any_mode, {},
              [](FmuInstance&) { throw std::runtime_error("this FMU has no structural parameters"); });
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return no_clocks(i, "fmi3GetIntervalDecimal");
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
                                   fmi3IntervalQualifier[]) {
  return no_clocks(i, "fmi3GetIntervalFraction");
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return no_clocks(i, "fmi3GetShiftDecimal");
}
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return no_clocks(i, "fmi3GetShiftFraction");
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return no_clocks(i, "fmi3SetIntervalDecimal");
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return no_clocks(i, "fmi3SetIntervalFraction");
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return no_clocks(i, "fmi3SetShiftDecimal");
}
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return no_clocks(i, "fmi3SetShiftFraction");
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference, fmi3Float64) {
  return no_clocks(i, "fmi3ActivateModelPartition");
}

// ---------------------------------------------------------------- events and model exchange

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i) {
  return call(i, "fmi3EvaluateDiscreteStates", I::initialization | I::event, {}, [](FmuInstance&) {});
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                    fmi3Boolean* next_event_time_defined, fmi3Float64* next_event_time) {
  return call(i, "fmi3UpdateDiscreteStates", I::event,
              {{"again", again},
               {"terminate", terminate},
               {"nominals_changed", nominals_changed},
               {"values_changed", values_changed},
               {"next_event_time_defined", next_event_time_defined},
               {"next_event_time", next_event_time}},
              [&](FmuInstance& instance) {
                const FmuInstance::Update update = instance.update();
                *again = update.again;
                *terminate = *nominals_changed = false;
                *values_changed = update.state_changed;
                *next_event_time_defined = update.next_event.has_value();
                *next_event_time = update.next_event.value_or(0);
              });
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i) {
  return call(i, "fmi3EnterContinuousTimeMode", I::event, {}, [](FmuInstance& instance) {
    if (instance.options().interface != I::Interface::model_exchange)
      throw std::runtime_error("this is an instance for co-simulation");
    instance.enter_continuous_mode();
  });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate) {
  return call(i, "fmi3CompletedIntegratorStep", I::continuous,
              {{"enter_event_mode", enter_event_mode}, {"terminate", terminate}}, [&](FmuInstance& instance) {
                *enter_event_mode = instance.complete_step();
                *terminate = false;
              });
}

fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 t) {
  return call(i, "fmi3SetTime", I::event | I::continuous, {}, [&](FmuInstance& instance) {
    if (instance.options().interface != I::Interface::model_exchange)
      throw std::runtime_error("this is an instance for co-simulation");
    instance.set_time(t);
  });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 x[], size_t count) {
  return call(i, "fmi3SetContinuousStates", I::continuous, {{"x", x, count}},
              [&](FmuInstance& instance) { instance.set_states(x, count); });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 rates[], size_t count) {
  return call(i, "fmi3GetContinuousStateDerivatives", I::initialization | I::running | I::terminated,
              {{"rates", rates, count}}, [&](FmuInstance& instance) { instance.get_rates(rates, count); });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 indicators[], size_t count) {
  return call(i, "fmi3GetEventIndicators", I::initialization | I::running | I::terminated,
              {{"indicators", indicators, count}},
              [&](FmuInstance& instance) { instance.get_indicators(indicators, count); });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t count) {
  return call(i, "fmi3GetContinuousStates", I::initialization | I::running | I::terminated, {{"x", x, count}},
              [&](FmuInstance& instance) { instance.get_states(x, count); });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 nominals[], size_t count) {
  return call(i, "fmi3GetNominalsOfContinuousStates", I::any_mode, {{"nominals", nominals, count}},
              [&](FmuInstance& instance) { instance.get_nominals(nominals, count); });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count) {
  return call(i, "fmi3GetNumberOfEventIndicators", I::any_mode, {{"count", count}},
              [&](FmuInstance& instance) { *count = static_cast<size_t>(instance.indicators()); });
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count) {
  return call(i, "fmi3GetNumberOfContinuousStates", I::any_mode, {{"count", count}},
              [&](FmuInstance& instance) { *count = static_cast<size_t>(instance.states()); });
}

// ---------------------------------------------------------------- co-simulation

fmi3Status fmi3EnterStepMode(fmi3Instance i) {
  return call(i, "fmi3EnterStepMode", I::event, {}, [](FmuInstance& instance) {
    if (instance.options().interface != I::Interface::co_simulation)
      throw std::runtime_error("this is an instance for model exchange");
    instance.enter_step_mode();
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Int32[],
                                    fmi3Float64[], size_t) {
  return call(i, "fmi3GetOutputDerivatives", I::any_mode, {}, [](FmuInstance&) {
    throw std::runtime_error(
        "there are no derivatives of outputs (maxOutputDerivativeOrder is 0); rates of states are the variables "
        "der(…)");
  });
}

fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 length, fmi3Boolean,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_time) {
  return call(i, "fmi3DoStep", I::step,
              {{"event_handling_needed", event_handling_needed},
               {"terminate", terminate},
               {"early_return", early_return},
               {"last_time", last_time}},
              [&](FmuInstance& instance) {
                *terminate = *early_return = *event_handling_needed = false;
                *last_time = instance.t();
                try {
                  const FmuInstance::Step step = instance.do_step(t, length);
                  *event_handling_needed = step.event;
                  *early_return = step.early;
                  *last_time = step.last;
                } catch (...) {
                  *last_time = instance.t();
                  throw;
                }
              });
}
