#include "drive/drives.hpp"

#include <memory>

namespace armature::internal {

void add_drives(EquationsBuilder& builder) {
  // the command of one drive may name a signal of another: all are offered before any is added
  auto made = std::make_shared<std::vector<std::pair<std::string, std::unique_ptr<DriveEquations>>>>();
  for (const Drive& drive : builder.model().drives)
    builder.guarded("drives." + drive.name, [&] {
      made->emplace_back(drive.name, drive.kind->equations(builder, drive));
      made->back().second->offer();
    });
  builder.keep_alive(made);
  for (const auto& [name, drive] : *made) builder.guarded("drives." + name, [&drive = drive] { drive->add(); });
}

}  // namespace armature::internal
