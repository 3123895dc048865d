// Any bytes as what an interrupted study has left (`--resume`): the journal of its cells and the text of its job. Cells are
// found whole or not at all, and what is appended afterwards is found again. The first byte says which of the files it is.
#include <cstring>
#include <fstream>

#include "fuzz/fuzz.hpp"
#include "record/record_error.hpp"
#include "study/cell_store.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace armature::internal;
namespace fs = std::filesystem;

constexpr int width = 2;
const std::string job = "{\"verb\": \"map\", \"over\": [\"length=1:2:3\"]}";

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

std::string header() {
  std::string bytes = "ARMCELLS";
  const std::uint64_t print = fingerprint(job.data(), job.size());
  return bytes.append(reinterpret_cast<const char*>(&print), sizeof print);
}

// A record of cell 1 that is whole, so that what follows it is read as well.
std::string record() {
  const double values[width] = {0.5, 2};
  std::uint64_t words[width + 2] = {1};
  std::memcpy(words + 1, values, sizeof values);
  words[width + 1] = fingerprint(words, (width + 1) * sizeof(std::uint64_t));
  return {reinterpret_cast<const char*>(words), sizeof words};
}

long cells_in(const fs::path& folder, CellTable& table) {
  CellStore store(folder, job, width, Team{});
  return store.fill(table, 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const TemporaryFolder temporary;
  const fs::path folder = temporary / "z.partial";
  fs::remove_all(folder);
  fs::create_directory(folder);
  const std::string bytes = text_of(data + 1, size - 1);
  const int kind = data[0] % 4;
  write(folder / "job", kind == 3 ? bytes : job);
  write(folder / "journal.0", kind == 0 ? bytes : kind == 1 ? header() + bytes : header() + record() + bytes);
  try {
    const double values[width] = {7, 8};
    long before = 0;
    {
      CellStore store(folder, job, width, Team{});
      before = store.restored();
      require(kind != 2 || before >= 1, "a whole record is lost");
      store.append(2, values);
    }
    CellTable table(4, width);
    cells_in(folder, table);
    require(table.done[2] && table.row(2)[0] == 7 && table.row(2)[1] == 8, "a cell that was appended is lost");
    require(kind != 2 || table.done[1], "a cell that was there is lost");
  } catch (const RecordError& error) {
    require(kind == 3, "a journal of the same job is refused");
    require(*error.what() != 0, "a job is refused without a sentence");
  }
  return 0;
}
