#include "report/study_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"
#include "study/motion_warnings.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

// Sizes of the cells of a grid: those of the grid itself, then halved level by level.
std::vector<StudyLevel> grid_levels(const std::vector<Axis>& axes, int finest) {
  std::vector<StudyLevel> levels;
  for (int level = 0; level <= finest; ++level) {
    StudyLevel size;
    for (const Axis& axis : axes) {
      size.origin.push_back(std::min(axis.from, axis.to));
      size.spacing.push_back(axis.count > 1 ? std::abs(axis.to - axis.from) / (axis.count - 1) / (1L << level) : 0);
    }
    levels.push_back(size);
  }
  return levels;
}

std::vector<StudyVariable> variables_at(const Points& points, const std::vector<std::string>& names,
                                        const Model& model) {
  const std::vector<std::vector<double>> values = values_in(points);
  std::vector<StudyVariable> variables;
  for (std::size_t d = 0; d < names.size(); ++d) variables.push_back(study_variable(model, names[d], values[d]));
  return variables;
}

// What a run would warn of at each point: a result to look at, where there are warnings.
void add_warnings(const MotionDiagnostics& warnings, const std::vector<double>& all_bits, StudyDocument& document) {
  if (warnings.count == 0) return;
  StudyResult result{.name = "warnings", .scale = StudyResult::Scale::classes, .missing = "none"};
  for (const MotionDiagnostic& kind : warnings.kinds) result.classes.push_back(kind.code);
  for (const double bits : all_bits) {
    double first = -1;
    if (bits != 0) {
      const auto code = row_of(warning_codes(bits).front()).code;
      const auto kind = std::ranges::find(warnings.kinds, code, &MotionDiagnostic::code);
      first = static_cast<double>(kind - warnings.kinds.begin());
    }
    result.values.push_back(first);
  }
  document.results.push_back(std::move(result));
}

std::string short_number(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "-"; }

std::string name_and_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

StudyCard distribution_card(const SweepResult& sweep) {
  StudyCard card{"Distribution", {""}, {}};
  const std::pair<const char*, double Distribution::*> rows[] = {
      {"mean", &Distribution::mean}, {"std. dev.", &Distribution::deviation}, {"min", &Distribution::least},
      {"5 %", &Distribution::q05},   {"median", &Distribution::median},       {"95 %", &Distribution::q95},
      {"max", &Distribution::most}};
  for (std::size_t k = 0; k < sweep.results.size(); ++k)
    card.header.push_back(name_and_unit(sweep.results[k], sweep.units[k]));
  for (const auto& [name, number] : rows) {
    card.rows.push_back({name});
    for (const auto& statistics : sweep.statistics)
      card.rows.back().push_back(short_number(statistics.distribution.*number));
  }
  return card;
}

StudyCard effects_card(const SweepResult& sweep) {
  StudyCard card{"Share of the variance explained by each variable alone", {""}, {}};
  card.header.insert(card.header.end(), sweep.results.begin(), sweep.results.end());
  for (std::size_t k = 0; k < sweep.variables.size(); ++k) {
    card.rows.push_back({sweep.variables[k]});
    for (const auto& statistics : sweep.statistics) {
      const double share = statistics.main_effects[k];
      card.rows.back().push_back(std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-");
    }
  }
  return card;
}

// The answer: the best value and where it is, with the ends of the ranges that stop it there.
StudyCard best_card(const OptimizationResult& result, const Model& model) {
  StudyCard card{"Best", {"", "value", "range", ""}, {}};
  const Evaluation& best = *result.best();
  card.rows.push_back({name_and_unit(result.objective, result.unit),
                       fmt::format("{:.10g}", result.shown(best.objective)), "",
                       result.maximize ? "maximized" : "minimized"});
  const std::vector<int> ends = result.best_at_ends();
  for (std::size_t d = 0; d < result.variables; ++d) {
    const Axis& axis = result.over[d];
    card.rows.push_back({name_and_unit(axis.name, study_variable(model, axis.name).unit),
                         fmt::format("{:.10g}", best.point[d]), fmt::format("{:g} … {:g}", axis.from, axis.to),
                         ends[d] == 0  ? "inside"
                         : ends[d] < 0 ? "at the lower end"
                                       : "at the upper end"});
  }
  for (const std::string& choice : result.chosen) {
    const std::size_t sign = choice.find('='), folder = choice.rfind('/');  // of a file its name
    const bool is_file = choice.ends_with(".yaml") || choice.ends_with(".yml");
    card.rows.push_back({choice.substr(0, sign),
                         choice.substr(is_file && folder != std::string::npos ? folder + 1 : sign + 1), "", "chosen"});
  }
  for (std::size_t k = 0; k < result.subject.size(); ++k)
    card.rows.push_back({result.subject[k],
                         fmt::format("margin {:.4g}{}{}", 0 - best.inequalities[k],
                                     result.subject_units[k].empty() ? "" : " ", result.subject_units[k]),
                         "", "satisfied"});
  return card;
}

StudyCard search_card(const OptimizationResult& result) {
  StudyCard card{"Search", {}, {{"method", result.method}, {"evaluations", std::to_string(result.evaluations)}}};
  card.rows.push_back({"failed", std::to_string(result.failures.count)});
  card.rows.push_back({"searches", std::to_string(result.searches.size())});
  for (const std::string& remark : {result.ends_sentence(), result.caveat, result.note})
    if (!remark.empty()) card.rows.push_back({"note", remark});
  return card;
}

// "never: turns(phi) < 1; for good: final(phi) > 6; trapped", a row per class.
StudyCard classes_card(const MapResult& map, const std::string& classify) {
  StudyCard card{"Classes", {"class", "condition", "motions"}, {}};
  std::size_t from = 0;
  for (std::size_t k = 0; k < map.classes.size(); ++k) {
    const std::size_t end = std::min(classify.find(';', from), classify.size());
    const std::string part = from < classify.size() ? classify.substr(from, end - from) : "";
    const std::size_t colon = part.find(':');
    const bool conditional = colon != std::string::npos;
    const std::size_t text = conditional ? part.find_first_not_of(' ', colon + 1) : std::string::npos;
    card.rows.push_back(
        {map.classes[k], text == std::string::npos ? "otherwise" : part.substr(text), std::to_string(map.counts[k])});
    from = end + 1;
  }
  if (map.failed > 0) card.rows.push_back({"failed", "the motion did not finish", std::to_string(map.failed)});
  return card;
}

}  // namespace

// Each node is drawn at the size of its level.
StudyDocument map_picture(const MapResult& map, const std::string& classify, const Model& model) {
  StudyDocument document{.verb = "map", .variables = variables_at(map.points, names_of(map.over), model)};
  StudyResult found{.name = "class", .scale = StudyResult::Scale::classes, .classes = map.classes};
  StudyResult decided{.name = "decided at", .unit = "s"};
  for (std::size_t k = 0; k < map.motion_class.size(); ++k) {
    found.values.push_back(map.motion_class[k]);
    decided.values.push_back(map.motion_class[k] < 0 ? std::nan("") : map.decided[k]);
  }
  document.results = {found, decided};
  document.level = map.level;
  document.levels = grid_levels(map.over, *std::ranges::max_element(map.level));
  add_warnings(map.warnings, map.warning_bits, document);
  document.cards.push_back(classes_card(map, classify));
  if (const std::vector<std::string> borders = map.border_sentences(); !borders.empty()) {
    constexpr std::size_t most = 20;
    const StudyVariable& variable = document.variables[0];
    StudyCard card{"Borders", {name_and_unit(variable.name, variable.unit), "classes"}, {}};
    for (std::size_t k = 0; k < std::min(most, borders.size()); ++k) {
      const std::size_t value = borders[k].find(" = ") + 3, classes = borders[k].find(": ", value);
      card.rows.push_back({borders[k].substr(value, classes - value), borders[k].substr(classes + 2)});
    }
    if (borders.size() > most)
      card.rows.push_back({fmt::format("and {} more", borders.size() - most), "in borders.csv"});
    document.cards.push_back(card);
  }
  return document;
}

StudyDocument sweep_picture(const SweepResult& sweep, const Model& model) {
  StudyDocument document{.verb = "sweep", .variables = variables_at(sweep.points, sweep.variables, model)};
  for (std::size_t k = 0; k < sweep.results.size(); ++k)
    document.results.push_back({.name = sweep.results[k], .unit = sweep.units[k], .values = sweep.values[k]});
  if (sweep.grid) document.levels = grid_levels(sweep.over, 0);
  add_warnings(sweep.warnings, sweep.warning_bits, document);
  document.cards = {distribution_card(sweep), effects_card(sweep)};
  return document;
}

// A choice among files is a number, from 1. What a command sets are the parameters of the file: a column of the design each.
static void add_chosen_parameters(const OptimizationResult& result, const Model& model,
                                  std::vector<StudyVariable>& over, std::vector<StudyVariable>& design) {
  std::vector<StudyVariable> parameters;
  for (std::size_t k = 0; k < result.choices.size(); ++k) {
    StudyVariable& column = over[result.variables + k];
    const std::vector<Choice::Option>& options = result.choices[k].options;
    const auto is_value = [&](const Choice::Option& option) {
      return option.values == Choice::Values{{column.name, option.number}};
    };
    if (std::ranges::all_of(options, is_value)) continue;
    column.setting.clear();
    for (std::size_t p = 0; p < options[0].values.size(); ++p) {
      parameters.push_back(study_variable(model, options[0].values[p].first));
      for (const double number : column.values)
        parameters.back().values.push_back(
            std::ranges::find(options, number, &Choice::Option::number)->values[p].second);
    }
  }
  design.insert(design.end(), parameters.begin(), parameters.end());
}

// What a command sets in the motion of each evaluation: the point; of several cases all values of the worst.
static void add_motions(const OptimizationResult& result, const Model& model,
                        const std::vector<const Evaluation*>& rows, std::vector<StudyVariable>& over,
                        std::vector<StudyVariable>& design) {
  if (result.cases < 2) return add_chosen_parameters(result, model, over, design);
  for (StudyVariable& variable : over) variable.setting.clear();
  for (std::size_t k = 0; k < result.names.size(); ++k) {
    design.push_back(study_variable(model, result.names[k]));
    for (const Evaluation* e : rows) design.back().values.push_back(e->motion[k]);
  }
}

// Which of several cases has the objective; a result to look at.
static void add_worst_cases(const OptimizationResult& result, const std::vector<const Evaluation*>& rows,
                            StudyDocument& document) {
  if (result.cases < 2) return;
  StudyResult worst{.name = "worst case", .scale = StudyResult::Scale::classes, .classes = result.case_labels};
  for (const Evaluation* e : rows) worst.values.push_back(e->failure != 0 ? -1 : e->worst);
  document.results.push_back(std::move(worst));
  StudyCard card{"Cases of each design", {}, {}};
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(most, result.case_labels.size()); ++k)
    card.rows.push_back({result.case_labels[k]});
  if (result.case_labels.size() > most)
    card.rows.push_back({fmt::format("and {} more", result.case_labels.size() - most)});
  document.cards.push_back(std::move(card));
}

// The designs of the front, from the least of the second number to the largest.
static StudyCard front_card(const StudyDocument& document) {
  const StudyVariable& against = document.variables[0];
  StudyCard card{"Front", {name_and_unit(against.name, against.unit)}, {}};
  for (const StudyResult& result : document.results) card.header.push_back(name_and_unit(result.name, result.unit));
  constexpr std::size_t most = 50;
  for (std::size_t row = 0; row < std::min(most, against.values.size()); ++row) {
    card.rows.push_back({short_number(against.values[row])});
    for (const StudyResult& result : document.results) card.rows.back().push_back(short_number(result.values[row]));
  }
  return card;
}

// The objective over the second result, along the front; then the designs there.
static StudyDocument front_picture(const OptimizationResult& result, const Model& model) {
  StudyDocument document{.verb = "optimize"};
  StudyVariable against{.name = result.against, .unit = result.against_unit};
  document.results = {{.name = result.objective, .unit = result.unit}};
  for (std::size_t d = 0; d < result.over.size(); ++d) {
    document.design.push_back(study_variable(model, result.over[d].name));
    document.results.push_back({.name = document.design[d].name, .unit = document.design[d].unit});
  }
  std::vector<const Evaluation*> rows;
  for (const OptimizationResult::FrontPoint& place : result.front) {
    const Evaluation& e = result.at(place);
    rows.push_back(&e);
    against.values.push_back(e.other);
    document.results[0].values.push_back(result.shown(e.objective));
    for (std::size_t d = 0; d < e.point.size(); ++d) {
      document.design[d].values.push_back(e.point[d]);
      document.results[1 + d].values.push_back(e.point[d]);
    }
  }
  add_motions(result, model, rows, document.design, document.design);
  document.variables.push_back(std::move(against));
  document.cards.push_back(best_card(result, model));
  document.cards.push_back(front_card(document));
  document.cards.push_back(search_card(result));
  add_worst_cases(result, rows, document);
  return document;
}

// All evaluations, and the best of them.
StudyDocument optimization_picture(const OptimizationResult& result, const Model& model) {
  if (!result.front.empty()) return front_picture(result, model);
  StudyDocument document{.verb = "optimize"};
  for (const Axis& axis : result.over) document.variables.push_back(study_variable(model, axis.name));
  document.results = {{.name = result.objective, .unit = result.unit}, {.name = "evaluation"}};
  for (std::size_t k = 0; k < result.subject.size(); ++k)
    document.results.push_back({.name = "excess of " + result.subject[k],
                                .unit = result.subject_units[k],
                                .scale = StudyResult::Scale::centered});
  std::vector<const Evaluation*> rows;
  std::vector<double> warning_bits;
  for (const Minimum& search : result.searches)
    for (std::size_t k = 0; k < search.evaluations.size(); ++k) {
      const Evaluation& e = search.evaluations[k];
      rows.push_back(&e);
      for (std::size_t d = 0; d < e.point.size(); ++d) document.variables[d].values.push_back(e.point[d]);
      document.results[0].values.push_back(result.shown(e.objective));
      document.results[1].values.push_back(static_cast<double>(k + 1));
      for (std::size_t g = 0; g < e.inequalities.size(); ++g)
        document.results[2 + g].values.push_back(e.inequalities[g]);
      warning_bits.push_back(e.warnings);
    }
  add_motions(result, model, rows, document.variables, document.design);
  if (const Evaluation* best = result.best()) {
    document.marks.push_back({"best", best->point, true});
    document.cards.push_back(best_card(result, model));
  }
  document.cards.push_back(search_card(result));
  add_worst_cases(result, rows, document);
  add_warnings(result.warnings, warning_bits, document);
  return document;
}

StudyCard method_card(const SimulateOptions& options, const Settings& settings) {
  StudyCard card{"Method", {}, {{"integrator", options.integrator}, {"formulation", options.formulation}}};
  if (options.alpha && options.beta)
    card.rows.push_back(
        {"stabilization", fmt::format("Baumgarte, alpha {:g}/s, beta {:g}/s²", *options.alpha, *options.beta)});
  else
    card.rows.push_back({"stabilization", options.projection    ? "projection"
                                          : options.post_adjust ? "post-adjusting"
                                                                : "none"});
  card.rows.push_back({"end", fmt::format("{:g} s", options.end)});
  if (options.step) card.rows.push_back({"step", fmt::format("{:g} s", *options.step)});
  if (options.rtol) card.rows.push_back({"relative tolerance", fmt::format("{:g}", *options.rtol)});
  for (const auto& [name, formula] : settings) card.rows.push_back({"--set " + name, formula});
  return card;
}

}  // namespace armature::internal
