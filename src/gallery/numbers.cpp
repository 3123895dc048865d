#include "gallery/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/record_error.hpp"
#include "record/trajectory.hpp"

namespace armature::internal::gallery {
namespace {

namespace fs = std::filesystem;

// A number, the length of a list, 1 or 0 of a truth, at a path like grids/0/E1/8/18.
double at_path(const Json& said, const std::string& path) {
  const Json* node = nullptr;
  try {
    node = &said.at(Json::json_pointer("/" + path));
  } catch (const Json::exception&) {
    throw NumberError(fmt::format("the result has nothing at '{}'", path));
  }
  if (node->is_number()) return node->get<double>();
  if (node->is_boolean()) return node->get<bool>() ? 1 : 0;
  if (node->is_array()) return static_cast<double>(node->size());
  throw NumberError(fmt::format("there is no number at '{}' of the result", path));
}

std::vector<double> event_times(const Json& said, const std::string& text, double until) {
  std::vector<double> times;
  if (!said.contains("events")) throw NumberError("the result has no events");
  for (const Json& event : said["events"])
    if (event.at("what").get<std::string>().find(text) != std::string::npos && event.at("t").get<double>() <= until)
      times.push_back(event.at("t"));
  return times;
}

double event_time(const Number& number, const Json& said) {
  const std::vector<double> times = event_times(said, number.text, number.until);
  const auto place = static_cast<std::size_t>(number.nth - 1);
  if (place >= times.size())
    throw NumberError(fmt::format("'{}' happened {} times, not {}", number.text, times.size(), number.nth));
  return times[place];
}

std::vector<double> column(const fs::path& folder, const std::string& name) {
  const fs::path file = folder / "trajectory.csv";
  const std::vector<Channel> channels = read_channels(file);
  const auto found = std::ranges::find(channels, name, &Channel::name);
  if (found == channels.end()) throw NumberError(fmt::format("there is no channel '{}'", name));
  return read_columns(file, {static_cast<int>(found - channels.begin())}).front();
}

double largest_difference(const Number& number, const fs::path& a, const fs::path& b) {
  double largest = 0;
  const std::vector<double> t = column(a, "t");
  if (t != column(b, "t")) throw NumberError("the two runs are recorded at different times");
  for (const std::string& channel : number.channels) {
    const std::vector<double> one = column(a, channel), other = column(b, channel);
    for (std::size_t row = 0; row < one.size(); ++row) {
      if (t[row] < number.from || t[row] > number.until) continue;
      const double difference = std::abs(one[row] - other[row]);
      if (!(difference <= largest)) largest = difference;  // NaN wins
    }
  }
  return largest;
}

// The largest value of sign times a channel, times sign.
double extreme(const Number& number, const fs::path& folder, double sign) {
  const std::vector<double> t = column(folder, "t"), values = column(folder, number.text);
  double found = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < t.size(); ++row)
    if (t[row] >= number.from && t[row] <= number.until && !(sign * values[row] <= sign * found)) found = values[row];
  return found;
}

}  // namespace

const ExperimentResult& result_of(const Entry& entry, const std::string& experiment, const ExperimentResults& results) {
  const auto found = results.find(entry.name + "/" + experiment);
  if (found == results.end()) throw NumberError(fmt::format("{} was not run", experiment));
  if (!found->second.problem.empty()) throw NumberError(fmt::format("{}: {}", experiment, found->second.problem));
  return found->second;
}

double value_of(const Entry& entry, const Item& item, std::size_t k, const ExperimentResults& results) {
  const Number& number = item.numbers[k];
  const ExperimentResult& result = result_of(entry, number.of, results);
  try {
    switch (number.kind) {
      case Number::Kind::formula: return at_path(result.said, "numbers/" + result_name(item, k));
      case Number::Kind::value: return at_path(result.said, number.text);
      case Number::Kind::event: return event_time(number, result.said);
      case Number::Kind::count: return static_cast<double>(event_times(result.said, number.text, number.until).size());
      case Number::Kind::largest: return extreme(number, result.folder, 1);
      case Number::Kind::smallest: return extreme(number, result.folder, -1);
      case Number::Kind::difference:
        return largest_difference(number, result.folder, result_of(entry, number.other, results).folder);
    }
  } catch (const RecordError& error) {
    throw NumberError(error.what());
  } catch (const Json::exception&) {
    throw NumberError("the result is not what this number is read from");
  }
  return 0;
}

}  // namespace armature::internal::gallery
