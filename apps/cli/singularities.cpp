// armature singularities FILE: along a motion, or over a grid of poses.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "record/hdf5_file.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "record/table.hpp"
#include "record/write_text.hpp"
#include "report_page.hpp"
#include "room.hpp"
#include "run/describe.hpp"
#include "simulate_arguments.hpp"
#include "singular/singular_motion.hpp"
#include "singular/workspace_map.hpp"
#include "singularity_picture.hpp"
#include "study/dimensions.hpp"
#include "study_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* singularities_examples =
    "Examples:\n"
    "  armature singularities models/rrr_motors.yaml --moves platform.C.x,platform.C.y,platform_angle\n"
    "  armature singularities models/slider_crank_equal.yaml --end 1\n"
    "  armature singularities models/rrr_motors.yaml --over platform.C.x=0.1:1.1:61 --over platform.C.y=-0.2:0.9:61 \\\n"
    "      --hold platform_angle=0 --moves platform.C.x,platform.C.y,platform_angle -o workspace\n"
    "\nType I: drives can move while the output stands. Type II: something can move while the drives stand.\n"
    "Rank drop: the loops themselves hold one freedom less. Active are the coordinates of drives and efforts.";

struct SingularitiesArguments {
  SessionArguments session;
  SimulateArguments simulate;
  std::vector<std::string> over, hold;  // "name=range", "name=value"
  std::string active, moves;
};

const char* shown_by(bool report) { return report ? "; report.html shows them" : ""; }

// Whether report.html was written.
bool write_picture(const std::filesystem::path& folder, const SingularitiesArguments& arguments,
                   const std::function<Json()>& document) {
  return !arguments.session.no_report && write_report(folder, Page::study, arguments.session.model.json, document);
}

Json measures_json(const PoseMeasures& m) {
  return {{"rank", m.rank},
          {"sigma", m.sigma},
          {"sigma_I", m.sigma_I},
          {"sigma_II", m.sigma_II},
          {"det_I", number_or_null(m.det_I)},
          {"det_II", number_or_null(m.det_II)}};
}

void fill_row(Eigen::MatrixXd& table, Eigen::Index row, Eigen::Index column, const PoseMeasures& m) {
  table.row(row).segment(column, 6) << m.rank, m.sigma, m.sigma_I, m.sigma_II, m.det_I, m.det_II;
}
const std::vector<std::string> measure_names{"rank", "sigma", "sigma_I", "sigma_II", "det_I", "det_II"};

void print_frame(const SingularityFrame& frame) {
  if (!frame.active.empty())
    fmt::print("active: {}{}\n", fmt::join(frame.active, ", "), frame.chosen_by_pivoting ? " (chosen)" : "");
  if (!frame.output.empty()) fmt::print("output: {}\n", fmt::join(frame.output, ", "));
  for (const std::string& note : frame.notes) fmt::print("{}\n", note);
}

// Along a motion

Json motion_json(const SingularMotion& motion, const std::string& model) {
  Json events = Json::array();
  for (const SingularEvent& event : motion.events)
    events.push_back({{"t", event.t},
                      {"until", event.until},
                      {"kind", to_string(event.kind)},
                      {"sign", event.sign > 0   ? "rising"
                               : event.sign < 0 ? "falling"
                                                : "touching"},
                      {"words", event.words},
                      {"coordinates", event.coordinates},
                      {"loops", event.loops},
                      {"measures", measures_json(event.measures)}});
  return {{"status", motion.outcome.status == RunStatus::finished ? "finished" : "failed"},
          {"sentence", motion.outcome.sentence},
          {"model", model},
          {"active", motion.frame.active},
          {"output", motion.frame.output},
          {"notes", motion.frame.notes},
          {"smallest", measures_json(motion.smallest)},
          {"t_of_smallest_sigma", motion.t_sigma},
          {"events", events}};
}

// When, and until when where the motion stays singular.
std::string time_words(const SingularEvent& event) {
  std::string text = fmt::format("{:>14.9g} s", event.t);
  if (event.until > event.t) text += fmt::format(" to {:.9g} s", event.until);
  return text;
}

// What can move is one of several motions where more than one row is lost.
std::string rank_words(const SingularEvent& event, const SingularityFrame& frame) {
  return event.kind == SingularityKind::rank_drop ? fmt::format("rank {} of {}; ", event.measures.rank, frame.rank)
                                                  : "";
}

void print_motion(const SingularMotion& motion) {
  print_frame(motion.frame);
  int counts[3] = {0, 0, 0};
  for (const SingularEvent& event : motion.events) ++counts[static_cast<int>(event.kind)];
  fmt::print("{} of type I, {} of type II, {} until t = {:g} s\n", counts[0], counts[1],
             counted(counts[2], "true rank drop"), motion.t.empty() ? 0 : motion.t.back());
  for (const SingularEvent& event : motion.events)
    fmt::print("{}  {:<9}  {}; {}loops: {}\n", time_words(event), to_string(event.kind), event.words,
               rank_words(event, motion.frame), fmt::join(event.loops, ", "));
  if (motion.frame.loops)
    fmt::print("smallest singular value of Phi {:.4g} (rank {}) at t = {:.9g} s\n", motion.smallest.sigma,
               motion.smallest.rank, motion.t_sigma);
  else
    fmt::print("there are no loops: Phi has no rank to lose\n");
  if (motion.outcome.status != RunStatus::finished) fmt::print(stderr, "{}\n", motion.outcome.sentence);
}

// How the results are printed: "folder/singularities.json, …".
std::string write_motion(const SingularMotion& motion, const Model& model, const SingularitiesArguments& arguments) {
  ResultsFolder folder(arguments.session.output, ResultKind::singularities);
  Eigen::MatrixXd table(static_cast<Eigen::Index>(motion.t.size()), 7);
  for (Eigen::Index k = 0; k < table.rows(); ++k) {
    table(k, 0) = motion.t[static_cast<std::size_t>(k)];
    fill_row(table, k, 1, motion.measures[static_cast<std::size_t>(k)]);
  }
  std::vector<std::string> names{"t [s]"};
  names.insert(names.end(), measure_names.begin(), measure_names.end());
  write_table(folder.partial() / "motion.csv", names, table);
  const Json json = motion_json(motion, model.name);
  write_text(folder.partial() / "singularities.json", json_text(json, 1) + "\n");
  Hdf5File file(folder.partial() / "results.h5");
  file.write("description", json_text(json));
  file.write("model", model.text);
  file.write("columns", fmt::format("{}", fmt::join(names, ", ")));
  write_matrix(file, "motion", table);
  file.close();
  const bool report =
      write_picture(folder.partial(), arguments, [&] { return to_json(motion_picture(motion), model); });
  folder.publish(ending_of(motion.outcome.status));
  return fmt::format("{}/singularities.json, motion.csv and results.h5{}", folder.path().string(), shown_by(report));
}

// Over a grid

// Numbers in the dimension of what they are for, which is a formula of the pose.
NumberReader reader_for(const std::string& name, const Model& model) {
  std::optional<Dimension> dimension;
  try {
    dimension = dimension_of(parse_formula(name, {}), model);
  } catch (const FormulaError&) {  // an unknown name: the machine is built with it, and refuses it with advice
  }
  return [dimension, &model](const std::string& text) { return constant_in(text, model, dimension); };
}

WorkspaceOptions map_options(const SingularitiesArguments& arguments, const Model& model) {
  WorkspaceOptions options;
  for (const std::string& text : arguments.over) {
    const auto [name, values] = split_assignment(text, "--over");
    options.over.push_back({name, range(values, "--over " + name, reader_for(name, model))});
  }
  if (options.over.size() > 2) throw UsageError("--over: a map has one or two axes; --hold keeps the rest");
  for (const std::string& text : arguments.hold) {
    const auto [name, value] = split_assignment(text, "--hold");
    options.hold.emplace_back(name, in_option("--hold " + text, [&, &name = name, &value = value] {
                                return reader_for(name, model)(value);
                              }));
  }
  options.active = split_list(arguments.active), options.output = split_list(arguments.moves);
  return options;
}

// A cell is kept with its pose; both lines to its neighbours are looked at.
void require_room_for(const WorkspaceOptions& options, const PoseMachine& machine) {
  constexpr double bytes_of_a_cell = 600;
  std::vector<long> counts;
  for (const PoseAxis& axis : options.over) counts.push_back(static_cast<long>(axis.values.size()));
  require_room(counts, bytes_of_a_cell + 4 * sizeof(double) * workspace_width(machine), "--over");
}

std::string reach_sentence(const WorkspaceMap& map) {
  std::string text =
      fmt::format("{} of {} within reach", map.reached, counted(static_cast<long>(map.cells.size()), "pose"));
  if (map.undecided > 0)
    text += fmt::format("; {} not decided, since branches meet on the way to {}", map.undecided,
                        map.undecided == 1 ? "it" : "them");
  return text;
}

Json map_json(const WorkspaceMap& map) {
  Json axes = Json::array(), curve = Json::array();
  for (const PoseAxis& axis : map.over) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  for (const CurvePoint& point : map.curve)
    curve.push_back({{"at", point.at}, {"kind", to_string(point.kind)}, {"words", point.words}});
  Json json = {{"status", "finished"},       {"sentence", reach_sentence(map)},
               {"active", map.frame.active}, {"output", map.frame.output},
               {"notes", map.frame.notes},   {"axes", axes},
               {"reached", map.reached},     {"undecided", map.undecided},
               {"cells", map.cells.size()},  {"rows", "the first axis runs inside"}};
  const auto array = [&](const char* name, auto value) {
    Json list = Json::array();
    for (const WorkspaceCell& cell : map.cells)
      list.push_back(cell.reached ? number_or_null(value(cell.measures)) : Json(nullptr));
    json[name] = std::move(list);
  };
  array("rank", [](const PoseMeasures& m) { return double(m.rank); });
  array("sigma", [](const PoseMeasures& m) { return m.sigma; });
  array("sigma_I", [](const PoseMeasures& m) { return m.sigma_I; });
  array("sigma_II", [](const PoseMeasures& m) { return m.sigma_II; });
  array("det_I", [](const PoseMeasures& m) { return m.det_I; });
  array("det_II", [](const PoseMeasures& m) { return m.det_II; });
  json["curves"] = curve;
  return json;
}

void print_map(const WorkspaceMap& map) {
  print_frame(map.frame);
  fmt::print("{}\n", reach_sentence(map));
  for (const auto kind :
       {CurvePoint::Kind::type_I, CurvePoint::Kind::type_II, CurvePoint::Kind::rank_drop, CurvePoint::Kind::reach}) {
    long count = 0;
    const CurvePoint* first = nullptr;
    for (const CurvePoint& point : map.curve)
      if (point.kind == kind) first = count++ == 0 ? &point : first;
    if (!first) continue;
    fmt::print("{} of {}", counted(count, "point"), to_string(kind));
    if (kind != CurvePoint::Kind::reach) fmt::print(", such as ({:.6g}): {}", fmt::join(first->at, ", "), first->words);
    fmt::print("\n");
  }
}

std::vector<std::string> axis_names(const WorkspaceMap& map) {
  std::vector<std::string> names;
  for (const PoseAxis& axis : map.over) names.push_back(axis.name);
  return names;
}

std::vector<std::string> map_columns(const WorkspaceMap& map) {
  std::vector<std::string> columns = axis_names(map);
  columns.push_back("reached");
  columns.insert(columns.end(), measure_names.begin(), measure_names.end());
  return columns;
}

Eigen::MatrixXd map_table(const WorkspaceMap& map) {
  const auto axes = static_cast<Eigen::Index>(map.over.size());
  const auto n = static_cast<Eigen::Index>(map.over[0].values.size());
  Eigen::MatrixXd table(static_cast<Eigen::Index>(map.cells.size()), axes + 7);
  for (Eigen::Index k = 0; k < table.rows(); ++k) {
    table(k, 0) = map.over[0].values[static_cast<std::size_t>(k % n)];
    if (axes > 1) table(k, 1) = map.over[1].values[static_cast<std::size_t>(k / n)];
    const WorkspaceCell& cell = map.cells[static_cast<std::size_t>(k)];
    table(k, axes) = cell.undecided && !cell.reached ? std::nan("") : cell.reached;
    table.row(k).tail(6).setConstant(std::nan(""));
    if (cell.reached) fill_row(table, k, axes + 1, cell.measures);
  }
  return table;
}

Eigen::MatrixXd curve_table(const WorkspaceMap& map) {
  Eigen::MatrixXd curve(static_cast<Eigen::Index>(map.curve.size()), static_cast<Eigen::Index>(map.over.size()));
  for (Eigen::Index k = 0; k < curve.rows(); ++k)
    for (Eigen::Index i = 0; i < curve.cols(); ++i)
      curve(k, i) = map.curve[static_cast<std::size_t>(k)].at[static_cast<std::size_t>(i)];
  return curve;
}

void write_map(const WorkspaceMap& map, const std::filesystem::path& folder) {
  write_table(folder / "map.csv", map_columns(map), map_table(map));
  std::vector<std::string> kinds;
  for (const CurvePoint& point : map.curve) kinds.push_back(to_string(point.kind));
  write_table(folder / "curves.csv", axis_names(map), curve_table(map), kinds);
}

void write_map_hdf5(const WorkspaceMap& map, const Json& description, const std::filesystem::path& folder) {
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  file.write("columns", fmt::format("{}", fmt::join(map_columns(map), ", ")));
  write_matrix(file, "map", map_table(map));
  write_matrix(file, "curves", curve_table(map));
  std::vector<double> kinds;
  for (const CurvePoint& point : map.curve) kinds.push_back(static_cast<double>(point.kind));
  file.write("curve_kinds", kinds);
  file.write("kinds", "0 type I, 1 type II, 2 rank drop, 3 reach");
  file.close();
}

// What one process of the team does at the end.
int finish(const WorkspaceMap& map, const SingularitiesArguments& arguments, const Model& model, CellSession& session) {
  if (map.reached == 0) {
    session.drop();
    throw ComputationError("the loops close at no pose of the grid: change the range, or what is held");
  }
  bool report = false;
  const auto write = [&](const std::filesystem::path& folder, const Json& description) {
    write_map(map, folder);
    write_map_hdf5(map, description, folder);
    report = write_picture(folder, arguments, [&] { return to_json(workspace_picture(map), model); });
  };
  if (session.publish(map_json(map), write, "singularities.json")) return ok;
  print_map(map);
  fmt::print("{}\nresults: {}/singularities.json, map.csv, curves.csv and results.h5{}\n", session.how(),
             session.path(), shown_by(report));
  return ok;
}

int map_poses(const SingularitiesArguments& arguments, const Model& model) {
  WorkspaceOptions options = map_options(arguments, model);
  const auto machine = computed([&] { return workspace_machine(model, options); });
  require_room_for(options, *machine);
  const Json job{
      {"over", arguments.over}, {"hold", arguments.hold}, {"active", arguments.active}, {"moves", arguments.moves}};
  CellSession session(arguments.session, "singularities", model, machine->prepared, job, workspace_width(*machine));
  options.cells = [&](const CellJob& cells, long first) { return session.run(cells, first, "poses"); };
  const WorkspaceMap map = workspace_map(machine, options);
  if (!map.complete) return session.stopped(map.closings);
  return session.writes() ? finish(map, arguments, model, session) : ok;
}

int follow_motion(const SingularitiesArguments& arguments, const Model& model) {
  if (arguments.session.resume || arguments.session.restart)
    throw UsageError("--resume and --restart are for maps of poses: give --over, too");
  if (team_from_environment().rank > 0) return ok;  // one motion is not divided
  Interrupt interrupt;
  const SingularMotion motion = computed([&] {
    return singular_motion(model, split_list(arguments.active), split_list(arguments.moves),
                           [&](double, long) { return !interrupt.requested(); });
  });
  const std::string& output = arguments.session.output;
  const std::string results = output.empty() ? "" : write_motion(motion, model, arguments);
  if (arguments.session.model.json)
    fmt::print("{}\n", json_text(motion_json(motion, model.name)));
  else
    print_motion(motion);
  if (!results.empty() && !arguments.session.model.json) fmt::print("results: {}\n", results);
  return motion.outcome.status == RunStatus::finished ? ok : failed;
}

int singularities(const SingularitiesArguments& arguments) {
  if (arguments.over.empty() && !arguments.hold.empty()) throw UsageError("--hold is for poses: give --over, too");
  Model model = arguments.session.model.read();
  arguments.simulate.apply(model.simulate, arguments.session.model.settings());
  return arguments.over.empty() ? follow_motion(arguments, model) : map_poses(arguments, model);
}

}  // namespace

Verb add_singularities(CLI::App& app) {
  auto arguments = std::make_shared<SingularitiesArguments>();
  CLI::App* verb =
      app.add_subcommand("singularities", "where loops lose rank or drives lose hold: along a motion, or over poses");
  verb->footer(singularities_examples);
  arguments->session.model.add_to(*verb);
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* text, const char* type) {
    verb->add_option(name, values, text)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  list("--over", arguments->over, "map poses instead: a coordinate or formula of them; once or twice",
       "NAME=FROM:TO:COUNT");
  list("--hold", arguments->hold, "keep a coordinate or formula at a value in every pose; may be repeated",
       "NAME=VALUE");
  verb->add_option("--active", arguments->active, "driven coordinates, if not those of drives and efforts")
      ->type_name("NAME,...");
  verb->add_option("--moves", arguments->moves, "what the machine is to move: coordinates or recorded quantities")
      ->type_name("NAME,...");
  arguments->session.add_to(*verb);
  arguments->simulate.add_to(*verb);
  return [arguments] { return singularities(*arguments); };
}

}  // namespace armature::internal::cli
