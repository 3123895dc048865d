#include "model/used_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace armature::internal {
namespace {

bool continues_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

const UsedFile* file_of(Location where, const UsedFiles& used) {
  const auto number = static_cast<std::size_t>(where.file);
  return number == 0 || number > used.size() ? nullptr : &used[number - 1];
}

std::string place_in_words(const std::string& model_file, Location where, const UsedFiles& used) {
  const UsedFile* other = file_of(where, used);
  const std::string file =
      other ? (std::filesystem::path(model_file).parent_path() / other->file).string() : model_file;
  return where.line > 0 ? fmt::format("{}:{}", file, where.line) : file;
}

std::string line_in_words(Location where, const UsedFiles& used) {
  const UsedFile* other = file_of(where, used);
  return other ? fmt::format("{}:{}", other->file, where.line) : fmt::format("line {}", where.line);
}

std::string in_words_of(const UsedFile& used, const std::string& text) {
  const std::string prefix = used.name + "_";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !continues_name(text[at - 1]);
    if (begins && text.compare(at, prefix.size(), prefix) == 0)
      at += prefix.size();
    else
      out += text[at++];
  }
  return out;
}

std::string use_in_words(const std::string& model_file, const UsedFile& used) {
  return fmt::format(" (used in {} as {})", place_in_words(model_file, {used.line}), used.name);
}

}  // namespace armature::internal
