// A page of Markdown whose sections are written by different commands: docs/benchmarks.md, by `./go bench` and `./go gpu`. Each of them keeps
// what the other has written.
#pragma once

#include <algorithm>
#include <string>

struct PageSection {
  std::size_t begin, end;  // of its text, from its title on
};

// Where a section is; an empty place at the end where there is none. title: "On a GPU".
inline PageSection find_section(const std::string& page, const std::string& title) {
  const std::string heading = "## " + title + "\n";
  std::size_t begin = page.starts_with(heading) ? 0 : page.find("\n" + heading);
  if (begin == page.npos) return {page.size(), page.size()};
  if (begin > 0) ++begin;
  const std::size_t next = page.find("\n## ", begin + 1);
  return {begin, next == page.npos ? page.size() : next + 1};
}

inline std::string section_of(const std::string& page, const std::string& title) {
  const PageSection found = find_section(page, title);
  return page.substr(found.begin, found.end - found.begin);
}

// The page with that section in the place of the one that it had, or at its end. text: without its title.
inline std::string with_section(const std::string& page, const std::string& title, const std::string& text) {
  const PageSection found = find_section(page, title);
  const std::string gap = found.begin == page.size() && !page.empty() ? "\n" : "",
                    end = found.end < page.size() ? "\n" : "";
  return page.substr(0, found.begin) + gap + "## " + title + "\n\n" + text + end + page.substr(found.end);
}
