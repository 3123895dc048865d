#include "fmi/binary/component.hpp"

#include <cstdlib>
#include <string_view>

namespace armature::internal {

namespace {

// "%20" is a space.
std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool is_code = text[k] == '%' && k + 2 < text.size() &&
                         std::isxdigit(static_cast<unsigned char>(text[k + 1])) &&
                         std::isxdigit(static_cast<unsigned char>(text[k + 2]));
    result +=
        is_code ? static_cast<char>(std::strtol(std::string(text.substr(k + 1, 2)).c_str(), nullptr, 16)) : text[k];
    if (is_code) k += 2;
  }
  return result;
}

}  // namespace

std::filesystem::path resource_folder(const char* location) {
  std::string_view text = location ? location : "";
  constexpr std::string_view scheme = "file:";
  if (!text.starts_with(scheme)) return std::string(text);
  text.remove_prefix(scheme.size());
  if (text.starts_with("//")) text.remove_prefix(2);  // file://host/path: the host is left out
  if (!text.starts_with('/') && text.find('/') != text.npos) text.remove_prefix(text.find('/'));
  return decoded(text);
}

void require(std::initializer_list<FmuArgument> arguments) {
  for (const FmuArgument& argument : arguments)
    if (!argument.pointer && argument.count > 0) throw std::runtime_error(std::string(argument.name) + " is NULL");
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t k = 0; texts && k < count; ++k)
    if (texts[k]) list.emplace_back(texts[k]);
  return list;
}

FmuComponent* make_component(const char* name, const char* token, const char* resources,
                             const FmuInstance::Options& options, bool logging, const FmuInstance::Log& log) {
  const OwnArithmetic own;
  try {
    auto component = std::make_unique<FmuComponent>();
    component->name = name ? name : "";
    if (component->name.empty()) throw std::runtime_error("the instance has no name");
    component->instance = std::make_unique<FmuInstance>(resource_folder(resources), token ? token : "", options, log);
    component->instance->set_logging(logging, {});
    return component.release();
  } catch (const std::exception& error) {
    if (log) log(FmuStatus::error, "logStatusError", error.what());
    return nullptr;
  }
}

}  // namespace armature::internal
