// Singular poses: along a motion, and over a grid of poses.
#include <cmath>
#include <limits>

#include "library/access.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "singular/singular_study.hpp"

namespace armature {

namespace {

const std::vector<std::string> measure_columns{"rank", "sigma", "sigma_I", "sigma_II", "det_I", "det_II"};

void add_measures(const internal::PoseMeasures& m, std::vector<double>& row) {
  row.insert(row.end(), {static_cast<double>(m.rank), m.sigma, m.sigma_I, m.sigma_II, m.det_I, m.det_II});
}

std::vector<std::string> with_measures(std::vector<std::string> columns) {
  columns.insert(columns.end(), measure_columns.begin(), measure_columns.end());
  return columns;
}

std::vector<internal::PoseAxis> pose_axes(const std::vector<Axis>& over) {
  if (over.empty() || over.size() > 2)
    throw Error(Error::Kind::input, "a map of poses has one or two axes; hold fixes the rest");
  std::vector<internal::PoseAxis> axes;
  for (const Axis& axis : over) {
    require_at_least(1, axis.count, "the count of '" + axis.name + "'");
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
      throw Error(Error::Kind::input, "the range of '" + axis.name + "' is not finite");
    internal::PoseAxis values{axis.name, {}};
    for (int k = 0; k < axis.count; ++k)
      values.values.push_back(axis.count == 1 ? axis.from : axis.from + (axis.to - axis.from) * k / (axis.count - 1));
    axes.push_back(values);
  }
  return axes;
}

// One row: the axes, whether the pose is reached (NaN: undecided), its measures.
void add_pose(const internal::WorkspaceMap& map, std::size_t k, std::vector<double>& poses) {
  const std::size_t n = map.over[0].values.size();
  poses.push_back(map.over[0].values[k % n]);
  if (map.over.size() > 1) poses.push_back(map.over[1].values[k / n]);
  const internal::WorkspaceCell& cell = map.cells[k];
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  poses.push_back(cell.undecided && !cell.reached ? nothing : cell.reached);
  if (cell.reached)
    add_measures(cell.measures, poses);
  else
    poses.insert(poses.end(), measure_columns.size(), nothing);
}

}  // namespace

Singularities singularities(const Model& model, const SingularQuestion& question, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    const internal::SingularMotion found =
        internal::singular_motion(internal::Access::of(model), question.active, question.moves, guarded);
    Singularities result;
    for (const internal::SingularEvent& event : found.events)
      result.poses.push_back({event.t, event.until, internal::to_string(event.kind), event.words, event.loops});
    result.smallest_singular_value = found.smallest.sigma;
    result.t_smallest = found.t_sigma;
    result.outcome = to_public(found.outcome);
    result.active = found.frame.active, result.moves = found.frame.output, result.notes = found.frame.notes;
    result.columns = with_measures({"t"});
    for (std::size_t k = 0; k < found.t.size(); ++k) {
      result.rows.push_back(found.t[k]);
      add_measures(found.measures[k], result.rows);
    }
    return result;
  });
}

Singularities singularities(const Model& model, const Progress& progress) {
  return singularities(model, SingularQuestion{}, progress);
}

Workspace workspace(const Model& model, const WorkspaceQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options, internal::Access::settings(model));
    internal::WorkspaceOptions wanted;
    wanted.over = pose_axes(question.over);
    wanted.hold = question.hold;
    wanted.active = question.active, wanted.output = question.moves;
    const internal::WorkspaceMap map = internal::map_workspace(internal::Access::of(model), wanted, session.cells());
    session.require_complete(map.complete);
    if (map.reached == 0)
      throw Error(Error::Kind::computation,
                  "the loops close at no pose of the grid; change the range or the values of hold");
    Workspace result;
    for (const internal::PoseAxis& axis : map.over) result.columns.push_back(axis.name);
    result.columns.push_back("reached");
    result.columns = with_measures(std::move(result.columns));
    for (std::size_t k = 0; k < map.cells.size(); ++k) add_pose(map, k, result.poses);
    for (const internal::CurvePoint& point : map.curve) {
      result.curve.insert(result.curve.end(), point.at.begin(), point.at.end());
      result.kinds.push_back(internal::to_string(point.kind));
      result.sentences.push_back(point.words);
    }
    result.reached = map.reached, result.undecided = map.undecided;
    result.active = map.frame.active, result.moves = map.frame.output, result.notes = map.frame.notes;
    result.sentence = internal::reach_sentence(map);
    return result;
  });
}

}  // namespace armature
