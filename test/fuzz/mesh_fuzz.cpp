// Any bytes as an STL file: whole triangles of finite numbers, or a sentence.
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "fuzz/fuzz.hpp"
#include "model/stl.hpp"
#include "temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armature::internal;
  static const TemporaryFolder folder;
  std::ofstream(folder / "m.stl", std::ios::binary) << text_of(data, size);
  try {
    const std::vector<float> corners = read_stl(folder / "m.stl", 1e-3);
    require(!corners.empty() && corners.size() % 9 == 0, "a mesh without whole triangles");
    for (const float x : corners) require(std::isfinite(x), "a corner that is no number");
  } catch (const std::runtime_error& error) {
    require(*error.what() != 0, "a mesh is refused without a sentence");
  }
  return 0;
}
