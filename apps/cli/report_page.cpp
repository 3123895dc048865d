#include "report_page.hpp"

#include <fmt/format.h>
#include <cmath>

#include <nlohmann/json.hpp>

namespace armature::internal::cli {

namespace fs = std::filesystem;

bool write_report(const fs::path& folder, Page page, bool quiet,
                  const std::function<nlohmann::ordered_json()>& document) {
  if (embedded_page(page).empty()) {
    if (!quiet) fmt::print("report.html is left out: this program was built without Node, or without its packages\n");
    return false;
  }
  const fs::path file = folder / "report.html";
  try {
    write_page(file, document(), page);
    return true;
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(file, ignored);
    fmt::print(stderr, "warning: report.html is left out: {}\n", error.what());
    return false;
  }
}

nlohmann::ordered_json number_or_null(double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nullptr; }

}  // namespace armature::internal::cli
