#include "model/model.hpp"

#include <fmt/format.h>

namespace armature::internal {
namespace {

std::string sentence(const std::string& file, const Diagnostic& d) {
  const std::string place = d.where.line > 0 ? fmt::format("{}:{}", file, d.where.line) : file;
  return d.key.empty() ? fmt::format("{}: {}", place, d.message) : fmt::format("{}: {}: {}", place, d.key, d.message);
}

std::string sentences(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += sentence(file, diagnostic);
  }
  return text;
}

}  // namespace

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

ModelError::ModelError(const std::string& file, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(sentences(file, diagnostics)), file_(file), diagnostics_(std::move(diagnostics)) {}

}  // namespace armature::internal
