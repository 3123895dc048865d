// Any bytes as the CSV file of a table: read and evaluated, or refused with a sentence.
#include <fstream>

#include "fuzz/fuzz.hpp"
#include "read/reader.hpp"
#include "temporary_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armature::internal;
  static const TemporaryFolder folder;
  static const std::string model = (folder / "m.yaml").string();
  const bool spline = size > 0 && data[0] % 2 == 1;
  std::ofstream(folder / "t.csv", std::ios::binary) << text_of(data, size);
  try {
    const Model read =
        read_model_text(std::string("armature: 1\ngravity: [0, 0, 0]\ntables: {f: {file: t.csv, interpolation: ") +
                            (spline ? "spline" : "linear") +
                            "}}\nbodies: {b: {mass: 1, inertia: none}}\njoints: {s: {type: prismatic, axis: x, "
                            "between: [ground, b]}}\n",
                        model);
    const Table& table = *read.tables.at("f");
    require(table.coefficients.size() + 1 == table.knots.size(), "a table with a wrong number of pieces");
    for (const double x : {-1e300, -1.0, 0.0, table.knots.front(), table.knots.back(), 1e300})
      for (int order = 0; order < 3; ++order) table.evaluate(x, order);
  } catch (const ModelError& error) {
    require(!error.diagnostics().empty(), "a table is refused without a sentence");
  }
  return 0;
}
