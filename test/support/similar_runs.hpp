// Runs of one machine that is written down in two ways: what each channel of the second is in the terms of the first, and by how
// much the two differ.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/joint_type.hpp"
#include "support/renamed_model.hpp"
#include "support/run_model.hpp"
#include "support/transformed_model.hpp"

namespace armature::internal {

class SimilarModel {
 public:
  SimilarModel(const Model& model, const Transformation& to)
      : old_(model), to_(to), transformed_(model, to), model_(transformed_.run()) {
    if (!to.rename) return;
    renamed_.emplace(model_, *to.rename);
    model_ = renamed_->run();
  }
  const Model& model() const { return model_; }

  // Ready to run. Absolute tolerances of lengths and rates are the machine's own; those of energies and currents change with its
  // units.
  Prepared prepared() const {
    Prepared result = armature::internal::prepared(model_);
    const Equations& equations = result.system->equations();
    auto i = static_cast<Eigen::Index>(equations.positions.size() + equations.velocities.size());
    for (const Coordinate& state : equations.others) {
      const double factor = state.unit.empty() ? 1 : to_.factor(dimension_of(state.unit));
      if (state.kind != Coordinate::Kind::reference) result.options.atol[i] *= factor;
      ++i;
    }
    return result;
  }

  // Nothing where a channel has no meaning of its own, as a multiplier of a loop that may be cut elsewhere.
  std::optional<std::vector<double>> in_old_terms(const Simulation& run, const Channel& channel) const {
    if (has_no_meaning(channel.name)) return std::nullopt;
    if (channel.name.size() > 2 && transformed_.is_place(channel.name.substr(0, channel.name.size() - 2)))
      return place(run, channel.name);
    const CoordinateChange change = change_of(channel);
    std::vector<double> column = run.column(name(channel.name));
    for (double& value : column) value = (value - change.offset) / change.factor;
    if (channel.name != "energy.potential") return column;
    const double zero = column.front();  // it lies anywhere
    for (double& value : column) value -= zero;
    return column;
  }
  double old_time(double t) const { return t / to_.time; }

 private:
  std::string name(const std::string& old) const { return renamed_ ? renamed_->renamed(old) : old; }

  static bool begins(const std::string& name, const std::vector<std::string>& starts) {
    return std::ranges::any_of(starts, [&](const std::string& start) { return name.starts_with(start); });
  }
  static bool ends(const std::string& name, const std::vector<std::string>& ends) {
    return std::ranges::any_of(ends, [&](const std::string& end) { return name.ends_with(end); });
  }
  bool has_no_meaning(const std::string& name) const {
    const std::string owner = name.substr(0, name.find('.'));
    const auto is = [&](const auto& list) { return std::ranges::count(list, name, &RecordOptions::Determinant::name); };
    if (begins(name, {"lambda.", "constraint.", "smallest_", "rank", "energy.error", "work.stabilization"}) ||
        is(old_.record.determinants))
      return true;
    const bool has_ball = std::ranges::any_of(old_.joints, [&](const Joint& joint) {
      return joint.name == owner && (joint.type == JointType::spherical || joint.type == JointType::free);
    });
    if (has_ball && ends(name, {".w", ".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz", ".wx", ".wy", ".wz"}))
      return !transformed_.coordinates().contains(name) || is_part_of_ball(name);
    const bool is_reaction =
        std::ranges::count(old_.record.reactions, owner) > 0 && name != owner && name != owner + "'";
    return is_reaction && (to_.moves_world() || to_.recount);  // in the axes of a, and from a to b
  }
  bool is_part_of_ball(const std::string& name) const {
    const auto component = find_coordinate(old_, name);
    return component && component->is_part_of_ball;
  }

  // Q' (p - shift)/L; nothing is recorded along the normal of a plane.
  std::vector<double> place(const Simulation& run, const std::string& channel) const {
    const std::string point = name(channel.substr(0, channel.size() - 2));
    std::array<std::vector<double>, 3> p;
    for (int i = 0; i < 3; ++i) p[i] = run.record.column(point + "." + "xyz"[i]);
    std::vector<double> result(p[0].size());
    const Eigen::RowVector3d axis = to_.turn.col(channel.back() - 'x').transpose() / to_.length;
    for (std::size_t row = 0; row < result.size(); ++row)
      for (int i = 0; i < 3; ++i)
        if (!p[i].empty()) result[row] += axis[i] * (p[i][row] - to_.shift[i]);
    return result;
  }

  CoordinateChange change_of(const Channel& channel) const {
    const bool is_rate = channel.name.ends_with('\'');
    const std::string base = is_rate ? channel.name.substr(0, channel.name.size() - 1) : channel.name;
    if (const auto found = transformed_.coordinates().find(base); found != transformed_.coordinates().end())
      return is_rate ? CoordinateChange{found->second.factor / to_.time, 0} : found->second;
    if (const auto on = on_coordinate(base)) return {to_.energy() / transformed_.coordinates().at(*on).factor, 0};
    if (const auto row = prescribed(base)) return {to_.energy() / transformed_.factor_of_row(*row), 0};
    if (is_formula(base)) return {};
    return {channel.unit.empty() ? 1 : to_.factor(dimension_of(channel.unit)), 0};
  }

  // A user's formula keeps its value, whatever its unit: what it reads is converted back. So does a controller.
  bool is_formula(const std::string& channel) const {
    const auto is_named = [&](const auto& formula) {
      return channel == formula.first || channel.substr(0, channel.rfind('.')) == formula.first;
    };
    return std::ranges::any_of(old_.definitions, is_named) || std::ranges::any_of(old_.record.quantities, is_named) ||
           std::ranges::any_of(old_.record.events, is_named) ||
           std::ranges::count(old_.controllers, channel, &Controller::name) > 0;
  }

  // The coordinate that a motor or feedback acts on with this effort.
  std::optional<std::string> on_coordinate(const std::string& channel) const {
    const std::string owner = channel.substr(0, channel.find('.')), part = channel.substr(channel.find('.') + 1);
    for (const Drive& drive : old_.drives)
      if (drive.name == owner && (part == "torque" || part == "gear_torque")) return drive.on;
    for (const Controller& controller : old_.controllers)
      if (controller.name == owner && std::ranges::count(controller.on, part) > 0) return part;
    return std::nullopt;
  }
  std::optional<Formula> prescribed(const std::string& channel) const {
    for (const PrescribedConstraint& constraint : old_.prescribed)
      if (constraint.name == channel.substr(0, channel.find('.'))) return constraint.zero;
    return std::nullopt;
  }
  static Dimension dimension_of(std::string unit) {
    std::ranges::replace(unit, ' ', '*');
    return unit_of(unit).dimension;
  }

  const Model old_;
  const Transformation to_;
  TransformedModel transformed_;
  Model model_;
  std::optional<RenamedModel> renamed_;
};

// The largest differences, each over the largest that a channel reaches; what hardly moves is compared with a thousandth of the
// largest of its unit.
struct Difference {
  double motion = 0, others = 0;  // of coordinates and their rates; of forces, energies, currents, definitions
  std::string worst_motion, worst_other;
};

class SimilarRuns {
 public:
  explicit SimilarRuns(const Model& model) : model_(model), same_(model, {}), first_(simulated(model)) {
    for (const Channel& channel : first_.record.channels())
      if (const auto column = same_.in_old_terms(first_, channel)) {
        columns_.push_back({channel, *column, largest_of(*column)});
        double& size = largest_[channel.unit];
        size = std::max(size, columns_.back().size);
      }
  }
  const Simulation& first() const { return first_; }

  Difference difference(const SimilarModel& similar, const Simulation& second) const {
    Difference result;
    for (const Column& column : columns_) {
      const auto other = similar.in_old_terms(second, column.channel);
      const double error = other ? relative(column, *other) : 0;
      const bool moves = is_motion(column.channel.name);
      if (double& worst = moves ? result.motion : result.others; !(error <= worst)) {
        worst = error;
        (moves ? result.worst_motion : result.worst_other) = column.channel.name;
      }
    }
    return result;
  }

 private:
  struct Column {
    Channel channel;
    std::vector<double> values;
    double size;
  };

  static double largest_of(const std::vector<double>& values) {
    double largest = 0;
    for (double value : values) largest = std::max(largest, std::abs(value));
    return largest;
  }
  bool is_motion(const std::string& channel) const {
    return find_coordinate(model_, channel.substr(0, channel.find('\''))).has_value();
  }
  double relative(const Column& column, const std::vector<double>& other) const {
    EXPECT_EQ(column.values.size(), other.size()) << column.channel.name;
    const double size = std::max(column.size, 1e-3 * largest_.at(column.channel.unit));
    double error = 0;
    for (std::size_t i = 0; i < std::min(other.size(), column.values.size()); ++i)
      error = std::max(error, std::abs(other[i] - column.values[i]));
    return size > 0 ? error / size : error;
  }

  const Model model_;
  SimilarModel same_;
  Simulation first_;
  std::vector<Column> columns_;
  std::map<std::string, double> largest_;  // by unit
};

}  // namespace armature::internal
