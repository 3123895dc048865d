#include "couple/trusted.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "couple/sha256.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

// Where this user's programs keep what they remember. A relative folder is ignored, as the XDG base directory specification
// asks: a downloaded folder could bring its own list.
fs::path trusted_list() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  const bool given = state && fs::path(state).is_absolute();
  const fs::path folder = given ? fs::path(state) : fs::path(home ? home : "/") / ".local/state";
  return folder / "armature" / "trusted_fmus";
}

std::set<std::string> trusted() {
  std::ifstream in(trusted_list());
  std::set<std::string> hashes;
  for (std::string line; std::getline(in, line);) hashes.insert(line.substr(0, line.find(' ')));
  return hashes;
}

// What cannot be remembered is asked for again next time.
void remember(const std::string& hash, const std::string& file) {
  std::error_code ignored;
  fs::create_directories(trusted_list().parent_path(), ignored);
  std::ofstream(trusted_list(), std::ios::app) << hash << "  " << fs::absolute(file).string() << '\n';
}

}  // namespace

void require_trust(const std::string& file, const std::vector<FmuArchive>& fmus, bool trust, const std::string& how) {
  const std::set<std::string> known = trusted();
  for (const auto& [use, bytes] : fmus) {
    const std::string hash = sha256(bytes);
    if (known.contains(hash)) continue;
    if (fs::absolute(use.file).string().find('\n') != std::string::npos)  // its name would end a line of the list
      throw RequestError(fmt::format("{}: fmus.{}: the name of the file has a line break; rename it", file, use.name));
    if (!trust)
      throw RequestError(fmt::format(
          "{}: fmus.{}: {} runs code of its own on this computer, with your rights; if you trust where it comes "
          "from, {}, once for each version of the file",
          file, use.name, use.file, how));
    remember(hash, use.file);
  }
}

}  // namespace armature::internal
