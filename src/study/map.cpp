#include "study/map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/failures.hpp"
#include "study/motion_warnings.hpp"
#include "study/study_card.hpp"
#include "study/study_cells.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

// Numbers of a cell: class (-1: none), time at which it was decided, status, why it failed, what is to be warned of.
enum MapCell { found_class, decided_at, map_status, map_reason, map_warnings, map_width };

void note_motion(const StudyRun& run, MotionStatus status, std::span<double> result) {
  const bool finished = status == MotionStatus::finished;
  result[found_class] = finished ? run.motion_class() : -1;
  result[decided_at] = status == MotionStatus::no_start ? 0 : run.t();
  result[map_status] = static_cast<double>(status);
  result[map_reason] = finished ? 0 : reason_number(run.sentence());
  result[map_warnings] = finished ? warning_bits(run.findings()) : 0;
}

nlohmann::ordered_json map_job(const MapOptions& options) {
  nlohmann::ordered_json job = {
      {"over", axes_json(options.over)}, {"classify", options.classify}, {"refine", options.refine}};
  if (const std::string name = name_of(options.cards.arithmetic); !name.empty()) job["gpu"] = name;
  return job;
}

// Fills the lattice level by level: the cells of a level are computed, their classes say where the next level has nodes. False:
// stopped.
bool fill(Lattice& lattice, const MapOptions& options, const Study& study, const Classes& classes, CellSession& session,
          std::vector<double>& cells, MapResult& map) {
  for (long first = 0; first < lattice.nodes();) {
    const Points points = lattice.points(first);
    const int level = lattice.level(first);
    CellJob job = study_cells(study, &classes, points, map_width, note_motion, options.lanes);
    const auto card = put_on_cards(job, options.cards, study, &classes, points, note_motion);
    const CellTable table = session.run(job, first, level == 0 ? "map" : fmt::format("level {}", level));
    if (card) map.shares.add(card->shares());
    cells.insert(cells.end(), table.values.begin(), table.values.end());
    if (table.missing() > 0) return false;
    first += table.count();
    std::vector<int> found;
    for (long k = 0; k < table.count(); ++k) found.push_back(static_cast<int>(table.row(k)[found_class]));
    lattice.classify(found);
  }
  return true;
}

std::vector<double> map_column(const std::vector<double>& cells, MapCell number) {
  std::vector<double> values;
  for (std::size_t k = number; k < cells.size(); k += map_width) values.push_back(cells[k]);
  return values;
}

// Nodes of the grid itself by class; those of the refinement would count boundaries.
void count_classes(MapResult& map) {
  map.counts.assign(map.classes.size(), 0);
  for (std::size_t k = 0; k < map.level.size(); ++k)
    if (map.level[k] == 0)
      ++(map.motion_class[k] < 0 ? map.failed : map.counts[static_cast<std::size_t>(map.motion_class[k])]);
}

std::string map_sentence(const MapResult& map) {
  std::string text;
  const auto add = [&](long count, const std::string& name) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  };
  for (std::size_t k = 0; k < map.classes.size(); ++k) add(map.counts[k], map.classes[k]);
  if (map.failed > 0) add(map.failed, "failed");
  return text + warning_phrase(map.warnings);
}

}  // namespace

std::string MapResult::class_name(long node) const {
  const int number = motion_class[static_cast<std::size_t>(node)];
  return number < 0 ? "failed" : classes[static_cast<std::size_t>(number)];
}

std::vector<std::string> MapResult::border_sentences() const {
  if (over.size() != 1) return {};
  std::vector<Lattice::Border> ordered = borders;
  std::ranges::sort(ordered, {}, [&](const Lattice::Border& border) { return points[border.a][0]; });
  std::vector<std::string> sentences;
  for (const auto& [a, b, axis, gap] : ordered)
    sentences.push_back(fmt::format("{} = {:.7g} ± {:.1g}: {} | {}", over[0].name, (points[a][0] + points[b][0]) / 2,
                                    gap / 2, class_name(a), class_name(b)));
  return sentences;
}

MapResult map_motions(const Model& model, const MapOptions& options, CellSession& session) {
  // the model, compiled once with its variables as inputs
  require_axes(options.over, true, "map");
  const std::vector<std::string> names = names_of(options.over);
  const Varied varied = in_option("over", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes = in_option("classify", [&] { return Classes(options.classify, formulas); });
  Study study(varied, formulas);
  std::string card_caveat;
  if (!options.cards.empty()) card_caveat = require_card_for(study, options.cards.arithmetic);
  check_variables(study, model, session.settings(), names, values_on(options.over));

  // the cells
  session.begin("map", model, study.prepared(), map_job(options), map_width);
  Lattice lattice(options.over, options.refine);
  std::vector<double> cells;
  MapResult map;
  map.over = options.over;
  map.classes = classes.names();
  map.complete = fill(lattice, options, study, classes, session, cells, map);
  map.points = lattice.points(0);
  if (!map.complete) return map;

  // what they say
  for (long k = 0; k < lattice.nodes(); ++k) map.level.push_back(lattice.level(k));
  for (const double number : map_column(cells, found_class)) map.motion_class.push_back(static_cast<int>(number));
  map.decided = map_column(cells, decided_at);
  map.warning_bits = map_column(cells, map_warnings);
  map.borders = lattice.borders();
  count_classes(map);
  map.failures = failures_of(study, &classes, map.points, map_column(cells, map_reason), names);
  map.warnings = warnings_of(study, &classes, map.points, map.warning_bits, names);
  map.sentence = map_sentence(map) + preview_phrase(options.cards.arithmetic) + card_caveat;
  return map;
}

}  // namespace armature::internal
