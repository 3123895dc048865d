// Any text as a robot (URDF, SDFormat, MJCF): its model file is read, or it is refused with a ModelError that names a place. Nothing
// beside it exists.
#include "fuzz/fuzz.hpp"
#include "import/import.hpp"
#include "read/reader.hpp"
#include "temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armature::internal;
  static const TemporaryFolder folder;
  if (size > 50000) return 0;
  const std::string file = (folder / "m.xml").string();
  try {
    const ImportedModel imported = import_robot(text_of(data, size), file);
    try {
      read_model_text(imported.text, file);
    } catch (const ModelError& error) {
      require(!error.diagnostics().empty(), "an imported model is refused without a sentence");
    }
  } catch (const ModelError& error) {
    require(!error.diagnostics().empty(), "a robot is refused without a sentence");
  }
  return 0;
}
