#include "gpu_check/models.hpp"

#include <fstream>
#include <iterator>

namespace armature::internal::gpu_check {

Model read_shipped(const std::filesystem::path& models, const std::string& name, const Settings& settings,
                   const std::string& more) {
  const std::string file = (models / (name + ".yaml")).string();
  if (more.empty()) return read_model(file, settings);
  std::ifstream in(file);
  return read_model_text(std::string{std::istreambuf_iterator<char>(in), {}} + more, file, settings);
}

}  // namespace armature::internal::gpu_check
