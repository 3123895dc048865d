#include "report/study_document.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/joint_components.hpp"
#include "record/version.hpp"
#include "report/base64.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;

const char* to_string(StudyResult::Scale scale) {
  switch (scale) {
    case StudyResult::Scale::linear: return "linear";
    case StudyResult::Scale::log: return "log";
    case StudyResult::Scale::centered: return "signed";
    case StudyResult::Scale::classes: return "classes";
  }
  return "";
}

Json to_json(const StudyVariable& variable) {
  return {{"name", variable.name},
          {"unit", variable.unit},
          {"setting", variable.setting},
          {"data", base64_float64(variable.values)}};
}

Json to_json(const StudyResult& result) {
  return {{"name", result.name},       {"unit", result.unit},       {"scale", to_string(result.scale)},
          {"classes", result.classes}, {"missing", result.missing}, {"data", base64_float32(result.values)}};
}

template <class List, class Convert>
Json list_of(const List& list, Convert convert) {
  Json json = Json::array();
  for (const auto& each : list) json.push_back(convert(each));
  return json;
}

std::string setting_of(const Model& model, const std::string& name) {
  if (std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end()) return name;
  if (std::ranges::find(model.inputs, name, &HostInput::name) != model.inputs.end()) return name;
  if (find_coordinate(model, name)) return "start.keep." + name;
  if (std::ranges::find(model.states, name, &AuxiliaryState::name) != model.states.end()) return "start.keep." + name;
  for (const std::string suffix : {".v", "'"})
    if (name.ends_with(suffix)) return "start.speed." + name.substr(0, name.size() - suffix.size());
  return "";
}

std::string unit_of_coordinate(const Model& model, const std::string& name) {
  for (const auto& coordinate : model.lagrangian.coordinates)
    if (coordinate.name == name) return coordinate.unit;
  for (const AuxiliaryState& state : model.states)
    if (state.name == name) return state.unit;
  const auto component = find_coordinate(model, name);
  return !component ? "" : component->is_length ? "m" : component->is_part_of_ball ? "" : "rad";
}

// The unit of a parameter that is a start value itself, as phi0 in keep: {phi: phi0}; "": it is none.
std::string unit_of_start(const Model& model, const std::string& parameter) {
  for (const auto* entries : {&model.start.keep, &model.start.speed_keep})
    for (const StartEntry& entry : *entries)
      if (entry.value.text == parameter)
        if (const std::string unit = unit_of_coordinate(model, entry.name); !unit.empty())
          return entries == &model.start.keep ? unit : unit + "/s";
  return "";
}

std::vector<double> levels_of(const StudyDocument& document) {
  const std::size_t rows = document.variables.empty() ? 0 : document.variables.front().values.size();
  std::vector<double> levels(rows);
  std::copy(document.level.begin(), document.level.end(), levels.begin());
  return levels;
}

}  // namespace

StudyVariable study_variable(const Model& model, const std::string& name, std::vector<double> values) {
  StudyVariable variable{name, "", setting_of(model, name), std::move(values)};
  const bool rate = variable.setting.starts_with("start.speed."), value = variable.setting.starts_with("start.keep.");
  if (rate || value) {
    variable.unit = unit_of_coordinate(model, variable.setting.substr(rate ? 12 : 11));
    if (rate && !variable.unit.empty()) variable.unit += "/s";
    return variable;
  }
  const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
  if (parameter != model.parameters.end() && parameter->dimension) variable.unit = to_string(*parameter->dimension);
  if (variable.unit == "1") variable.unit.clear();
  if (variable.unit.empty() || variable.unit == "1/s")  // rad is one
    if (const std::string unit = unit_of_start(model, name); !unit.empty()) variable.unit = unit;
  const auto input = std::ranges::find(model.inputs, name, &HostInput::name);
  if (input != model.inputs.end()) variable.unit = input->unit;
  return variable;
}

Json to_json(const StudyDocument& document, const Model& model) {
  const auto as_json = [](const auto& each) { return to_json(each); };
  return {{"armature", version()},
          {"verb", document.verb},
          {"status", document.status},
          {"sentence", document.sentence},
          {"command", document.command},
          {"command_note", document.command_note},
          {"model", {{"name", model.name}, {"file", model.file}, {"text", model.text}}},
          {"variables", list_of(document.variables, as_json)},
          {"design", list_of(document.design, as_json)},
          {"results", list_of(document.results, as_json)},
          {"levels", list_of(document.levels,
                             [](const StudyLevel& level) {
                               return Json{{"origin", level.origin}, {"spacing", level.spacing}};
                             })},
          {"level", base64_float32(levels_of(document))},
          {"marks", list_of(document.marks,
                            [](const StudyMark& mark) {
                              return Json{{"name", mark.name}, {"at", mark.at}, {"main", mark.main}};
                            })},
          {"curves", list_of(document.curves,
                             [](const StudyCurve& curve) {
                               return Json{{"name", curve.name}, {"line", curve.line}, {"at", curve.at}};
                             })},
          {"tables", list_of(document.cards, [](const StudyCard& card) {
             return Json{{"title", card.title}, {"header", card.header}, {"rows", card.rows}};
           })}};
}

}  // namespace armature::internal
