// report.html beside results. It is an extra: what goes wrong with it must not cost them.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "report/page.hpp"

namespace armature::internal::cli {

// Writes folder/report.html. False: it was left out, which was said unless `quiet`.
bool write_report(const std::filesystem::path& folder, Page page, bool quiet,
                  const std::function<nlohmann::ordered_json()>& document);

nlohmann::ordered_json number_or_null(double x);  // null: not finite

}  // namespace armature::internal::cli
