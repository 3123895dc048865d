// The files of `armature modes`: modes.json, A to D and the eigenvalues as CSV, results.h5.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "modes/modes_study.hpp"
#include "record/hdf5_file.hpp"
#include "record/json_text.hpp"
#include "record/run_record.hpp"
#include "record/table.hpp"
#include "record/write_text.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json complex_json(std::complex<double> x) { return Json::array({x.real(), x.imag()}); }

Json matrix_json(const Eigen::MatrixXd& M) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < M.rows(); ++r) rows.push_back(std::vector<double>(M.row(r).begin(), M.row(r).end()));
  return rows;
}

// Positions and other states; velocities follow from the positions, and the ledger of energy is no part of the motion.
Json shape_json(const Eigenmode& mode, const Equations& e) {
  const std::vector<std::string> names = entry_names(e);
  Json shape;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i < e.q.size() ||
        (i >= e.q.size() + e.v.size() && !names[i].starts_with("work.") && !names[i].starts_with("heat.")))
      shape[names[i]] = complex_json(mode.shape[static_cast<Eigen::Index>(i)]);
  return shape;
}

Json mode_json(const ModesResult& result, std::size_t k) {
  const Eigenmode& mode = result.modes[k];
  Json json = {{"eigenvalue", complex_json(mode.eigenvalue)},
               {"frequency_rad_s", mode.frequency()},
               {"frequency_hz", mode.frequency() / (2 * M_PI)},
               {"damping_ratio", mode.damping()},
               {"shape", shape_json(mode, result.prepared.system->equations())}};
  for (std::size_t p = 0; p < result.parameters.size(); ++p)
    json["sensitivity"][result.parameters[p]] =
        complex_json(result.sensitivity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p)));
  return json;
}

Eigen::MatrixXd eigenvalue_table(const ModesResult& result) {
  Eigen::MatrixXd values(static_cast<Eigen::Index>(result.modes.size()), 4);
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    const Eigenmode& mode = result.modes[static_cast<std::size_t>(k)];
    values.row(k) << mode.eigenvalue.real(), mode.eigenvalue.imag(), mode.frequency(), mode.damping();
  }
  return values;
}

Eigen::MatrixXd shape_table(const ModesResult& result, bool imaginary) {
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  Eigen::MatrixXd table(count, count > 0 ? result.modes[0].shape.size() : 0);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(k)].shape;
    table.row(k) = imaginary ? Eigen::VectorXd(shape.imag()) : Eigen::VectorXd(shape.real());
  }
  return table;
}

void write_hdf5(const ModesResult& result, const Model& model, const Json& json, const fs::path& path) {
  const Linearization& linear = result.linear;
  Hdf5File file(path);
  file.write("description", json_text(json));
  file.write("model", model.text);
  file.write("states", fmt::format("{}", fmt::join(linear.states, ", ")));
  file.write("inputs", fmt::format("{}", fmt::join(linear.inputs, ", ")));
  file.write("outputs", fmt::format("{}", fmt::join(linear.outputs, ", ")));
  file.write("coordinates", fmt::format("{}", fmt::join(entry_names(result.prepared.system->equations()), ", ")));
  for (const auto& [name, matrix] : {std::pair{"A", &linear.A}, {"B", &linear.B}, {"C", &linear.C}, {"D", &linear.D}})
    if (matrix->size() > 0) write_matrix(file, name, *matrix);
  if (!result.modes.empty()) {
    write_matrix(file, "modes", eigenvalue_table(result));
    write_matrix(file, "shapes_real", shape_table(result, false));
    write_matrix(file, "shapes_imaginary", shape_table(result, true));
  }
  file.close();
}

}  // namespace

Json to_json(const ModesResult& result, const Model& model) {
  Json modes = Json::array();
  for (std::size_t k = 0; k < result.modes.size(); ++k) modes.push_back(mode_json(result, k));
  Json json = {{"status", "finished"},
               {"model", model.name},
               {"equilibrium", result.equilibrium.has_value()},
               {"state", to_json(store(result.state, result.prepared.system->equations()))},
               {"notes", result.notes},
               {"warnings", result.warnings},
               {"modes", modes},
               {"states", result.linear.states},
               {"inputs", result.linear.inputs},
               {"outputs", result.linear.outputs},
               {"A", matrix_json(result.linear.A)},
               {"B", matrix_json(result.linear.B)},
               {"C", matrix_json(result.linear.C)},
               {"D", matrix_json(result.linear.D)}};
  if (!result.parameters.empty()) json["sensitivity_by"] = "exact derivatives of the equations";
  return json;
}

void write_files(const ModesResult& result, const Model& model, const fs::path& folder) {
  const Linearization& linear = result.linear;
  write_table(folder / "A.csv", linear.states, linear.A, linear.states);
  write_table(folder / "B.csv", linear.inputs, linear.B, linear.states);
  write_table(folder / "C.csv", linear.states, linear.C, linear.outputs);
  write_table(folder / "D.csv", linear.inputs, linear.D, linear.outputs);
  write_table(folder / "modes.csv", {"real [1/s]", "imaginary [rad/s]", "frequency [rad/s]", "damping ratio"},
              eigenvalue_table(result));
  const Json json = to_json(result, model);
  write_text(folder / "modes.json", json_text(json) + "\n");
  write_hdf5(result, model, json, folder / "results.h5");
}

}  // namespace armature::internal
