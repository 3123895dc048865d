#include "study/job_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "record/json_text.hpp"

namespace armature::internal {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_told = 3;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return fmt::format("'{}'", value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return json_text(value, -1);
  std::vector<std::string> parts;
  for (const Json& part : value) parts.push_back(text_of(part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool is_nothing(const Json& value) {
  return value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty()) ||
         (value.is_array() && value.empty());
}

class Difference {
 public:
  std::vector<std::string> told;

  void compare(const Json& before, const Json& now) {
    plain("version of armature", member(before, "armature"), member(now, "armature"));
    plain("verb", member(before, "verb"), member(now, "verb"));
    model(member(before, "model"), member(now, "model"));
    members("--set ", member(before, "settings"), member(now, "settings"));
    for (const std::string& key : keys(before, now))
      if (key != "armature" && key != "verb" && key != "model" && key != "settings" && key != "options")
        option(key, member(before, key), member(now, key));
    members("--", without_atol(member(before, "options")), without_atol(member(now, "options")));
    // absolute tolerances follow from the relative one, as a rule
    if (told.empty() && before != now) told.emplace_back("--atol differs");
  }

  void compare_lines(const std::string& before, const std::string& now) {
    const auto a = lines(before), b = lines(now);
    for (std::size_t k = 0; k < std::max(a.size(), b.size()) && told.empty(); ++k)
      plain(fmt::format("line {}", k + 1), k < a.size() ? Json(a[k]) : Json(), k < b.size() ? Json(b[k]) : Json());
  }

 private:
  static Json member(const Json& json, const std::string& key) {
    return json.is_object() && json.contains(key) ? json[key] : Json();
  }

  static Json without_atol(Json options) {
    if (options.is_object()) options.erase("atol");
    return options;
  }

  static std::vector<std::string> keys(const Json& a, const Json& b) {
    std::vector<std::string> list;
    for (const Json* json : {&a, &b})
      if (json->is_object())
        for (const auto& [key, value] : json->items())
          if (std::ranges::find(list, key) == list.end()) list.push_back(key);
    return list;
  }

  void plain(const std::string& name, const Json& before, const Json& now) {
    if (before == now) return;
    told.push_back(fmt::format("{} {}, {}", name, is_nothing(before) ? "was not given" : "was " + text_of(before),
                               is_nothing(now) ? "is not given" : "is " + text_of(now)));
  }

  void members(const std::string& prefix, const Json& before, const Json& now) {
    for (const std::string& key : keys(before, now)) plain(prefix + key, member(before, key), member(now, key));
  }

  void model(const Json& before, const Json& now) {
    if (before == now) return;
    Difference line;
    if (before.is_string() && now.is_string()) line.compare_lines(before.get<std::string>(), now.get<std::string>());
    told.push_back(line.told.empty() ? "the model file differs" : "in the model file " + line.told.front());
  }

  // Ranges are told apart by the name of what is varied; tables and points of a list only by a mark.
  void option(const std::string& key, const Json& before, const Json& now) {
    if (before == now) return;
    const std::string name = "--" + [&] {
      std::string words = key;
      std::ranges::replace(words, '_', '-');
      return words;
    }();
    if (key == "tables") {
      for (const std::string& table : keys(before, now))
        if (member(before, table) != member(now, table))
          told.push_back(fmt::format("the numbers of table '{}' differ", table));
    } else if (key == "points") {
      if (told.empty()) told.emplace_back("the points differ");
    } else if (key == "over" && names(before) != names(now)) {
      plain(name, names(before), names(now));
    } else if (key == "over" && !names(before).empty()) {
      for (std::size_t k = 0; k < before.size(); ++k)
        members(fmt::format("{} {}: ", name, names(now)[k].get<std::string>()), before[k], now[k]);
    } else {
      plain(name, before, now);
    }
  }

  static Json names(const Json& over) {
    Json list = Json::array();
    if (over.is_array())
      for (const Json& axis : over)
        if (axis.is_object()) list.push_back(member(axis, "name"));
    return list;
  }
};

}  // namespace

std::string job_difference(const std::string& before, const std::string& now) {
  Difference difference;
  const Json a = parse_json(before), b = parse_json(now);
  if (a.is_object() && b.is_object())
    difference.compare(a, b);
  else
    difference.compare_lines(before, now);
  auto& told = difference.told;
  const std::size_t more = told.size() > most_told ? told.size() - most_told : 0;
  told.resize(told.size() - more);
  return fmt::format("{}{}", fmt::join(told, "; "), more ? fmt::format("; and {} more", more) : "");
}

}  // namespace armature::internal
