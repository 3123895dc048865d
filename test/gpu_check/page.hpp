// What is measured, as Markdown: printed while it is measured, and kept for a section of a page.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

namespace armature::internal::gpu_check {

class Page {
 public:
  template <class... Values>
  void put(fmt::format_string<Values...> text, Values&&... values) {
    const std::string more = fmt::format(text, std::forward<Values>(values)...);
    section_ += more;
    fmt::print("{}", more);
    std::fflush(stdout);
  }

  // A row of the table of previews, which comes after the others. exact, preview: s; left: motions; off: by how much the numbers differ.
  void add_preview(const std::string& what, double exact, double preview, long left, const std::string& off);
  void put_previews();

  // In place of the section "On a GPU" of a file.
  void write(const std::filesystem::path& file) const;

 private:
  std::string section_, previews_;
};

std::string count_in_words(long number);    // empty: none
std::string outcome_in_words(long differ);  // of a comparison bit by bit

}  // namespace armature::internal::gpu_check
