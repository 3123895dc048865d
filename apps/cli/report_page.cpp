#include "report_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace armature::internal::cli {

namespace fs = std::filesystem;

bool write_report(const fs::path& folder, Page page, bool silent,
                  const std::function<nlohmann::ordered_json()>& document) {
  if (embedded_page(page).empty()) {
    if (!silent)
      print_note("report.html was not written: this program was built without Node, or without its packages");
    return false;
  }
  const fs::path file = folder / "report.html";
  try {
    write_page(file, document(), page);
    return true;
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(file, ignored);
    print_warning(fmt::format("report.html was not written: {}", error.what()));
    return false;
  }
}

}  // namespace armature::internal::cli
