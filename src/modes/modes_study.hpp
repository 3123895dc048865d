// The study of `armature modes`: the static equilibrium below the start, small vibrations about it, the linear system A, B, C, D, and
// how the eigenvalues change with parameters.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "modes/eigenmodes.hpp"
#include "prepare/equilibrium.hpp"
#include "prepare/prepare.hpp"
#include "run/chosen_start.hpp"

namespace armature::internal {

struct ModesOptions {
  StartChoice start = {};
  bool equilibrium = true;                    // false: about the start as it is
  std::vector<std::string> sensitivity = {};  // parameters for which derivatives of the eigenvalues are wanted
};

struct ModesResult {
  Prepared prepared;
  std::optional<Equilibrium> equilibrium;
  State state;  // about which the motion is linearized
  Linearization linear;
  std::vector<Eigenmode> modes;
  std::vector<std::string> parameters, notes, warnings;
  Eigen::MatrixXcd sensitivity;  // one row per mode, one column per parameter of `parameters`
};

// Throws ModelError, RequestError, and ComputationError where there is no start, no equilibrium or no linear system.
ModesResult find_modes(const Model& model, const ModesOptions& options = {});

std::vector<std::string> entry_names(const Equations& equations);  // of x: positions, velocities, others

// modes.json; with it, A.csv to D.csv, modes.csv and results.h5. Throws RecordError.
nlohmann::ordered_json to_json(const ModesResult& result, const Model& model);
void write_files(const ModesResult& result, const Model& model, const std::filesystem::path& folder);

}  // namespace armature::internal
