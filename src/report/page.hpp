// report.html: a page that the viewer was bundled into, with one document inside. It needs nothing else, no network either.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace armature::internal {

// Of one run (document.hpp); of many motions (study_document.hpp); of vibrations (modes_document.hpp); of `armature view` (live/).
enum class Page { report, study, modes, view };

// The page without a document; empty where the program was built without Node.
std::string_view embedded_page(Page page = Page::report);
// Whether the page of a run carries the kernel that computes in it; not where the program was built without clang and lld.
bool page_computes();

// The page with a document inside.
std::string page_text(const nlohmann::ordered_json& document, Page page);

// Throws RecordError.
void write_page(const std::filesystem::path& file, const nlohmann::ordered_json& document, Page page = Page::report);

}  // namespace armature::internal
