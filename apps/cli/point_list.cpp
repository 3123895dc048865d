#include "point_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "errors.hpp"
#include "model/counted.hpp"
#include "model/file_kind.hpp"
#include "study/dimensions.hpp"
#include "study_arguments.hpp"

namespace armature::internal::cli {
namespace {

// Without blanks around it, and without quotation marks around that.
std::string field(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  if (first == std::string::npos) return "";
  const std::string inside = text.substr(first, last - first + 1);
  const bool quoted = inside.size() >= 2 && inside.front() == '"' && inside.back() == '"';
  return quoted ? field(inside.substr(1, inside.size() - 2)) : inside;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(field(part));
  return parts;
}

bool is_blank(const std::vector<std::string>& parts) {
  return std::ranges::all_of(parts, [](const std::string& part) { return part.empty(); });
}

// Spreadsheets put a mark of the encoding in front.
std::vector<std::string> read_names(std::istream& in, const std::string& file) {
  std::string line;
  if (!std::getline(in, line)) throw UsageError(fmt::format("--list {}: is empty; expected names, such as l,m", file));
  if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
  std::vector<std::string> names = fields(line);
  while (!names.empty() && names.back().empty()) names.pop_back();
  if (names.size() == 1 && names[0].find(';') != std::string::npos)
    throw UsageError(fmt::format("{}:1: expected commas between the names, not ';'", file));
  if (is_blank(names)) throw UsageError(fmt::format("{}:1: expected names, such as l,m", file));
  return names;
}

}  // namespace

PointList read_points(const std::string& file, const Model& model) {
  if (const std::string why = why_no_file(file, "list of points"); !why.empty())
    throw UsageError(fmt::format("--list {}: {}", file, why));
  std::ifstream in(file);
  if (!in || in.peek() == std::ifstream::traits_type::eof())
    throw UsageError(
        fmt::format("--list {}: {}", file,
                    in.bad() || !in.is_open() ? "cannot be read" : "is empty; expected names in its first line"));
  const std::vector<std::string> names = read_names(in, file);
  Points points{static_cast<int>(names.size()), {}};
  std::string line;
  for (int number = 2; std::getline(in, line); ++number) {
    std::vector<std::string> parts = fields(line);
    if (is_blank(parts)) continue;
    while (parts.size() > names.size() && parts.back().empty()) parts.pop_back();
    if (parts.size() != names.size() || std::ranges::count(parts, "") > 0)
      throw UsageError(fmt::format("{}:{}: has {} for {}", file, number,
                                   counted(static_cast<long>(parts.size()) - std::ranges::count(parts, ""), "value"),
                                   counted(static_cast<long>(names.size()), "name")));
    for (std::size_t k = 0; k < parts.size(); ++k) try {
        points.values.push_back(constant_in(parts[k], model, dimension_of_varied(names[k], model)));
      } catch (const FormulaError& error) {
        throw UsageError(fmt::format("{}:{}: {}: {}", file, number, names[k], error.what()));
      }
  }
  if (points.count() == 0) throw UsageError(fmt::format("--list {}: has no points below its names", file));
  return {names, points};
}

}  // namespace armature::internal::cli
