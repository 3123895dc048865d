#include "export_fmu.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "fmi/export_fmu.hpp"
#include "inspect/export_c.hpp"
#include "model/file_kind.hpp"
#include "own_file.hpp"
#include "record/json_text.hpp"
#include "record/whole_file.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {

namespace fs = std::filesystem;

int write_fmu(const ModelArguments& model, const std::string& version, const std::string& output) {
  const fs::path file = output.empty() ? fs::path(model.file).stem().string() + ".fmu" : output;
  if (file.extension() != ".fmu")
    throw UsageError(fmt::format("-o {}: expected the name of an FMU, which ends in .fmu", file.string()));
  refuse_to_replace(file, output);
  model.read();  // what is wrong with the file is reported as by every verb
  const FmuExport exported = export_fmu(read_file(model.file).value_or(""), model.file, model.settings(),
                                        version == "2.0" ? FmiVersion::fmi2 : FmiVersion::fmi3,
                                        c_identifier(file.stem()), fmu_binaries(), model.root);
  try {
    WholeFile whole(file);
    whole.write(exported.archive);
    whole.put_in_place();
  } catch (const RecordError& error) {
    throw ComputationError(error.what());
  }
  if (model.json)
    fmt::print("{}\n", json_text({{"status", "finished"},
                                  {"file", file.string()},
                                  {"fmi", version},
                                  {"inputs", exported.inputs},
                                  {"parameters", exported.parameters},
                                  {"outputs", exported.outputs},
                                  {"states", exported.states},
                                  {"event_indicators", exported.indicators}}));
  else
    fmt::print(
        "{}: FMI {}, co-simulation and model exchange; inputs {}, outputs {}, parameters {}, states {}, event "
        "indicators {}\n",
        file.string(), version, exported.inputs, exported.outputs, exported.parameters, exported.states,
        exported.indicators);
  return ok;
}

}  // namespace armature::internal::cli
