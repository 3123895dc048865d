#include "import/xml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/model.hpp"

namespace armature::internal {

namespace {

constexpr const char* place_attribute = "@";  // file and line of an element: no name of XML, so that no file has it
constexpr int deepest = 300;                  // elements within elements
constexpr std::size_t most_files = 200;

int line_of_offset(const std::vector<std::size_t>& line_ends, std::ptrdiff_t offset) {
  return 1 + static_cast<int>(
                 std::ranges::lower_bound(line_ends, static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0))) -
                 line_ends.begin());
}

std::vector<std::size_t> line_ends_of(const std::string& text) {
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\n') ends.push_back(k);
  return ends;
}

// False: too deep.
bool mark_places(pugi::xml_node node, std::size_t file, const std::vector<std::size_t>& ends, int depth) {
  if (depth > deepest) return false;
  for (pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    if (!mark_places(child, file, ends, depth + 1)) return false;
    child.prepend_attribute(place_attribute) =  // found first, however many follow

        fmt::format("{} {}", file, line_of_offset(ends, child.offset_debug())).c_str();
  }
  return true;
}

std::string list_length(std::size_t least, std::size_t most) {
  static const char* const words[] = {"no", "a", "two", "three", "four", "five", "six", "seven"};
  const auto word = [](std::size_t n) { return n < std::size(words) ? std::string(words[n]) : fmt::format("{}", n); };
  if (least == most) return word(least) + (least == 1 ? " number" : " numbers");
  return fmt::format("{} to {} numbers", word(std::max<std::size_t>(least, 1)), word(most));
}

}  // namespace

std::string element_in_words(pugi::xml_node node) {
  const std::string name = node.attribute("name").value();
  return name.empty() ? node.name() : fmt::format("{} {}", node.name(), name);
}

XmlTree::XmlTree(const std::string& text, const std::string& file) { load(document_, text, file); }

void XmlTree::load(pugi::xml_document& document, const std::string& text, const std::string& file) {
  files_.push_back(file);
  const std::vector<std::size_t> ends = line_ends_of(text);
  const auto refuse = [&](std::ptrdiff_t offset, const std::string& message) {
    throw ModelError(file, {Diagnostic{{line_of_offset(ends, offset), 0}, "", message}});
  };
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    std::string why = result.description();
    if (!why.empty()) why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
    refuse(result.offset, fmt::format("this is not XML: {}", why));
  }
  if (!document.document_element()) refuse(0, "this is not XML: it has no element");
  if (!mark_places(document, files_.size() - 1, ends, 0))
    refuse(0, fmt::format("elements are nested more than {} deep", deepest));
}

void XmlTree::include_files(const std::string& element, const RobotFiles& files) {
  std::vector<std::string> open{files_.front()};
  include(root(), element, files, open);
}

void XmlTree::include(pugi::xml_node node, const std::string& element, const RobotFiles& files,
                      std::vector<std::string>& open) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    if (child.type() == pugi::node_element && child.name() == element) {
      const std::string name = required_word(child, "file");
      require_new(child, name, open);
      std::string why;
      const std::optional<std::string> text = files.read(name, why);
      if (!text) fail(child, why);
      pugi::xml_document part;
      load(part, *text, name);
      open.push_back(name);
      include(part.document_element(), element, files, open);
      open.pop_back();
      for (pugi::xml_node piece : part.document_element().children()) node.insert_copy_before(piece, child);
      node.remove_child(child);
    } else if (child.type() == pugi::node_element) {
      include(child, element, files, open);
    }
    child = next;
  }
}

// No cycle, and no end of files. `open`: the file itself, then those that are being included.
void XmlTree::require_new(pugi::xml_node node, const std::string& name, const std::vector<std::string>& open) const {
  if (std::ranges::find(open, name) != open.end() ||
      std::filesystem::path(open.front()).filename() == std::filesystem::path(name))
    fail(node, fmt::format("'{}' includes itself", name));
  if (files_.size() >= most_files) fail(node, fmt::format("more than {} files are included", most_files));
}

void XmlTree::include_models(const RobotFiles& files) {
  std::vector<std::string> open{files_.front()};
  include_models(root(), "", files, open);
}

namespace {

std::string trimmed_text(pugi::xml_node node) {
  const std::string text = node.child_value();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Relative names of a file in `folder`, seen from the folder of the robot.
std::string from_robot(const std::string& name, const std::string& folder) {
  const bool relative = name.find("://") == std::string::npos && !std::filesystem::path(name).is_absolute();
  return relative && !folder.empty() ? (std::filesystem::path(folder) / name).lexically_normal().string() : name;
}

// An <include> names a file, or the folder of a model; model:// leads to a folder beside the robot.
std::optional<std::string> read_model_file(const RobotFiles& files, std::string& name, std::string& why) {
  constexpr std::string_view scheme = "model://";
  const std::string given = name;
  if (name.starts_with(scheme)) name.erase(0, scheme.size());
  if (std::optional<std::string> text = files.read(name, why)) return text;
  std::string ignored;
  if (std::optional<std::string> text = files.read(name + "/model.sdf", ignored)) {
    name += "/model.sdf";
    return text;
  }
  if (given.starts_with(scheme))
    why = fmt::format("'{}' is a model of another folder, which is not read; copy it beside this file", given);
  return std::nullopt;
}

void rename_meshes(pugi::xml_node node, const std::string& folder) {
  for (pugi::xml_node child : node.children()) {
    if (std::string(child.name()) == "mesh")
      for (pugi::xml_node uri : child.children("uri")) uri.text().set(from_robot(trimmed_text(uri), folder).c_str());
    rename_meshes(child, folder);
  }
}

// What an <include> says about the model in its own words.
void override_model(pugi::xml_node include, pugi::xml_node model) {
  if (const std::string name = trimmed_text(include.child("name")); !name.empty())
    model.attribute("name").set_value(name.c_str());
  for (const char* element : {"pose", "static"})
    if (const pugi::xml_node own = include.child(element)) {
      model.remove_child(element);
      model.prepend_copy(own);
    }
  for (const pugi::xml_node plugin : include.children("plugin")) model.append_copy(plugin);
}

}  // namespace

void XmlTree::include_models(pugi::xml_node node, const std::string& beside, const RobotFiles& files,
                             std::vector<std::string>& open) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    if (std::string(child.name()) == "include") {
      std::string name = from_robot(trimmed_text(child.child("uri")), beside), why;
      if (name.empty()) fail(child, "<uri> is missing");
      if (child.child("placement_frame")) fail(child, "<placement_frame> is not read; place the model by <pose>");
      require_new(child, name, open);
      const std::optional<std::string> text = read_model_file(files, name, why);
      if (!text) fail(child, why);
      pugi::xml_document part;
      load(part, *text, name);
      const pugi::xml_node model = part.document_element().child("model");
      if (std::string(part.document_element().name()) != "sdf" || !model || !model.attribute("name"))
        fail(child, fmt::format("'{}' is not an SDFormat file with a named <model>", name));
      const std::string folder = std::filesystem::path(name).parent_path().string();
      open.push_back(name);
      include_models(part.document_element(), folder, files, open);
      open.pop_back();
      rename_meshes(model, folder);
      const pugi::xml_node placed = node.insert_copy_before(model, child);
      override_model(child, placed);
      node.remove_child(child);
    } else {
      include_models(child, beside, files, open);
    }
    child = next;
  }
}

XmlTree::Place XmlTree::place(pugi::xml_node node) const {
  Place place;
  const std::string text = node.attribute(place_attribute).value();
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return place;
  place.file = std::min<std::size_t>(std::strtoul(text.c_str(), nullptr, 10), files_.size() - 1);
  place.line = std::atoi(text.c_str() + blank);
  return place;
}

std::string XmlTree::place_of(pugi::xml_node node) const {
  const Place at = place(node);
  return at.file == 0 ? fmt::format("line {}", at.line) : fmt::format("{}, line {}", files_[at.file], at.line);
}

void XmlTree::fail(pugi::xml_node node, const std::string& message) const {
  const Place at = place(node);
  throw ModelError(files_[at.file], {Diagnostic{{at.line, 0}, element_in_words(node), message}});
}

std::optional<std::string> XmlTree::word(pugi::xml_node node, const char* name) const {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return std::nullopt;
  return attribute.value();
}

std::string XmlTree::required_word(pugi::xml_node node, const char* name) const {
  const std::optional<std::string> found = word(node, name);
  if (!found || found->empty()) fail(node, fmt::format("'{}' is missing", name));
  return *found;
}

std::vector<double> XmlTree::parse(pugi::xml_node node, const std::string& what, const std::string& text,
                                   std::size_t least, std::size_t most) const {
  std::vector<double> values;
  const char *at = text.data(), *const end = at + text.size();
  const auto expected = [&] {
    fail(node, fmt::format("'{}' expects {}, not '{}'", what, list_length(least, most),
                           text.size() > 60 ? text.substr(0, 60) + "…" : text));
  };
  while (true) {
    while (at != end && std::isspace(static_cast<unsigned char>(*at))) ++at;
    if (at == end) break;
    if (*at == '+') ++at;
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || std::isnan(value) || (rest != end && !std::isspace(static_cast<unsigned char>(*rest))))
      expected();
    values.push_back(value);
    at = rest;
  }
  if (values.size() < least || values.size() > most) expected();
  return values;
}

std::optional<std::vector<double>> XmlTree::numbers(pugi::xml_node node, const char* name, std::size_t least,
                                                    std::size_t most) const {
  const std::optional<std::string> text = word(node, name);
  if (!text) return std::nullopt;
  std::vector<double> values = parse(node, name, *text, least, most);
  for (const double value : values)
    if (!std::isfinite(value)) fail(node, fmt::format("'{}' is not finite", name));
  return values;
}

std::optional<double> XmlTree::number(pugi::xml_node node, const char* name) const {
  const auto values = numbers(node, name, 1, 1);
  if (!values) return std::nullopt;
  return values->front();
}

double XmlTree::required_number(pugi::xml_node node, const char* name) const {
  const std::optional<double> value = number(node, name);
  if (!value) fail(node, fmt::format("'{}' is missing", name));
  return *value;
}

std::optional<Eigen::Vector3d> XmlTree::vector(pugi::xml_node node, const char* name) const {
  const auto values = numbers(node, name, 3, 3);
  if (!values) return std::nullopt;
  return Eigen::Vector3d(values->data());
}

std::vector<double> XmlTree::numbers_in(pugi::xml_node node, std::size_t least, std::size_t most) const {
  return parse(node, node.name(), node.child_value(), least, most);
}

double XmlTree::number_in(pugi::xml_node node) const { return numbers_in(node, 1, 1).front(); }

}  // namespace armature::internal
