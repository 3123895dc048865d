// Options of a run, and what is recorded.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/joint_components.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"
#include "step/methods.hpp"

namespace armature::internal {
namespace {

const std::vector<std::string> stabilizations{"projection", "baumgarte", "post_adjust", "none"};

std::vector<std::string> fixed_step_integrators() {
  std::vector<std::string> names;
  for (const step::Method& method : step::methods)
    if (!method.controlled) names.emplace_back(method.name);
  return names;
}

void read_integrator(const MapReader& map, SimulateOptions& options, Reading& reading) {
  const std::optional<std::string> word = map.choice("integrator");
  options.step = map.constant("step");
  if (map.has("integrator") && !word) return;
  if (word) options.integrator = *word;
  const bool fixed = !step::find_method(options.integrator)->controlled;
  if (fixed && !map.has("step"))
    reading.diagnostics.add(map.find("integrator")->where, map.path("step"),
                            fmt::format("is missing; {} needs a fixed step", options.integrator));
  const bool from_file = map.has("step") && map.find("step")->where.line > 0 &&
                         (!map.has("integrator") || map.find("integrator")->where.line > 0);
  if (!fixed && from_file)
    reading.diagnostics.add(
        map.find("step")->where, map.path("step"),
        fmt::format("{} chooses its own steps; give max_step to bound them, or a fixed-step integrator: {}",
                    options.integrator, one_of(fixed_step_integrators())));
}

void read_baumgarte(const YamlNode& node, const std::string& path, SimulateOptions& options, Reading& reading) {
  const MapReader map(node, keys_of("baumgarte"), path, reading);
  const auto alpha = map.constant("alpha"), beta = map.constant("beta");
  const auto delta = map.constant("delta"), omega = map.constant("omega");
  const bool by_gains = map.has("alpha") && map.has("beta") && !map.has("delta") && !map.has("omega");
  const bool by_frequency = map.has("delta") && map.has("omega") && !map.has("alpha") && !map.has("beta");
  if (!by_gains && !by_frequency) {
    reading.diagnostics.add(node.where, path, "give {alpha, beta} or {delta, omega}");
    return;
  }
  if (alpha && beta) options.alpha = alpha, options.beta = beta;
  if (delta && omega) options.alpha = 2 * *delta * *omega, options.beta = *omega * *omega;
}

void read_post_adjust(const YamlNode& node, const std::string& path, SimulateOptions& options, Reading& reading) {
  const MapReader map(node, keys_of("post_adjust"), path, reading);
  SimulateOptions::PostAdjust adjust;
  adjust.weight = map.constant("weight").value_or(adjust.weight);
  adjust.penalty = map.constant("penalty").value_or(adjust.penalty);
  adjust.tolerance = map.constant("tolerance").value_or(adjust.tolerance);
  const double iterations = map.constant("iterations").value_or(adjust.iterations);
  if (iterations != std::round(iterations) || iterations > 1e6)
    reading.diagnostics.add(node.where, map.path("iterations"), "must be a whole number");
  else
    adjust.iterations = static_cast<int>(iterations);
  options.post_adjust = adjust;
}

// One method: its word alone, or the word and its options.
void read_method(const std::string& word, const YamlNode& node, const std::string& path, SimulateOptions& options,
                 Reading& reading) {
  if (word == "projection")
    options.projection = true;
  else if (word == "baumgarte")
    read_baumgarte(node, path, options, reading);
  else if (word == "post_adjust")
    read_post_adjust(node, path, options, reading);
  else
    reading.diagnostics.add(node.where, path,
                            fmt::format("unknown stabilization '{}'{}; expected {}", word,
                                        did_you_mean(word, stabilizations), one_of(stabilizations)));
}

void read_methods(const YamlNode& node, const std::string& path, SimulateOptions& options, Reading& reading) {
  for (const YamlNode& item : node.items) read_methods(item, path, options, reading);
  for (const YamlEntry& entry : node.entries)
    read_method(entry.key, entry.value, dotted(path, entry.key), options, reading);
  YamlNode nothing;
  nothing.where = node.where;
  if (node.is_text() && node.text != "none") read_method(node.text, nothing, path, options, reading);
}

void read_stabilization(const YamlNode& node, const std::string& path, SimulateOptions& options, Reading& reading) {
  options.projection = false;
  const bool none_among_others =
      node.is_list() && node.items.size() > 1 &&
      std::any_of(node.items.begin(), node.items.end(), [](const YamlNode& item) { return item.text == "none"; });
  if (none_among_others) reading.diagnostics.add(node.where, path, "'none' cannot be combined with other methods");
  read_methods(node, path, options, reading);
}

std::vector<std::string> read_words(const MapReader& map, const std::string& key, Reading& reading) {
  std::vector<std::string> words;
  const YamlNode* node = map.find(key);
  if (!node) return words;
  if (!node->is_list()) {
    reading.diagnostics.add(node->where, map.path(key),
                            fmt::format("expected a list of names, not {}", kind_in_words(*node)));
    return words;
  }
  for (const YamlNode& item : node->items)
    if (const std::optional<std::string> word = read_text(item, map.path(key), reading)) words.push_back(*word);
  return words;
}

void require_known(const std::vector<std::string>& words, const std::vector<std::string>& known, const char* kind,
                   const MapReader& map, const std::string& key, Reading& reading) {
  for (const std::string& word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      reading.diagnostics.add(map.find(key)->where, map.path(key),
                              fmt::format("unknown {} '{}'{}", kind, word, did_you_mean(word, known)));
}

// {name: formula, …}
void read_named_formulas(const MapReader& map, const std::string& key, const KeySpec& spec,
                         std::vector<std::pair<std::string, Formula>>& formulas, Reading& reading) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  for (const YamlEntry& entry : expanded_entries(*node, map.path(key), reading)) {
    const std::string path = dotted(map.path(key), entry.key);
    reading.take_name(entry.key, "quantity", entry.where, path);
    const Formula formula = read_formula(entry.value, path, reading);
    reading.check_later(formula, path, spec);
    formulas.emplace_back(entry.key, formula);
  }
}

// {name: [coordinates]}
void read_determinants(const MapReader& map, RecordOptions& record, Reading& reading) {
  const YamlNode* node = map.find("determinants");
  if (!node) return;
  for (const YamlEntry& entry : expanded_entries(*node, map.path("determinants"), reading)) {
    const std::string path = dotted(map.path("determinants"), entry.key);
    reading.take_name(entry.key, "quantity", entry.where, path);
    RecordOptions::Determinant determinant{entry.key, entry.where, {}};
    if (!entry.value.is_list()) reading.diagnostics.add(entry.where, path, "expected a list of coordinates");
    for (const YamlNode& item : entry.value.items)
      if (const auto coordinate = read_coordinate(item, path, reading))
        determinant.coordinates.push_back(coordinate->name);
    record.determinants.push_back(std::move(determinant));
  }
}

ReactionFrame read_reaction(const YamlEntry& entry, const std::string& path, Reading& reading) {
  ReactionFrame frame;
  frame.joint = entry.key;
  using Side = ReactionFrame::Side;
  const MapReader map(entry.value, keys_of("reaction"), path, reading);
  const auto side = [](const YamlNode& node) {
    return node.text == "first" ? Side::first : node.text == "second" ? Side::second : Side::elsewhere;
  };
  if (const YamlNode* at = map.find("at")) {
    frame.at = side(*at);
    if (*frame.at == Side::elsewhere)
      if (const auto place = read_attachment(*at, map.path("at"), reading)) frame.place = *place;
  }
  if (const YamlNode* axes = map.find("axes")) {
    frame.axes = side(*axes);
    if (frame.axes == Side::elsewhere && axes->text != "ground")
      reading.diagnostics.add(axes->where, map.path("axes"), "must be first, second or ground");
  }
  return frame;
}

// [joints], or {joint: {at, axes}}
void read_reactions(const MapReader& map, Reading& reading) {
  const YamlNode* node = map.find("reactions");
  if (!node) return;
  RecordOptions& record = reading.model.record;
  if (node->is_map()) {
    for (const YamlEntry& entry : node->entries) {
      record.reactions.push_back(entry.key);
      reading.model.reaction_frames.push_back(read_reaction(entry, dotted(map.path("reactions"), entry.key), reading));
    }
  } else {
    record.reactions = read_words(map, "reactions", reading);
  }
  std::vector<std::string> joints;
  for (const Joint& joint : reading.model.joints) joints.push_back(joint.name);
  require_known(record.reactions, joints, "joint", map, "reactions", reading);
}

}  // namespace

void read_simulate(const YamlNode& section, Reading& reading) {
  const MapReader map(section, keys_of("simulate"), "simulate", reading);
  SimulateOptions& options = reading.model.simulate;
  options.where = section.where;
  options.end = map.constant("end").value_or(options.end);
  options.record = map.constant("record");
  read_integrator(map, options, reading);
  options.rtol = map.constant("rtol");
  options.atol = map.constant("atol");
  options.max_step = map.constant("max_step");
  options.formulation = map.choice("formulation").value_or(options.formulation);
  options.sequential_impacts = map.choice("impacts") == "sequential";
  options.independent = read_words(map, "independent", reading);
  require_known(options.independent, coordinate_names(reading.model), "coordinate", map, "independent", reading);
  options.repartition = map.flag("repartition").value_or(false);
  if (const YamlNode* node = map.find("stabilization"))
    read_stabilization(*node, map.path("stabilization"), options, reading);
  options.accept_drift = map.choice("drift") == "accept";
  if (options.accept_drift && options.projection)
    reading.diagnostics.add(map.find("drift")->where, map.path("drift"),
                            "projection leaves no drift to accept; write stabilization: none, or another without it");
}

void read_record(const YamlNode& section, Reading& reading) {
  static constexpr KeySpec quantity{"", "", Holds::any_value, "", "", ValueRange::any, true};
  const MapReader map(section, keys_of("record"), "record", reading);
  RecordOptions& record = reading.model.record;
  record.where = section.where;
  read_reactions(map, reading);
  read_named_formulas(map, "quantities", quantity, record.quantities, reading);
  static constexpr KeySpec event{"", "", Holds::number, "", "", ValueRange::any, true};
  read_named_formulas(map, "events", event, record.events, reading);
  read_determinants(map, record, reading);
}

}  // namespace armature::internal
