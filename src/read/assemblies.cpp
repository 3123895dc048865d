#include "read/assemblies.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "expression/units.hpp"
#include "model/file_kind.hpp"
#include "model/for_loop.hpp"
#include "model/limits.hpp"
#include "model/map_reader.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

// Sections whose entries have names, and `start`, whose maps are of names.
constexpr const char* named_sections[] = {"parameters", "inputs", "states",      "tables", "define", "bodies",
                                          "points",     "joints", "constraints", "forces", "drives", "controllers"};
// Those whose entries are values of formulas.
constexpr const char* value_sections[] = {"parameters", "inputs", "define"};
// Keys of an assembly that belong to the machine it is part of: a whole model may serve as one.
constexpr const char* ignored_sections[] = {"armature", "name", "gravity", "plane", "simulate", "record", "inverse"};
// Keys that hold words or files, no names of the model.
constexpr const char* word_keys[] = {"type", "frame",   "interpolation", "outside", "file",
                                     "mesh", "columns", "unit",          "cut",     "solid"};

template <class List>
bool is_among(const List& list, const std::string& word) {
  return std::ranges::find(list, word) != std::end(list);
}

bool is_section(const std::string& key) {
  return is_among(named_sections, key) || is_among(ignored_sections, key) || key == "start";
}

// Whether the text is a map in braces, or a line of it begins with the name of a section.
bool names_a_section(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] == '{') return first != std::string::npos;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(" \"'"), line.size());
    if (is_section(line.substr(begin, line.find_first_of(":\"' \r", begin) - begin))) return true;
  }
  return false;
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Names of one use, in keys and texts.
class Renaming {
 public:
  Renaming(const YamlNode& assembly, const std::string& use, const std::string& on)
      : prefix_(use + "_"), ground_(on.empty() ? "ground" : on) {
    for (const char* section : named_sections)
      if (const YamlNode* map = assembly.find(section))
        for (const YamlEntry& entry : map->entries) {
          take(entry.key, section == std::string("points") && !on.empty());
          if (is_among(value_sections, section)) values_.insert(entry.key);
          if (section == std::string("controllers")) controllers_.insert(entry.key);
        }
  }

  std::string key(const std::string& name) const { return prefix_ + with_renamed_braces(name); }

  // What a loop runs over: formulas, or words of which names are made, as whose parts they stay as they are.
  std::string loop(const std::string& text) const {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) return renamed_text(text, &Renaming::renamed_value);
    return loop(text.substr(0, dots)) + ".." + loop(text.substr(dots + 2));
  }

  // A formula, a place or a name: every name in it that is the assembly's own.
  std::string text(const std::string& text) const { return renamed_text(text, &Renaming::renamed); }

 private:
  using Rename = std::string (Renaming::*)(const std::string& name) const;

  std::string renamed_text(const std::string& text, Rename rename) const {
    std::string out, owner;
    for (std::size_t at = 0; at < text.size();) {
      if (std::isdigit(static_cast<unsigned char>(text[at]))) {
        at = copy_number(text, at, out);
      } else if (begins_name(text[at])) {
        const std::size_t end = end_of_name(text, at);
        const std::string name = text.substr(at, end - at);
        const bool is_part = at > 0 && text[at - 1] == '.' && !is_of_names(owner);  // a point or a component
        out += is_part ? name : (this->*rename)(name);
        owner = name;
        at = end;
      } else {
        out += text[at++];
      }
    }
    return out;
  }

  // What such a name gives is of another one: lambda.loop, work.motor, and of a controller the signal of each coordinate.
  bool is_of_names(const std::string& owner) const {
    return is_among(std::initializer_list<const char*>{"lambda", "work", "heat"}, owner) ||
           controllers_.contains(owner);
  }

  // crank{i} stands for crank1, crank2, … and crank{i+1}.
  void take(const std::string& key, bool on_body) {
    const std::size_t brace = key.find('{');
    (brace == std::string::npos ? (on_body ? points_ : names_) : (on_body ? point_stems_ : stems_))
        .insert(key.substr(0, brace));
  }

  static bool has_stem(const std::set<std::string>& stems, const std::string& name) {
    return std::ranges::any_of(stems, [&](const std::string& stem) {
      return name.size() > stem.size() && name.starts_with(stem) &&
             (name[stem.size()] == '{' || std::isdigit(static_cast<unsigned char>(name[stem.size()])));
    });
  }

  std::string renamed(const std::string& name) const {
    if (name == "ground") return ground_;
    const std::string own = with_renamed_braces(name);
    if (is_known(points_, point_stems_, name)) return ground_ + "." + prefix_ + own;
    return is_known(names_, stems_, name) ? prefix_ + own : own;
  }

  std::string renamed_value(const std::string& name) const { return values_.contains(name) ? prefix_ + name : name; }

  // crank{i} may also stand for crank1 and crank2, each with an entry of its own.
  static bool is_known(const std::set<std::string>& names, const std::set<std::string>& stems,
                       const std::string& name) {
    if (names.contains(name) || has_stem(stems, name)) return true;
    const std::size_t brace = name.find('{');
    if (brace == std::string::npos) return false;
    const std::string stem = name.substr(0, brace);
    const auto first = names.upper_bound(stem);
    return !stem.empty() && first != names.end() && first->starts_with(stem);
  }

  // crank{i+n}: n may be a parameter.
  std::string with_renamed_braces(const std::string& name) const {
    std::string out;
    std::size_t at = 0;
    for (std::size_t open; (open = name.find('{', at)) != std::string::npos;) {
      const std::size_t close = std::min(name.find('}', open), name.size());
      out += name.substr(at, open + 1 - at) + loop(name.substr(open + 1, close - open - 1));
      at = close;
    }
    return out + name.substr(at);
  }

  // With the parts {…} of a name in a loop.
  static std::size_t end_of_name(const std::string& text, std::size_t at) {
    while (at < text.size() && (continues_name(text[at]) || text[at] == '{'))
      at = text[at] == '{' ? std::min(text.find('}', at), text.size() - 1) + 1 : at + 1;
    return at;
  }

  // A number with its unit: 2 kg*m^2. A unit extends over * and / as long as the next word is a unit too.
  static std::size_t copy_number(const std::string& text, std::size_t at, std::string& out) {
    const std::size_t begin = at;
    while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.')) ++at;
    if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E') &&
        (std::isdigit(static_cast<unsigned char>(text[at + 1])) || text[at + 1] == '-' || text[at + 1] == '+')) {
      at += 2;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
    }
    std::size_t unit = text.find_first_not_of(' ', at);
    while (unit < text.size() && begins_name(text[unit])) {
      std::size_t end = unit;
      while (end < text.size() && continues_name(text[end])) ++end;
      if (!find_unit(text.substr(unit, end - unit))) break;
      while (end < text.size() && (text[end] == '^' || std::isdigit(static_cast<unsigned char>(text[end])))) ++end;
      at = end;
      if (at >= text.size() || (text[at] != '*' && text[at] != '/')) break;
      unit = at + 1;
    }
    out += text.substr(begin, at - begin);
    return at;
  }

  std::string prefix_, ground_;
  std::set<std::string> names_, stems_, points_, point_stems_, values_, controllers_;
};

bool is_axis_letter(const std::string& text) {
  return is_among(std::initializer_list<const char*>{"x", "y", "z", "-x", "-y", "-z"}, text);
}

void rename_loop(YamlNode& node, const Renaming& renaming) {
  if (node.is_text()) node.text = renaming.loop(node.text);
  for (YamlNode& item : node.items) rename_loop(item, renaming);
  for (YamlEntry& entry : node.entries) rename_loop(entry.value, renaming);
}

void rename_texts(YamlNode& node, const Renaming& renaming, bool is_axis = false) {
  if (node.is_text() && !(is_axis && is_axis_letter(node.text))) node.text = renaming.text(node.text);
  for (YamlNode& item : node.items) rename_texts(item, renaming, is_axis);
  for (YamlEntry& entry : node.entries)
    if (entry.key == "for")
      rename_loop(entry.value, renaming);
    else if (!is_among(word_keys, entry.key))
      rename_texts(entry.value, renaming,
                   entry.key == "axis" || entry.key == "axes" || entry.key == "normal" || entry.key == "across");
}

YamlNode& section_of(YamlNode& map, const std::string& key, Location where) {
  if (YamlNode* known = map.find(key)) return *known;
  map.entries.push_back({key, where, {}});
  map.entries.back().value.kind = YamlNode::Kind::map;
  map.entries.back().value.where = where;
  return map.entries.back().value;
}

class Use {
 public:
  Use(const YamlEntry& entry, YamlNode& root, Reading& reading)
      : name_(entry.key),
        where_(entry.where),
        map_(entry.value, keys_of("use"), dotted("use", entry.key), reading),
        root_(root),
        reading_(reading) {}

  void expand() {
    if (!reading_.check_word(name_, where_, dotted("use", name_))) return;
    std::optional<YamlNode> assembly = read_assembly();
    const std::string on = map_.text("on").value_or("");
    if (!assembly || (!on.empty() && !find_body(on))) return;
    set_parameters(*assembly);
    const Renaming renaming(*assembly, name_, on);
    for (const char* section : named_sections)
      if (YamlNode* map = assembly->find(section)) add_entries(section, *map, renaming, on);
    if (YamlNode* start = assembly->find("start")) add_start(*start, section_of(root_, "start", where_), renaming);
  }

 private:
  void report(const std::string& key, const std::string& message) {
    const YamlNode* node = map_.find(key);
    reading_.diagnostics.add(node ? node->where : where_, map_.path(key), message);
  }

  std::optional<YamlNode> read_assembly() {
    if (map_.has("assembly") == map_.has("file")) {
      report("assembly", "name an assembly of this file, or a file");
      return std::nullopt;
    }
    std::optional<YamlNode> assembly = map_.has("file") ? from_file() : from_section();
    if (!assembly) return std::nullopt;
    return has_only_sections(*assembly) ? assembly : std::nullopt;
  }

  bool has_only_sections(const YamlNode& assembly) {
    const char* key = map_.has("file") ? "file" : "assembly";
    if (!assembly.is_map()) return report(key, "expected a map of sections such as bodies and joints"), false;
    for (const YamlEntry& entry : assembly.entries) {
      if (is_section(entry.key)) continue;
      const Location where = entry.where.file != 0 ? entry.where : map_.find(key)->where;
      reading_.diagnostics.add(
          where, entry.where.file != 0 ? entry.key : map_.path(key),
          fmt::format("an assembly cannot have '{}'; it has sections such as bodies and joints", entry.key));
      return false;
    }
    return true;
  }

  std::optional<YamlNode> from_section() {
    const std::string wanted = map_.text("assembly").value_or("");
    const YamlNode* all = root_.find("assemblies");
    const YamlNode* found = all ? all->find(wanted) : nullptr;
    if (found)
      return reading_.may_copy(*found, 1, where_, map_.path("assembly")) ? std::optional(*found) : std::nullopt;
    std::vector<std::string> names;
    if (all)
      for (const YamlEntry& entry : all->entries) names.push_back(entry.key);
    report("assembly", fmt::format("there is no assembly '{}'{}", wanted, near_or_all(wanted, names)));
    return std::nullopt;
  }

  std::optional<YamlNode> from_file() {
    const std::string name = map_.text("file").value_or("");
    const auto file = reading_.file_beside(name, map_.find("file")->where, map_.path("file"));
    if (!file) return std::nullopt;
    if (const std::string why = why_no_file(file->string(), "assembly"); !why.empty())
      return report("file", fmt::format("{}: {}", name, why)), std::nullopt;
    const std::string text = read_file(*file).value_or("");
    if (!names_a_section(text))  // a file of another kind, of which messages must not quote a word
      return report("file",
                    fmt::format("{}: is no part of a model: it has no sections such as bodies and joints", name)),
             std::nullopt;
    UsedFiles& files = reading_.model.used_files;
    files.push_back({name, where_.line, name_});
    const YamlNode assembly = parse_yaml(text, reading_.diagnostics, static_cast<int>(files.size()));
    if (assembly.kind == YamlNode::Kind::null) return std::nullopt;  // reported
    return reading_.may_copy(assembly, 1, where_, map_.path("file")) ? std::optional(assembly) : std::nullopt;
  }

  YamlNode* find_body(const std::string& on) {
    YamlNode* bodies = root_.find("bodies");
    YamlNode* body = bodies ? bodies->find(on) : nullptr;
    std::vector<std::string> names;
    if (bodies)
      for (const YamlEntry& entry : bodies->entries) names.push_back(entry.key);
    if (!body) report("on", fmt::format("there is no body '{}'{}", on, near_or_all(on, names)));
    return body;
  }

  void set_parameters(YamlNode& assembly) {
    const YamlNode* with = map_.find("with");
    if (!with) return;
    if (!with->is_map()) return report("with", "expected a map of parameters");
    YamlNode& parameters = section_of(assembly, "parameters", where_);
    for (const YamlEntry& entry : with->entries) {
      std::vector<std::string> names;
      for (const YamlEntry& known : parameters.entries) names.push_back(known.key);
      if (YamlNode* known = parameters.find(entry.key)) {
        *known = entry.value;
        outer_.insert(entry.key);
      } else {
        reading_.diagnostics.add(entry.where, dotted(map_.path("with"), entry.key),
                                 fmt::format("the assembly has no such parameter{}", near_or_all(entry.key, names)));
      }
    }
  }

  void add_entries(const std::string& section, YamlNode& map, const Renaming& renaming, const std::string& on) {
    const bool on_body = section == "points" && !on.empty();
    YamlNode& target = on_body ? section_of(*find_body(on), "points", where_) : section_of(root_, section, where_);
    for (YamlEntry& entry : map.entries) {
      // a value of `with` is a formula of the machine, not of the assembly
      if (section != "parameters" || !outer_.contains(entry.key)) rename_texts(entry.value, renaming);
      entry.key = renaming.key(entry.key);
      target.entries.push_back(std::move(entry));
    }
  }

  // keep, near and speed are maps of names; speed has a map `near` of its own.
  void add_start(YamlNode& from, YamlNode& to, const Renaming& renaming) {
    for (YamlEntry& entry : from.entries) {
      if (is_among(std::initializer_list<const char*>{"keep", "near", "speed"}, entry.key) && entry.value.is_map()) {
        add_start(entry.value, section_of(to, entry.key, where_), renaming);
        continue;
      }
      rename_texts(entry.value, renaming);
      entry.key = renaming.text(entry.key);
      to.entries.push_back(std::move(entry));
    }
  }

  std::string name_;
  Location where_;
  MapReader map_;
  YamlNode& root_;
  Reading& reading_;
  std::set<std::string> outer_;  // parameters that `with` gives
};

}  // namespace

void expand_assemblies(YamlNode& root, Reading& reading) {
  const YamlNode* use = root.find("use");
  if (!use) return;
  if (!use->is_map()) {
    reading.diagnostics.add(use->where, "use", fmt::format("expected a map of uses, not {}", kind_in_words(*use)));
    return;
  }
  const YamlNode uses = *use;  // the tree changes
  for (const YamlEntry& entry : expanded_entries(uses, "use", reading))
    if (reading.values < limits::made_values) Use(entry, root, reading).expand();
}

}  // namespace armature::internal
