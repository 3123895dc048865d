#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace armature::internal {
namespace {

std::string sentence(const std::string& file, const Diagnostic& d, const UsedFiles& used) {
  const UsedFile* other = file_of(d.where, used);
  const std::string said = d.message + (other ? use_in_words(file, *other) : "");
  const std::string place = place_in_words(file, d.where, used);
  return d.key.empty() ? fmt::format("{}: {}", place, said) : fmt::format("{}: {}: {}", place, d.key, said);
}

std::string sentences(const std::string& file, const std::vector<Diagnostic>& diagnostics, const UsedFiles& used) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += sentence(file, diagnostic, used);
  }
  return text;
}

// A file that is used several times has its mistakes once.
bool is_said(const Diagnostic& d, const std::vector<Diagnostic>& said, const UsedFiles& used) {
  const UsedFile* own = file_of(d.where, used);
  return own && std::ranges::any_of(said, [&](const Diagnostic& other) {
           const UsedFile* file = file_of(other.where, used);
           return file && file->file == own->file && other.where.line == d.where.line &&
                  other.where.column == d.where.column && other.message == d.message;
         });
}

std::vector<Diagnostic> in_words_of_files(std::vector<Diagnostic> diagnostics, const UsedFiles& used) {
  std::vector<Diagnostic> said;
  for (Diagnostic& d : diagnostics) {
    if (const UsedFile* other = file_of(d.where, used))
      d.key = in_words_of(*other, d.key), d.message = in_words_of(*other, d.message);
    if (!is_said(d, said, used)) said.push_back(std::move(d));
  }
  return said;
}

}  // namespace

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

ModelError::ModelError(const std::string& file, std::vector<Diagnostic> diagnostics, UsedFiles used)
    : std::runtime_error(sentences(file, in_words_of_files(diagnostics, used), used)),
      file_(file),
      diagnostics_(in_words_of_files(std::move(diagnostics), used)),
      used_(std::move(used)) {}

ModelError::ModelError(const Model& model, std::vector<Diagnostic> diagnostics)
    : ModelError(model.file, std::move(diagnostics), model.used_files) {}

std::string ModelError::file_of(const Diagnostic& diagnostic) const {
  return place_in_words(file_, {0, 0, diagnostic.where.file}, used_);
}

std::string ModelError::message_of(const Diagnostic& diagnostic) const {
  const UsedFile* other = internal::file_of(diagnostic.where, used_);
  return diagnostic.message + (other ? use_in_words(file_, *other) : "");
}

int ModelError::own_line_of(const Diagnostic& diagnostic) const {
  const UsedFile* other = internal::file_of(diagnostic.where, used_);
  return other ? other->line : diagnostic.where.line;
}

ModelError ModelError::about(const std::string& file) const { return {file, diagnostics_, used_}; }

}  // namespace armature::internal
