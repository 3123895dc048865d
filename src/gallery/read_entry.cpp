#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gallery/entry.hpp"
#include "gallery/fields.hpp"
#include "model/file_kind.hpp"

namespace armature::internal::gallery {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<std::string> names_of(const std::vector<Experiment>& experiments) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments) names.push_back(experiment.name);
  return names;
}

class EntryReader {
 public:
  EntryReader(const std::string& file, Diagnostics& diagnostics) : diagnostics_(diagnostics) { entry_.file = file; }

  Entry read(const YamlNode& root) {
    const Fields fields(root, "", {"name", "title", "source", "about", "experiments", "drifting", "items"},
                        diagnostics_);
    entry_.name = fields.text("name", true);
    entry_.title = fields.text("title", true);
    entry_.source = fields.text("source", true);
    entry_.about = fields.text("about");
    if (const YamlNode* experiments = fields.find("experiments"))
      for (const YamlEntry& each : experiments->entries) read_experiment(each);
    for (const std::string& name : fields.texts("drifting")) mark_drifting(experiment(fields, "drifting", name));
    for (const YamlNode& node : fields.items("items")) read_item(node);
    return std::move(entry_);
  }

 private:
  void read_experiment(const YamlEntry& entry) {
    Experiment experiment;
    experiment.name = entry.key, experiment.where = entry.where;
    try {
      experiment.command = split_words(entry.value.text);
    } catch (const FormulaError& error) {
      diagnostics_.add(entry.where, "experiments." + entry.key, error.what());
    }
    if (experiment.command.size() < 2)
      diagnostics_.add(entry.where, "experiments." + entry.key, "expected a command: VERB FILE …");
    entry_.experiments.push_back(std::move(experiment));
  }

  void mark_drifting(const std::string& name) {
    for (Experiment& each : entry_.experiments)
      if (each.name == name) each.drifts = true;
  }

  // An experiment that exists.
  std::string experiment(const Fields& fields, const std::string& key, const std::string& name) {
    const std::vector<std::string> names = names_of(entry_.experiments);
    if (std::ranges::find(names, name) == names.end())
      fields.complain(key, fmt::format("there is no experiment '{}'{}", name, did_you_mean(name, names)));
    return name;
  }

  void read_item(const YamlNode& node) {
    const std::string path = fmt::format("items[{}]", entry_.items.size() + 1);
    const Fields fields(node, path, {"name", "label", "shows", "states", "note", "numbers", "pictures", "animation"},
                        diagnostics_);
    Item item;
    item.where = node.where;
    item.name = fields.text("name", true);
    item.label = fields.text("label", true);
    item.shows = fields.text("shows", true);
    item.states = fields.text("states");
    item.note = fields.text("note");
    if (fields.has("animation")) item.animation = experiment(fields, "animation", fields.text("animation"));
    for (const Item& other : entry_.items)
      if (other.name == item.name) fields.complain("name", fmt::format("there are two items '{}'", item.name));
    for (const YamlNode& number : fields.items("numbers"))
      item.numbers.push_back(read_number(number, fmt::format("{}.numbers[{}]", path, item.numbers.size() + 1)));
    for (const YamlNode& picture : fields.items("pictures"))
      item.pictures.push_back(read_picture(picture, fmt::format("{}.pictures[{}]", path, item.pictures.size() + 1)));
    entry_.items.push_back(std::move(item));
  }

  Number read_number(const YamlNode& node, const std::string& path) {
    const Fields fields(node, path,
                        {"name", "unit", "of", "formula", "value", "largest", "smallest", "count", "from", "until",
                         "event", "nth", "differs_from", "channels", "expect", "within", "source", "paper", "because"},
                        diagnostics_);
    Number number;
    number.where = node.where;
    number.name = fields.text("name", true);
    number.unit = fields.text("unit");
    number.of = experiment(fields, "of", fields.text("of", true));
    number.because = fields.text("because");
    read_kind(fields, number);
    number.expect = expectation(fields);
    if (const YamlNode* paper = fields.find("paper")) number.paper = claim(*paper, fields.path("paper"));
    if (!number.paper && !number.expect) fields.complain("expect", "neither expect nor paper: nothing would be judged");
    if (!number.paper && !number.because.empty()) fields.complain("because", "explains a paper that says nothing here");
    return number;
  }

  void read_kind(const Fields& fields, Number& number) {
    using Kind = Number::Kind;
    const std::pair<const char*, Kind> kinds[] = {{"formula", Kind::formula},
                                                  {"value", Kind::value},
                                                  {"count", Kind::count},
                                                  {"event", Kind::event},
                                                  {"largest", Kind::largest},
                                                  {"smallest", Kind::smallest},
                                                  {"differs_from", Kind::difference}};
    int given = 0;
    for (const auto& [key, kind] : kinds)
      if (fields.has(key)) number.kind = kind, number.text = fields.text(key), ++given;
    if (given != 1)
      fields.complain("of", "expected one of formula, value, largest, smallest, count, event or differs_from");
    if (number.kind == Kind::difference) number.other = experiment(fields, "differs_from", number.text);
    number.channels = fields.texts("channels");
    number.from = fields.number("from").value_or(-infinite);
    number.until = fields.number("until").value_or(infinite);
    number.nth = static_cast<int>(fields.number("nth").value_or(1));
  }

  // Without `within` the last digit that is written may differ by one.
  std::optional<Expectation> expectation(const Fields& fields) {
    const auto expect = fields.written("expect");
    if (!expect) return {};
    const std::string source = fields.text("source");
    if (source.empty()) fields.complain("source", "an expected number needs its source");
    return Expectation{expect->value, fields.number("within").value_or(expect->last_digit()), expect->digits, source};
  }

  // A number alone stands for itself, as it is rounded.
  Claim claim(const YamlNode& node, const std::string& path) {
    if (const auto number = written_number(node))
      return {number->digits, number->value - 0.5 * number->last_digit(), number->value + 0.5 * number->last_digit()};
    const Fields fields(node, path, {"says", "value", "within", "from", "to"}, diagnostics_);
    Claim claim{fields.text("says", true), -infinite, infinite};
    if (const auto value = fields.written("value")) {
      const double within = fields.number("within").value_or(0.5 * value->last_digit());
      return {claim.says, value->value - within, value->value + within};
    }
    claim.from = fields.number("from").value_or(claim.from);
    claim.to = fields.number("to").value_or(claim.to);
    if (!fields.has("from") && !fields.has("to")) fields.complain("says", "expected value, or from and to");
    return claim;
  }

  Picture read_picture(const YamlNode& node, const std::string& path) {
    using Kind = Picture::Kind;
    const Fields fields(node, path,
                        {"curves", "heat", "classes", "regions", "poses", "channels", "labels", "title", "x", "log",
                         "from", "to", "at", "bend"},
                        diagnostics_);
    Picture picture;
    picture.where = node.where;
    const std::pair<const char*, Kind> kinds[] = {{"curves", Kind::curves},
                                                  {"heat", Kind::heat},
                                                  {"classes", Kind::classes},
                                                  {"regions", Kind::regions},
                                                  {"poses", Kind::poses}};
    for (const auto& [key, kind] : kinds)
      if (fields.has(key)) {
        picture.kind = kind;
        for (const std::string& name : fields.texts(key)) picture.of.push_back(experiment(fields, key, name));
      }
    if (picture.of.empty()) fields.complain("curves", "expected curves, heat, classes, regions or poses");
    picture.channels = fields.texts("channels");
    picture.labels = fields.texts("labels");
    picture.title = fields.text("title");
    if (fields.has("x")) picture.x = fields.text("x");
    picture.logarithmic = fields.flag("log");
    picture.from = fields.number("from"), picture.to = fields.number("to"), picture.bend = fields.number("bend");
    picture.at = fields.numbers("at");
    return picture;
  }

  Diagnostics& diagnostics_;
  Entry entry_;
};

}  // namespace

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\n' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back(), inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  if (quote != 0) throw FormulaError({}, fmt::format("{} is not closed", quote));
  return words;
}

Entry read_entry_text(const std::string& text, const std::string& file) {
  Diagnostics diagnostics(file);
  const YamlNode root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_any();
  Entry entry = EntryReader(file, diagnostics).read(root);
  diagnostics.throw_if_any();
  return entry;
}

Entry read_entry(const std::filesystem::path& file) {
  const std::optional<std::string> text = read_file(file);
  if (!text) throw ModelError(file.string(), {Diagnostic{{}, "", "the file cannot be read"}});
  return read_entry_text(*text, file.string());
}

std::vector<Entry> read_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".yaml") files.push_back(file.path());
  std::ranges::sort(files);
  std::vector<Entry> entries;
  for (const auto& file : files) entries.push_back(read_entry(file));
  return entries;
}

}  // namespace armature::internal::gallery
