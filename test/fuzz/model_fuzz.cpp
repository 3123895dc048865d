// Any text as a model file: it is read, or refused with a ModelError that names a place.
#include "fuzz/fuzz.hpp"
#include "read/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armature::internal;
  if (size > 20000) return 0;
  try {
    read_model_text(text_of(data, size), "m.yaml");
  } catch (const ModelError& error) {
    require(!error.diagnostics().empty(), "a model is refused without a sentence");
    require(std::string(error.what()).starts_with("m.yaml"), "a sentence without its file");
  }
  return 0;
}
