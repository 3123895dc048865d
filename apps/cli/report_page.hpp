// report.html beside results. It is an extra: what goes wrong with it must not cost them.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "report/page.hpp"

namespace armature::internal::cli {

// Writes folder/report.html. False: it was left out, which was said unless `silent`.
bool write_report(const std::filesystem::path& folder, Page page, bool silent,
                  const std::function<nlohmann::ordered_json()>& document);

}  // namespace armature::internal::cli
