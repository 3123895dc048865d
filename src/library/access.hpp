// The way from the public classes to what is behind them, for the sources of this folder alone.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "armature/run.hpp"

namespace armature::internal {

struct Access {
  static armature::Model model(std::shared_ptr<const Model> model, armature::Settings settings) {
    return armature::Model(std::move(model), std::move(settings));
  }
  static const Model& of(const armature::Model& model) { return *model.model_; }
  static const armature::Settings& settings(const armature::Model& model) { return *model.settings_; }
  static Machine machine(armature::Model model, std::shared_ptr<const Prepared> prepared) {
    return Machine(std::move(model), std::move(prepared));
  }
  static const Prepared& of(const Machine& machine) { return *machine.prepared_; }
  static Trajectory trajectory(std::vector<armature::Channel> channels, std::vector<double> values) {
    Trajectory trajectory;
    trajectory.channels_ = std::move(channels), trajectory.values_ = std::move(values);
    return trajectory;
  }
};

}  // namespace armature::internal
