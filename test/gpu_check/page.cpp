#include "gpu_check/page.hpp"

#include <fstream>
#include <iterator>

#include "../../bench/page_section.hpp"

namespace armature::internal::gpu_check {

void Page::add_preview(const std::string& what, double exact, double preview, long left, const std::string& off) {
  previews_ += fmt::format("| {} | {:.4f} | {:.4f} | {:.1f} | {} | {} |\n", what, exact, preview, exact / preview,
                           count_in_words(left), off);
}

void Page::put_previews() {
  put("\nPreviews, in single precision (`--gpu=preview`). Off: by how much the numbers differ from those of double "
      "precision; of states, at most, "
      "as a share of the largest; of results likewise, the median and the largest; of tuning, medians of the error "
      "E1.\n\n| preview | GPU, s | preview, s | ratio | left | off |\n|---|---|---|---|---|---|\n{}",
      previews_);
}

void Page::write(const std::filesystem::path& file) const {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::ofstream(file) << with_section(text, "On a GPU", section_);
}

std::string count_in_words(long number) { return number == 0 ? "" : std::to_string(number); }

std::string outcome_in_words(long differ) { return differ == 0 ? "the same" : fmt::format("{} DIFFER", differ); }

}  // namespace armature::internal::gpu_check
