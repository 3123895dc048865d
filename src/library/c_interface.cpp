#include "armature/armature.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
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

struct armature_run {
  Run run;
};

namespace {

thread_local std::string last_error;

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

// What a caller points to. Whoever does not look at what armature_compile() returned learns it here.
template <class Thing>
Thing& given(Thing* pointer, const char* what) {
  if (!pointer) throw Error(Error::Kind::input, fmt::format("{} is NULL", what));
  return *pointer;
}

const armature_machine& the(const armature_machine* machine) { return given(machine, "the machine"); }
const Run& the(const armature_run* run) { return given(run, "the run").run; }
Run& the(armature_run* run) { return given(run, "the run").run; }

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
  for (const auto* part : {&state.q, &state.v, &state.z, &state.held, &state.outcomes})
    numbers.insert(numbers.end(), part->begin(), part->end());
  numbers.insert(numbers.end(), state.modes.begin(), state.modes.end());
  return numbers;
}

int mode_from(double number) {
  constexpr double far = 1e6;  // from any mode: a NaN, or a number that no int can hold
  return std::abs(number) < far ? static_cast<int>(number) : -1;
}

State state_from(const double* numbers, State sizes) {
  sizes.t = *numbers++;
  for (auto* part : {&sizes.q, &sizes.v, &sizes.z, &sizes.held, &sizes.outcomes})
    for (double& entry : *part) entry = *numbers++;
  for (int& mode : sizes.modes) mode = mode_from(*numbers++);
  return sizes;
}

void require_count(std::size_t given, std::size_t needed) {
  if (given != needed) throw Error(Error::Kind::input, fmt::format("a state has {} numbers, not {}", needed, given));
}

}  // namespace

extern "C" {

const char* armature_version(void) { return armature::version(); }
const char* armature_error(void) { return last_error.c_str(); }

armature_machine* armature_compile(const char* file, const char* const* settings, const char* const* inputs) {
  return guarded<armature_machine*>(nullptr, [&] {
    armature::CompileOptions options;
    options.inputs = words_of(inputs);
    Machine machine = armature::compile(armature::read_model(&given(file, "the file"), settings_of(settings)), options);
    std::vector<Quantity> list = machine.inputs();
    return new armature_machine{std::move(machine), std::move(list)};
  });
}

void armature_machine_free(armature_machine* machine) { delete machine; }

int armature_input_count(const armature_machine* machine) {
  return guarded(-1, [&] { return static_cast<int>(the(machine).inputs.size()); });
}

const char* armature_input_name(const armature_machine* machine, int input) {
  return guarded<const char*>(nullptr, [&] { return item(the(machine).inputs, input, "input").name.c_str(); });
}

const char* armature_input_unit(const armature_machine* machine, int input) {
  return guarded<const char*>(nullptr, [&] { return item(the(machine).inputs, input, "input").unit.c_str(); });
}

double armature_input_default(const armature_machine* machine, int input) {
  return guarded(std::numeric_limits<double>::quiet_NaN(), [&] { return item(the(machine).inputs, input, "input").value; });
}

int armature_input(const armature_machine* machine, const char* name) {
  return guarded(-1, [&] {
    std::vector<std::string> names;
    for (const Quantity& input : the(machine).inputs) names.push_back(input.name);
    return armature::place_of(&given(name, "the name"), names, "input");
  });
}

armature_run* armature_run_new(const armature_machine* machine) {
  return guarded<armature_run*>(nullptr, [&] { return new armature_run{Run(the(machine).machine)}; });
}

void armature_run_free(armature_run* run) { delete run; }

double armature_time(const armature_run* run) {
  return guarded(std::numeric_limits<double>::quiet_NaN(), [&] { return the(run).t(); });
}

int armature_set_input(armature_run* run, int input, double value) {
  return guarded(-1, [&] { return the(run).set_input(input, value), 0; });
}

int armature_advance(armature_run* run, double t) {
  return guarded(-1, [&] { return the(run).advance(t), 0; });
}

int armature_channel_count(const armature_run* run) {
  return guarded(-1, [&] { return static_cast<int>(the(run).channels().size()); });
}

const char* armature_channel_name(const armature_run* run, int channel) {
  return guarded<const char*>(nullptr, [&] { return item(the(run).channels(), channel, "channel").name.c_str(); });
}

const char* armature_channel_unit(const armature_run* run, int channel) {
  return guarded<const char*>(nullptr, [&] { return item(the(run).channels(), channel, "channel").unit.c_str(); });
}

int armature_channel(const armature_run* run, const char* name) {
  return guarded(-1, [&] { return the(run).channel(&given(name, "the name")); });
}

double armature_value(armature_run* run, int channel) {
  return guarded(std::numeric_limits<double>::quiet_NaN(), [&] { return the(run).value(channel); });
}

int armature_values(armature_run* run, double* values, size_t count) {
  return guarded(-1, [&] {
    const std::span<const double> all = the(run).values();
    if (count > all.size())
      throw Error(Error::Kind::input, fmt::format("there are {} channels, not {}", all.size(), count));
    if (count > 0) std::copy_n(all.begin(), count, &given(values, "the place for the values"));
    return 0;
  });
}

size_t armature_state_size(const armature_run* run) {
  return guarded(std::size_t{0}, [&] { return numbers_of(the(run).state()).size(); });
}

int armature_get_state(const armature_run* run, double* numbers, size_t count) {
  return guarded(-1, [&] {
    const std::vector<double> all = numbers_of(the(run).state());
    require_count(count, all.size());
    std::copy(all.begin(), all.end(), &given(numbers, "the place for the numbers"));
    return 0;
  });
}

int armature_set_state(armature_run* run, const double* numbers, size_t count) {
  return guarded(-1, [&] {
    State sizes = the(run).state();
    require_count(count, numbers_of(sizes).size());
    the(run).set_state(state_from(&given(numbers, "the state"), std::move(sizes)));
    return 0;
  });
}

}  // extern "C"
