#include "report/page_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "expression/derivative.hpp"
#include "expression/interruption.hpp"
#include "expression/units.hpp"
#include "mechanics/changing_rows.hpp"
#include "model/diagnostics.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"
#include "modes/linearization.hpp"
#include "observe/row_columns.hpp"
#include "read/fmu_uses.hpp"
#include "read/reader.hpp"
#include "report/base64.hpp"
#include "report/channel_groups.hpp"
#include "report/controls.hpp"
#include "report/effort_sizes.hpp"
#include "report/gzip.hpp"
#include "report/input_units.hpp"
#include "report/page.hpp"
#include "report/page_start.hpp"
#include "report/page_variant.hpp"
#include "step/page_table.hpp"
#include "study/requirements.hpp"
#include "study/study.hpp"
#include "study/value_ranges.hpp"
#include "system/build_model.hpp"

namespace armature::internal {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* too_large = "the model is too large for a page";
constexpr std::size_t most_code = 700'000;  // bytes of the programs of one variant
constexpr std::size_t most_text = 310'000;  // of the module in a report

// ---- what can be changed

// A value of the page: a parameter or a start value that is a number in the file.
struct PageValue {
  Json control;           // as of controls_of
  std::string parameter;  // its name among the free parameters
  std::string setting;    // and with --set
  double scale = 1;       // SI over the control's unit
};

std::string text_of(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.12g}", value) : fmt::format("{:.12g} {}", value, unit);
}

// Units that a value may be written in besides its own: mm for a length, deg for an angle.
Json other_units(const std::string& own) {
  static constexpr std::array usual{"m",    "cm", "mm", "in", "ft", "kg", "g",   "lb",  "rad", "deg",
                                    "rev",  "s",  "ms", "N",  "kN", "V",  "mV",  "A",   "mA",  "Ohm",
                                    "mOhm", "H",  "mH", "F",  "uF", "Pa", "kPa", "MPa", "bar", "K"};
  Json units = Json::object();
  const std::optional<Unit> unit = find_unit(own);
  for (const char* other : usual)
    if (const Unit found = *find_unit(other); unit && own != "%" && own != other && found.dimension == unit->dimension)
      units[other] = found.factor;
  return units;
}

// The value that the run used, which an option may have set, in the unit of the file.
PageValue page_value(Json control, const std::string& parameter, const std::string& setting, double value) {
  PageValue result{std::move(control), parameter, setting, 1};
  const std::string unit = result.control["unit"];
  if (!unit.empty()) result.scale = unit_of(unit).factor;
  if (const Json units = other_units(unit); !units.empty()) result.control["units"] = units;
  const double written = result.control["value"];
  if (std::abs(written * result.scale - value) > 1e-12 * std::abs(value)) {
    result.control["value"] = value / result.scale;
    result.control["text"] = text_of(value / result.scale, unit);
  }
  return result;
}

// The coordinate whose start a path of the file gives, with ".v" for its speed: {"start", "keep", "theta"}; empty: none that can be changed alone.
std::string start_name(const KeyPath& path, const Model& model) {
  if (path.size() < 2) return "";
  std::size_t k = 1;
  const bool speed = path[k] == "speed";
  if (speed) ++k;
  if (k < path.size() && path[k] == "keep") ++k;
  if (k + 1 != path.size() || !find_coordinate(model, path[k])) return "";
  return path[k] + (speed ? ".v" : "");
}

Json input_control(const HostInput& input) {
  return {{"group", "parameters"}, {"path", KeyPath{"inputs", input.name}},
          {"name", input.name},    {"text", text_of(input.value, input.unit)},
          {"kind", "slider"},      {"value", input.value},
          {"unit", input.unit}};
}

class PageValues {
 public:
  // starts: the file's start values are among them.
  PageValues(const Model& model, const Prepared& prepared, bool starts)
      : model_(model), e_(prepared.system->equations()), start_(prepared.start) {
    Diagnostics ignored(model.file);
    for (const Json& control : controls_of(model.text, parse_yaml(model.text, ignored), &model)) {
      if (control["kind"] != "slider" || control.contains("whole") || control.contains("read")) continue;
      if (control["group"] == "parameters") add_parameter(control);
      if (control["group"] == "start" && starts) add_start(control);
    }
    for (const HostInput& input : model.inputs)
      list.push_back(page_value(input_control(input), input.name, input.name, input.value));
  }
  std::vector<PageValue> list;

  // The model with these as free parameters, at the values of the run.
  std::pair<Model, std::vector<std::string>> freed() const {
    Model model = model_;
    std::vector<std::string> names;
    for (const PageValue& value : list) {
      if (value.control["group"] == "start") {
        free_start(model, value.parameter.substr(std::string("start.").size()));
        model.parameters.back().value = value.control["value"].get<double>() * value.scale;
      }
      names.push_back(value.parameter);
    }
    return {std::move(model), std::move(names)};
  }

 private:
  void add_parameter(const Json& control) {
    const std::string name = control["name"];
    const auto found = std::ranges::find(model_.parameters, name, &Parameter::name);
    if (found != model_.parameters.end()) list.push_back(page_value(control, name, name, found->value));
  }
  void add_start(const Json& control) {
    const std::string name = start_name(control["path"].get<KeyPath>(), model_);
    if (name.empty()) return;
    const bool speed = name.ends_with(".v");
    const std::string coordinate = speed ? name.substr(0, name.size() - 2) + "'" : name;
    const auto& coordinates = speed ? e_.velocities : e_.positions;
    const auto found = std::ranges::find(coordinates, coordinate, &Coordinate::name);
    if (found == coordinates.end()) return;
    const auto place = (speed ? e_.q.size() : 0) + static_cast<std::size_t>(found - coordinates.begin());
    const std::string setting = speed ? "start.speed." + name.substr(0, name.size() - 2) : "start.keep." + name;
    list.push_back(page_value(control, "start." + name, setting, start_.x[static_cast<Eigen::Index>(place)]));
    const std::optional<JointComponent> component = find_coordinate(model_, name);
    if (control["unit"] == "" && component)
      list.back().control["units"] = other_units(component->is_length ? "km" : "mrad");
  }

  const Model& model_;
  const Equations& e_;
  const State& start_;
};

// What must not change with a parameter: states, comparisons, constraints, recorded quantities.
std::vector<std::size_t> shape_of(const Equations& e) {
  return {e.q.size(),    e.v.size(),         e.z.size(), e.discrete.size(), e.graph->comparisons().size(),
          e.rows.size(), e.quantities.size()};
}

// Whether these change numbers of the equations and of the drawing, and nothing else.
bool are_numbers(const Model& model, const Equations& own, const std::vector<std::string>& names) {
  try {
    const Scene scene(model, names);
    return shape_of(*build_model(model, names)) == shape_of(own);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {  // an axis, a place on a beam
    return false;
  }
}

// Parameters that decide what the equations are, as an inductance of zero does, keep the value of the run.
void leave_out_structure(const Model& model, const Equations& own, std::vector<std::string>& names) {
  if (are_numbers(model, own, names)) return;
  std::erase_if(names, [&](const std::string& name) { return !are_numbers(model, own, {name}); });
}

// So do those with which the equations would be others in the run itself, as with a spring without a length at rest.
void leave_out_what_is_not_so(const Model& model, std::vector<std::string>& names) {
  const auto equations = build_model(model, names);
  const Equations& e = *equations;
  const Requirements required(model, e);
  std::vector<double> values(required.list().size());
  if (required.program()) Evaluator(required.program())(e.p_value.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (required.list()[k].holds(values[k])) continue;
    const std::vector<std::int32_t> leaves = leaves_of(required.list()[k].value);
    for (std::size_t i = 0; i < e.p.size(); ++i)
      if (std::ranges::count(leaves, e.p[i].id()) > 0) std::erase(names, e.p_name[i]);
  }
}

// A machine that starts at rest keeps its start where its forces at rest, its loops and its states at rest do not change: with other dampers and
// inertias, but not with other springs. Only the program finds another equilibrium.
void leave_out_what_moves_equilibria(const Model& model, std::vector<std::string>& names) {
  const auto equations = build_model(model, names);
  const Equations& e = *equations;
  LeafMap at_rest;
  for (const Expression& v : e.v) at_rest[v.id()] = 0.0;
  Substitution resting(at_rest);
  std::vector<Expression> statics;
  for (const auto* list : {&e.f, &e.zdot})
    for (const Expression& x : *list) statics.push_back(resting(x));
  for (const ConstraintRow& row : e.rows) statics.push_back(row.phi);
  for (const auto& [index, value] : e.z_initial) statics.push_back(value);
  std::set<std::int32_t> used;
  for (const Expression& x : statics)
    if (!x.is_constant())
      for (const std::int32_t leaf : leaves_of(x)) used.insert(leaf);
  std::erase_if(names, [&](const std::string& name) {
    const auto place = static_cast<std::size_t>(std::ranges::find(e.p_name, name) - e.p_name.begin());
    return place < e.p.size() && used.contains(e.p[place].id());
  });
}

// The compiled model with free parameters, from the start of the run; nothing: they change more than numbers.
std::optional<Prepared> prepared_free(const Model& model, const Prepared& own, const std::vector<std::string>& names) {
  Prepared free = compile(model, names);
  const System &a = *own.system, &b = *free.system;
  if (shape_of(a.equations()) != shape_of(b.equations()) ||
      a.options().independent_rows != b.options().independent_rows || !b.options().traced_solve)
    return std::nullopt;
  free.options = own.options;
  free.start = own.start;
  return free;
}

// ---- what acts while it runs

// Inputs that are zero in the run: on top of what the file commands of each drive and effort, and a force on each velocity.
struct PageInputs {
  Json actuators = Json::array();
  std::vector<std::string> names, forces;
};

// What the file commands of a drive or an effort, if that is a number; 0: it is a formula.
double commanded(const Model& model, const std::string& name) {
  for (const Drive& drive : model.drives)
    if (drive.name == name) return find_constant(drive.command.is, model).value_or(0);
  for (const ForceElement& element : model.forces)
    if (element.name == name) return find_constant(element.values[element.kind->input()], model).value_or(0);
  return 0;
}

PageInputs add_inputs(Model& model, const Equations& e, const EffortSizes& sizes) {
  PageInputs inputs;
  model = with_inputs(std::move(model), inputs.names);
  std::erase_if(inputs.names, [](const std::string& name) { return !name.starts_with("u."); });
  for (const std::string& parameter : inputs.names) {
    const std::string name = parameter.substr(2);
    inputs.actuators.push_back({{"name", name}, {"parameter", parameter}, {"unit", unit_of_input(model, name)}});
    if (const double is = commanded(model, name); is != 0)
      inputs.actuators.back()["commanded"] = is;
    else if (const double size = sizes.of(name); size > 0)
      inputs.actuators.back()["size"] = size;
  }
  for (std::size_t i = 0; i < e.v.size(); ++i) {
    inputs.forces.push_back(hand_force(i));
    model.parameters.push_back({inputs.forces.back(), number_formula(0), 0, {}});
  }
  return inputs;
}

// ---- what is shown

// Where a channel stands in a row of the page; -1: it is not computed there.
class PageColumns {
 public:
  explicit PageColumns(const Prepared& prepared)
      : e_(prepared.system->equations()),
        all_rows_(prepared.system->kernels().rows() == prepared.system->layout().m),
        layout_(prepared.system->layout().nx(), static_cast<int>(e_.quantities.size()),
                prepared.system->kernels().rows(), prepared.system->kernels().sizes().wrenches),
        parts_(row_columns(*prepared.system, {.forces = true, .energy_error = true})) {}

  Json to_json(const Channel& channel, const Model& model) const {
    const auto [column, sign] = find(channel.name);
    if (column < 0) return nullptr;
    Json json{{"name", channel.name}, {"unit", channel.unit}, {"group", group_of(channel, model)}, {"column", column}};
    if (sign < 0) json["negative"] = true;
    return json;
  }

 private:
  struct Place {
    int column = -1, sign = 1;
  };
  Place find(const std::string& name) const {
    for (const RowColumns& columns : parts_) {
      const auto found = std::ranges::find(columns.channels, name, &Channel::name);
      if (found != columns.channels.end())
        return place(columns.part, static_cast<int>(found - columns.channels.begin()));
    }
    return {};
  }
  // With dependent rows, multipliers are shared by a rule of their own.
  Place place(RowPart part, int k) const {
    switch (part) {
      case RowPart::time: return {0};
      case RowPart::state: return {layout_.x + k};
      case RowPart::quantities: return {layout_.quantities + k};
      case RowPart::kinetic: return {layout_.energies};
      case RowPart::potential: return {layout_.energies + 1};
      case RowPart::elastic: return {layout_.energies + 2};
      case RowPart::magnetic: return {layout_.energies + 3};
      case RowPart::energy_error: return {layout_.ends + step::page_energy_error};
      case RowPart::smallest_pivot: return {layout_.rows > 0 ? layout_.ends + step::page_smallest_pivot : -1};
      case RowPart::rank:
      case RowPart::smallest_singular_value: return {};
      default: break;
    }
    if (!all_rows_) return {};
    switch (part) {
      case RowPart::efforts: return {layout_.multipliers + effort_row(k), -1};
      case RowPart::multipliers: return {layout_.multipliers + k};
      case RowPart::reactions: return {layout_.wrenches + k};
      case RowPart::position_error: return {layout_.ends + step::page_position_residual};
      default: return {layout_.ends + step::page_velocity_residual};
    }
  }
  int effort_row(int k) const {
    int row = 0;
    while (!e_.rows[static_cast<std::size_t>(row)].effort || k-- > 0) ++row;
    return row;
  }

  const Equations& e_;
  bool all_rows_;  // of the constraints are in the solve
  step::PageRowLayout layout_;
  std::vector<RowColumns> parts_;
};

Json channels_to_json(const Prepared& prepared, const Model& model, const std::vector<Channel>& channels) {
  const PageColumns columns(prepared);
  Json list = Json::array();
  for (std::size_t k = 1; k < channels.size(); ++k)
    if (Json channel = columns.to_json(channels[k], model); !channel.is_null()) list.push_back(std::move(channel));
  return list;
}

// ---- all of it

// Rigid contacts that a page leaves to the program.
std::string contacts_refusal(const Prepared& prepared) {
  constexpr std::size_t most_contacts = 8;
  const System& system = *prepared.system;
  const auto& contacts = system.equations().contacts;
  if (contacts.empty()) return "";
  if (contacts.size() > most_contacts || !system.program(Kernel::contact_response))
    return fmt::format("the model has more than {} rigid contacts, which only the program can compute", most_contacts);
  if (prepared.options.alpha != 0 || prepared.options.beta != 0)
    return "the model has rigid contacts with Baumgarte's method, which only the program can compute";
  if (!changing_rows(system.equations()).empty())
    return "the model has rigid contacts and a prescribed motion that changes its law, which only the program can "
           "compute";
  return "";
}

std::string refusal(const Model& model, const Prepared& prepared) {
  const System& system = *prepared.system;
  if (!fmu_uses(model).empty()) return "the model runs FMUs";
  if (!system.options().traced_solve) return too_large;
  if (model.text.empty()) return "the model has no file";
  if (system.equations().has_velocity_rows())
    return "the model has constraints on velocities alone (rolling, knife_edge)";
  return contacts_refusal(prepared);
}

// Of the text alone; one that options made whole has none.
std::vector<FormulaCheck> checks_of(const Model& model) {
  try {
    return formula_checks(model, {});
  } catch (const ModelError&) {
    return {};
  }
}

Json to_json(const PageVariant& variant, const Prepared& prepared) {
  Json places = Json::object();
  for (const auto& [name, place] : variant.places) places[name] = place;
  return {{"integers", variant.integers},
          {"places", places},
          {"numbers", base64_float64(variant.numbers)},
          {"parameters", prepared.system->equations().p_name}};
}

class PageModelWriter {
 public:
  PageModelWriter(const Model& model, const PageRun& run, const Scene& scene, const ReportRecorder& rows)
      : model_(model),
        run_(run),
        prepared_(run.prepared),
        scene_(scene),
        method_(choose_page_method(run.prepared, run.steps)),
        values_(model, run.prepared, has_conditions()),
        sizes_(model, run.prepared, rows.channels(), rows.frames()) {}

  // With parameters as numbers and as inputs; of what is too large for both, `one` has them as inputs alone. acted: with forces and inputs
  // that act while it runs. A sentence: why not.
  std::string add_motions(const std::vector<Channel>& channels, bool one, bool acted) {
    json_["method"] = method_.name;
    json_["note"] = method_.note;
    if (!one) json_["own"] = to_json(page_variant(prepared_, method_, scene_, module_), prepared_);
    if (module_.code_size() > most_code) return too_large;
    if (std::string why = add_free(one ? "own" : "free", acted); !why.empty()) {
      if (one && !json_.contains("own")) return why;
      json_["fixed"] = why;
    }
    if (one && !json_.contains("own")) return too_large;  // it has no inputs
    if (one)
      add_note("in this page parameters are inputs of the equations, so the last digits differ from those of the run");
    if (!json_.contains("start")) add_start(prepared_);
    json_["controls"] = one || json_.contains("free") ? controls() : Json::array();
    json_["channels"] = channels_to_json(prepared_, model_, channels);
    return "";
  }
  void add_poses(const std::string& refused) {
    json_["refused"] = refused;
    json_["own"] = to_json(page_variant(prepared_, method_, scene_, module_, false), prepared_);
    add_start(prepared_);
    json_["controls"] = controls();
  }

  // {refused: why}: it is too large.
  Json finished() {
    json_["coordinates"] = Json::array();
    for (const Coordinate& coordinate : prepared_.system->equations().positions)
      json_["coordinates"].push_back(coordinate.name);
    if (!run_.options.empty()) json_["options"] = run_.options;
    json_["poses"] = scene_.poses();
    json_["statuses"] = step::page_status_words;
    json_["foreign"] = module_.foreign();
    json_["data"] = module_.data_size();
    const std::string packed = gzip(module_.bytes());
    json_["module"] = base64({reinterpret_cast<const unsigned char*>(packed.data()), packed.size()});
    if (json_["module"].get_ref<const std::string&>().size() > most_text) return {{"refused", too_large}};
    return std::move(json_);
  }

 private:
  // Whether the start is what the conditions of the file say.
  bool has_conditions() const { return !run_.from_state && !model_.start.equilibrium; }
  void add_start(const Prepared& prepared) {
    const PageStart start = page_start(prepared, model_, has_conditions());
    json_["start"] = to_json(start, module_.add(*start.program));
    if (start.bounds) json_["start"]["bounds"] = module_.add(*start.bounds);
    if (!has_conditions()) json_["start"]["given"] = true;
  }

  // The variant in which parameters are inputs, with its start and its drawing; or why there is none.
  std::string add_free(const char* name, bool acted) {
    auto [model, names] = values_.freed();
    try {
      leave_out_structure(model, prepared_.system->equations(), names);
      leave_out_what_is_not_so(model, names);
      if (model.start.equilibrium) leave_out_what_moves_equilibria(model, names);
      std::erase_if(values_.list, [&](const PageValue& value) { return !std::ranges::count(names, value.parameter); });
      const std::string none = model_.start.equilibrium
                                   ? "its start is an equilibrium, which only the program can find for other values"
                                   : "";
      if (acted && add_acted(name, model, names)) return values_.list.empty() ? none : "";
      if (values_.list.empty()) return none;
      const std::optional<Prepared> free = prepared_free(model, prepared_, names);
      if (!free) return "its parameters determine the form of its equations";
      add_variant(name, model, *free, Scene(model, names));
    } catch (const Interrupted&) {
      throw;
    } catch (const ModelError& error) {
      return fmt::format("with free parameters {}",
                         error.diagnostics().empty() ? error.what() : error.diagnostics().front().message);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  // The same with what acts while it runs; false: that changes more than numbers.
  bool add_acted(const char* name, Model model, std::vector<std::string> names) {
    const PageInputs inputs = add_inputs(model, prepared_.system->equations(), sizes_);
    for (const auto* more : {&inputs.names, &inputs.forces}) names.insert(names.end(), more->begin(), more->end());
    try {
      const std::optional<Prepared> free = prepared_free(model, prepared_, names);
      if (!free) return false;
      add_variant(name, model, *free, Scene(model, names));
    } catch (const ModelError&) {
      return false;
    }
    json_["forces"] = inputs.forces;
    json_["actuators"] = inputs.actuators;
    return true;
  }
  void add_variant(const char* name, const Model& model, const Prepared& free, const Scene& scene) {
    json_[name] = to_json(page_variant(free, method_, scene, module_), free);
    add_start(free);
    add_ranges(model, free.system->equations());
    if (!scene.layout().paths.empty())
      json_["layout"] = {{"function", module_.add(*scene.layout().program)}, {"paths", scene.layout().paths}};
  }

  // What the file allows its values to be: a mass that is not negative, an efficiency of 1 at most.
  void add_ranges(const Model& model, const Equations& equations) {
    json_["ranges"] = Json::array();
    Model named = model;
    named.file = std::filesystem::path(model.file).filename().string();  // the page is passed on without its folder
    if (const ValueRanges ranges(checks_of(model), named, equations.p_name); ranges.program())
      add_ranges_of_values(ranges);
    if (const Requirements required(named, equations); required.program()) add_requirements(required);
  }
  void add_ranges_of_values(const ValueRanges& ranges) {
    Json places = Json::array(), positive = Json::array();
    for (const ValueRanges::Ranged& each : ranges.ranged()) {
      places.push_back(each.place);
      positive.push_back(each.range == ValueRange::positive);
    }
    json_["ranges"].push_back(
        {{"function", module_.add(*ranges.program())}, {"places", places}, {"positive", positive}});
  }
  void add_requirements(const Requirements& required) {
    Json places = Json::array(), positive = Json::array(), sentences = Json::array(), otherwise = Json::array();
    for (const Requirement& each : required.list()) {
      places.push_back(required.place(each));
      positive.push_back(each.positive);
      sentences.push_back(each.sentence);
      otherwise.push_back(each.has_otherwise);
    }
    json_["ranges"].push_back({{"function", module_.add(*required.program())},
                               {"places", places},
                               {"positive", positive},
                               {"sentences", sentences},
                               {"otherwise", otherwise}});
  }

  void add_note(const std::string& sentence) {
    const std::string before = json_["note"];
    json_["note"] = before + (before.empty() ? "" : "; ") + sentence;
  }
  Json controls() const {
    Json list = Json::array();
    for (const PageValue& value : values_.list) {
      Json control = value.control;
      control["parameter"] = value.parameter;
      control["setting"] = value.setting;
      control["scale"] = value.scale;
      list.push_back(std::move(control));
    }
    return list;
  }

  const Model& model_;
  const PageRun& run_;
  const Prepared& prepared_;
  const Scene& scene_;
  PageMethodChoice method_;
  PageValues values_;
  EffortSizes sizes_;
  WasmModule module_;
  Json json_;
};

}  // namespace

Json page_model(const Model& model, const PageRun& run, const Scene& scene, const ReportRecorder& rows) {
  if (!page_computes()) return nullptr;
  std::string why = refusal(model, run.prepared);
  if (why.empty())
    for (const auto& [one, acted] : {std::pair{false, true}, {false, false}, {true, true}, {true, false}}) {
      PageModelWriter motions(model, run, scene, rows);
      why = motions.add_motions(rows.channels(), one, acted);
      if (!why.empty()) break;
      Json json = motions.finished();
      if (!json.contains("refused")) return json;
      why = json["refused"];
    }
  PageModelWriter poses(model, run, scene, rows);
  poses.add_poses(why);
  return poses.finished();
}

}  // namespace armature::internal
