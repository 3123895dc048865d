// The functions of FMI 2.0.
#include <cstring>
#include <iterator>

#include "fmi/binary/component.hpp"
#include "fmi/fmi2.h"

namespace {

using namespace armature::internal;
using I = FmuInstance;

fmi2Status status_of(FmuStatus status) { return static_cast<fmi2Status>(status); }

template <class F>
fmi2Status call(fmi2Component component, const char* function, unsigned modes,
                std::initializer_list<FmuArgument> arguments, const F& f) {
  return status_of(call_component(component, function, modes, arguments, f));
}

// '#' begins a reference to a variable in a message of FMI 2.0: it is doubled.
std::string escaped(const std::string& sentence) {
  std::string text;
  for (const char c : sentence) text += c == '#' ? "##" : std::string(1, c);
  return text;
}

FmuInstance::Log logger_of(const fmi2CallbackFunctions* functions, const std::string& name) {
  if (!functions || !functions->logger) return {};
  return [logger = functions->logger, environment = functions->componentEnvironment, name](
             FmuStatus status, const char* category, const std::string& sentence) {
    logger(environment, name.c_str(), status_of(status), category, "%s", escaped(sentence).c_str());
  };
}

fmi2Status no_variables(fmi2Component component, const char* function, size_t count) {
  return call(component, function, I::any_mode, {}, [&](FmuInstance&) {
    if (count > 0) throw std::runtime_error("all variables of this FMU are Real");
  });
}

const std::uint32_t* references(const fmi2ValueReference* list) { return list; }

}  // namespace

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
  return call(c, "fmi2SetDebugLogging", I::any_mode, {},
              [&](FmuInstance& i) { i.set_logging(on, texts_of(categories, count)); });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean logging) {
  FmuInstance::Options options;
  options.interface = type == fmi2ModelExchange ? I::Interface::model_exchange : I::Interface::co_simulation;
  return make_component(name, guid, resources, options, logging, logger_of(functions, name ? name : ""));
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<FmuComponent*>(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean with_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean with_stop, fmi2Real stop) {
  return call(c, "fmi2SetupExperiment", I::instantiated, {}, [&](FmuInstance& i) {
    i.setup(with_tolerance ? std::optional(tolerance) : std::nullopt, start,
            with_stop ? std::optional(stop) : std::nullopt);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return call(c, "fmi2EnterInitializationMode", I::instantiated, {}, [](FmuInstance& i) { i.enter_initialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return call(c, "fmi2ExitInitializationMode", I::initialization, {}, [](FmuInstance& i) { i.exit_initialization(); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return call(c, "fmi2Terminate", I::running, {}, [](FmuInstance& i) { i.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return call(c, "fmi2Reset", I::any_mode, {}, [](FmuInstance& i) { i.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference list[], size_t count, fmi2Real values[]) {
  return call(c, "fmi2GetReal", I::any_mode, {{"list", list, count}, {"values", values, count}}, [&](FmuInstance& i) {
    for (size_t k = 0; k < count; ++k) values[k] = i.get(list[k]);
  });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference list[], size_t count, const fmi2Real values[]) {
  return call(c, "fmi2SetReal", I::instantiated | I::initialization | I::running,
              {{"list", list, count}, {"values", values, count}}, [&](FmuInstance& i) {
                for (size_t k = 0; k < count; ++k) i.set(list[k], values[k]);
              });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Integer[]) {
  return no_variables(c, "fmi2GetInteger", n);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Boolean[]) {
  return no_variables(c, "fmi2GetBoolean", n);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
  return no_variables(c, "fmi2GetString", n);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Integer[]) {
  return no_variables(c, "fmi2SetInteger", n);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Boolean[]) {
  return no_variables(c, "fmi2SetBoolean", n);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2String[]) {
  return no_variables(c, "fmi2SetString", n);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2GetFMUstate", I::any_mode & ~I::failed, {{"state", state}}, [&](FmuInstance& i) {
    std::unique_ptr<I::Saved> saved = i.save();
    delete static_cast<I::Saved*>(*state);
    *state = saved.release();
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, "fmi2SetFMUstate", I::any_mode, {}, [&](FmuInstance& i) {
    if (!state) throw std::runtime_error("there is no state");
    i.restore(*static_cast<const I::Saved*>(state));
  });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2FreeFMUstate", I::any_mode, {}, [&](FmuInstance&) {
    if (!state) return;
    delete static_cast<I::Saved*>(*state);
    *state = nullptr;
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return call(c, "fmi2SerializedFMUstateSize", I::any_mode, {{"size", size}}, [&](FmuInstance& i) {
    if (!state) throw std::runtime_error("there is no state");
    *size = i.bytes_of(*static_cast<const I::Saved*>(state)).size();
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  return call(c, "fmi2SerializeFMUstate", I::any_mode, {{"bytes", bytes, size}}, [&](FmuInstance& i) {
    if (!state) throw std::runtime_error("there is no state");
    const std::vector<std::uint8_t> all = i.bytes_of(*static_cast<const I::Saved*>(state));
    if (size < all.size()) throw std::runtime_error("there is too little room for the state");
    std::memcpy(bytes, all.data(), all.size());
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  return call(c, "fmi2DeSerializeFMUstate", I::any_mode, {{"bytes", bytes, size}, {"state", state}},
              [&](FmuInstance& i) {
                std::unique_ptr<I::Saved> saved = i.saved_of({reinterpret_cast<const std::uint8_t*>(bytes), size});
                delete static_cast<I::Saved*>(*state);
                *state = saved.release();
              });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t unknown_count,
                                        const fmi2ValueReference knowns[], size_t known_count, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
  return call(c, "fmi2GetDirectionalDerivative", I::initialization | I::running | I::terminated,
              {{"unknowns", unknowns, unknown_count},
               {"knowns", knowns, known_count},
               {"seed", seed, known_count},
               {"sensitivity", sensitivity, unknown_count}},
              [&](FmuInstance& i) {
                i.directional_derivative({references(unknowns), unknown_count}, {references(knowns), known_count}, seed,
                                         sensitivity);
              });
}

// ---------------------------------------------------------------- model exchange

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return call(c, "fmi2EnterEventMode", I::continuous | I::event, {}, [](FmuInstance& i) { i.enter_event_mode(); });
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  return call(c, "fmi2NewDiscreteStates", I::event, {{"info", info}}, [&](FmuInstance& i) {
    const FmuInstance::Update update = i.update();
    info->newDiscreteStatesNeeded = update.again;
    info->terminateSimulation = fmi2False;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = update.state_changed;
    info->nextEventTimeDefined = update.next_event.has_value();
    info->nextEventTime = update.next_event.value_or(0);
  });
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return call(c, "fmi2EnterContinuousTimeMode", I::event, {}, [](FmuInstance& i) { i.enter_continuous_mode(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* enter_event_mode,
                                       fmi2Boolean* terminate) {
  return call(c, "fmi2CompletedIntegratorStep", I::continuous,
              {{"enter_event_mode", enter_event_mode}, {"terminate", terminate}}, [&](FmuInstance& i) {
                *enter_event_mode = i.complete_step();
                *terminate = fmi2False;
              });
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  return call(c, "fmi2SetTime", I::event | I::continuous, {}, [&](FmuInstance& i) { i.set_time(t); });
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count) {
  return call(c, "fmi2SetContinuousStates", I::continuous, {{"x", x, count}},
              [&](FmuInstance& i) { i.set_states(x, count); });
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t count) {
  return call(c, "fmi2GetDerivatives", I::initialization | I::running | I::terminated, {{"rates", rates, count}},
              [&](FmuInstance& i) { i.get_rates(rates, count); });
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count) {
  return call(c, "fmi2GetEventIndicators", I::initialization | I::running | I::terminated,
              {{"indicators", indicators, count}}, [&](FmuInstance& i) { i.get_indicators(indicators, count); });
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count) {
  return call(c, "fmi2GetContinuousStates", I::initialization | I::running | I::terminated, {{"x", x, count}},
              [&](FmuInstance& i) { i.get_states(x, count); });
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t count) {
  return call(c, "fmi2GetNominalsOfContinuousStates", I::any_mode, {{"nominals", nominals, count}},
              [&](FmuInstance& i) { i.get_nominals(nominals, count); });
}

// ---------------------------------------------------------------- co-simulation

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                       const fmi2Real[]) {
  return call(c, "fmi2SetRealInputDerivatives", I::any_mode, {}, [](FmuInstance&) {
    throw std::runtime_error("inputs are held over a step (canInterpolateInputs is false)");
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                        fmi2Real[]) {
  return call(c, "fmi2GetRealOutputDerivatives", I::any_mode, {}, [](FmuInstance&) {
    throw std::runtime_error(
        "there are no derivatives of outputs (maxOutputDerivativeOrder is 0); rates of states are the variables "
        "der(…)");
  });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real length, fmi2Boolean) {
  return call(c, "fmi2DoStep", I::step, {}, [&](FmuInstance& i) { i.do_step(t, length); });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return call(c, "fmi2CancelStep", I::any_mode, {},
              [](FmuInstance&) { throw std::runtime_error("no step is pending: steps are not asynchronous"); });
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind, fmi2Status*) {
  return call(c, "fmi2GetStatus", I::any_mode, {},
              [](FmuInstance&) { throw FmuDiscard("no step is pending: steps are not asynchronous"); });
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  return call(c, "fmi2GetRealStatus", I::any_mode, {{"value", value}}, [&](FmuInstance& i) {
    if (kind != fmi2LastSuccessfulTime)
      throw FmuDiscard("the only number to ask for is the time up to which the last step went");
    *value = i.last_time();
  });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind, fmi2Integer*) {
  return call(c, "fmi2GetIntegerStatus", I::any_mode, {},
              [](FmuInstance&) { throw FmuDiscard("there is no such status"); });
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  return call(c, "fmi2GetBooleanStatus", I::any_mode, {{"value", value}}, [&](FmuInstance&) {
    if (kind != fmi2Terminated) throw FmuDiscard("there is no such status");
    *value = fmi2False;
  });
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind, fmi2String*) {
  return call(c, "fmi2GetStringStatus", I::any_mode, {},
              [](FmuInstance&) { throw FmuDiscard("no step is pending: steps are not asynchronous"); });
}
