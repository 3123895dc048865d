#include "armature/armature.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "library/translate.hpp"

using armature::Channel;
using armature::Error;
using armature::Machine;
using armature::Quantity;
using armature::Run;
using armature::State;

struct armature_machine {
  Machine machine;
  std::vector<Quantity> inputs;
};

// The outcome is asked for piece by piece: it is kept until the run changes.
struct armature_run {
  Run run;
  std::optional<armature::Outcome> outcome = {};
  const armature::Outcome& known_outcome() {
    if (!outcome) outcome = run.outcome();
    return *outcome;
  }
};

namespace {

thread_local std::string last_error;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

static_assert(static_cast<int>(armature::Outcome::Status::running) == ARMATURE_RUNNING &&
              static_cast<int>(armature::Outcome::Status::failed) == ARMATURE_FAILED);

// f(), or `otherwise` and a sentence for armature_error().
template <class Result, class F>
Result guarded(Result otherwise, const F& f) {
  try {
    last_error.clear();
    return armature::translated(f);
  } catch (const std::exception& error) {
    last_error = error.what();
    return otherwise;
  }
}

// What a handle or another pointer points to.
template <class Pointed>
Pointed& at(Pointed* pointer, const char* name) {
  if (!pointer) throw Error(Error::Kind::input, fmt::format("{} is NULL", name));
  return *pointer;
}

std::string text_of(const char* text, const char* name) { return &at(text, name); }

template <class Item>
const Item& item(const std::vector<Item>& items, int index, const char* kind) {
  if (index < 0 || static_cast<std::size_t>(index) >= items.size())
    throw Error(Error::Kind::input, fmt::format("there is no {} number {}", kind, index));
  return items[static_cast<std::size_t>(index)];
}

armature::Settings settings_of(const char* const* words) {
  armature::Settings settings;
  for (; words && *words; words += 2) {
    if (!words[1]) throw Error(Error::Kind::input, fmt::format("the setting '{}' has no value", *words));
    settings.emplace_back(words[0], words[1]);
  }
  return settings;
}

std::vector<std::string> words_of(const char* const* words) {
  std::vector<std::string> names;
  for (; words && *words; ++words) names.emplace_back(*words);
  return names;
}

// t and every part of the state, one after the other.
std::vector<double> numbers_of(const State& state) {
  std::vector<double> numbers{state.t};
  for (const auto* part : {&state.q, &state.v, &state.z, &state.discrete, &state.switches})
    numbers.insert(numbers.end(), part->begin(), part->end());
  numbers.insert(numbers.end(), state.switch_status.begin(), state.switch_status.end());
  return numbers;
}

// -1 for what is none.
int small_integer(double number) { return number >= 0 && number < 100 ? static_cast<int>(number) : -1; }

State state_from(const double* numbers, State sizes) {
  sizes.t = *numbers++;
  for (auto* part : {&sizes.q, &sizes.v, &sizes.z, &sizes.discrete, &sizes.switches})
    for (double& entry : *part) entry = *numbers++;
  for (int& status : sizes.switch_status) status = small_integer(*numbers++);
  return sizes;
}

void require_count(std::size_t given, std::size_t needed) {
  if (given != needed) throw Error(Error::Kind::input, fmt::format("a state has {} numbers, not {}", needed, given));
}

armature_machine* compiled(const std::string& file, const armature::Settings& settings,
                           const std::vector<std::string>& inputs, const std::string& root) {
  armature::CompileOptions options;
  options.inputs = inputs;
  Machine machine = armature::compile(armature::read_model(file, settings, root), options);
  std::vector<Quantity> list = machine.inputs();
  return new armature_machine{std::move(machine), std::move(list)};
}

}  // namespace

extern "C" {

const char* armature_version(void) { return armature::version(); }
const char* armature_error(void) { return last_error.c_str(); }

armature_machine* armature_compile(const char* file, const char* const* settings, const char* const* inputs) {
  return guarded<armature_machine*>(
      nullptr, [&] { return compiled(text_of(file, "file"), settings_of(settings), words_of(inputs), ""); });
}

armature_machine* armature_compile_within(const char* root, const char* file, const char* const* settings,
                                          const char* const* inputs) {
  return guarded<armature_machine*>(nullptr, [&] {
    return compiled(text_of(file, "file"), settings_of(settings), words_of(inputs), text_of(root, "root"));
  });
}

void armature_machine_free(armature_machine* machine) { delete machine; }

int armature_input_count(const armature_machine* machine) {
  return guarded(-1, [&] { return static_cast<int>(at(machine, "machine").inputs.size()); });
}

const char* armature_input_name(const armature_machine* machine, int input) {
  return guarded<const char*>(nullptr,
                              [&] { return item(at(machine, "machine").inputs, input, "input").name.c_str(); });
}

const char* armature_input_unit(const armature_machine* machine, int input) {
  return guarded<const char*>(nullptr,
                              [&] { return item(at(machine, "machine").inputs, input, "input").unit.c_str(); });
}

double armature_input_default(const armature_machine* machine, int input) {
  return guarded(not_a_number, [&] { return item(at(machine, "machine").inputs, input, "input").value; });
}

int armature_input(const armature_machine* machine, const char* name) {
  return guarded(-1, [&] {
    std::vector<std::string> names;
    for (const Quantity& input : at(machine, "machine").inputs) names.push_back(input.name);
    return armature::place_of(text_of(name, "name"), names, "input");
  });
}

armature_run* armature_run_new(const armature_machine* machine) {
  return guarded<armature_run*>(nullptr, [&] { return new armature_run{Run(at(machine, "machine").machine)}; });
}

void armature_run_free(armature_run* run) { delete run; }

double armature_time(const armature_run* run) {
  return guarded(not_a_number, [&] { return at(run, "run").run.t(); });
}

int armature_set_input(armature_run* run, int input, double value) {
  return guarded(-1, [&] { return at(run, "run").run.set_input(input, value), 0; });
}

int armature_advance(armature_run* run, double t) {
  return guarded(-1, [&] {
    at(run, "run").outcome.reset();
    return run->run.advance(t), 0;
  });
}

int armature_channel_count(const armature_run* run) {
  return guarded(-1, [&] { return static_cast<int>(at(run, "run").run.channels().size()); });
}

const char* armature_channel_name(const armature_run* run, int channel) {
  return guarded<const char*>(nullptr,
                              [&] { return item(at(run, "run").run.channels(), channel, "channel").name.c_str(); });
}

const char* armature_channel_unit(const armature_run* run, int channel) {
  return guarded<const char*>(nullptr,
                              [&] { return item(at(run, "run").run.channels(), channel, "channel").unit.c_str(); });
}

int armature_channel(const armature_run* run, const char* name) {
  return guarded(-1, [&] { return at(run, "run").run.channel(text_of(name, "name")); });
}

double armature_value(armature_run* run, int channel) {
  return guarded(not_a_number, [&] { return at(run, "run").run.value(channel); });
}

int armature_values(armature_run* run, double* values, size_t count) {
  return guarded(-1, [&] {
    const std::span<const double> all = at(run, "run").run.values();
    if (count > all.size())
      throw Error(Error::Kind::input, fmt::format("there are {} channels, not {}", all.size(), count));
    std::copy_n(all.begin(), count, &at(values, "values"));
    return 0;
  });
}

int armature_event_count(armature_run* run) {
  return guarded(-1, [&] { return static_cast<int>(at(run, "run").known_outcome().events.size()); });
}

double armature_event_time(armature_run* run, int event) {
  return guarded(not_a_number, [&] { return item(at(run, "run").known_outcome().events, event, "event").t; });
}

const char* armature_event_text(armature_run* run, int event) {
  return guarded<const char*>(nullptr,
                              [&] { return item(at(run, "run").known_outcome().events, event, "event").what.c_str(); });
}

int armature_status(armature_run* run) {
  return guarded(-1, [&] { return static_cast<int>(at(run, "run").known_outcome().status); });
}

int armature_finish(armature_run* run) {
  return guarded(-1, [&] {
    armature_run& finished = at(run, "run");
    finished.outcome = finished.run.finish();
    return static_cast<int>(finished.outcome->status);
  });
}

const char* armature_outcome(armature_run* run) {
  return guarded<const char*>(nullptr, [&] { return at(run, "run").known_outcome().sentence.c_str(); });
}

int armature_warning_count(armature_run* run) {
  return guarded(-1, [&] { return static_cast<int>(at(run, "run").known_outcome().warnings.size()); });
}

const char* armature_warning(armature_run* run, int warning) {
  return guarded<const char*>(
      nullptr, [&] { return item(at(run, "run").known_outcome().warnings, warning, "warning").c_str(); });
}

size_t armature_state_size(const armature_run* run) {
  return guarded<size_t>(0, [&] { return numbers_of(at(run, "run").run.state()).size(); });
}

int armature_get_state(const armature_run* run, double* numbers, size_t count) {
  return guarded(-1, [&] {
    const std::vector<double> all = numbers_of(at(run, "run").run.state());
    require_count(count, all.size());
    std::copy(all.begin(), all.end(), &at(numbers, "numbers"));
    return 0;
  });
}

int armature_set_state(armature_run* run, const double* numbers, size_t count) {
  return guarded(-1, [&] {
    State sizes = at(run, "run").run.state();
    require_count(count, numbers_of(sizes).size());
    run->outcome.reset();
    run->run.set_state(state_from(&at(numbers, "numbers"), std::move(sizes)));
    return 0;
  });
}

}  // extern "C"
