#include "model/yaml_tree.hpp"

#include <optional>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "model/limits.hpp"
#include "model/yaml_fault.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {

const YamlNode* YamlNode::find(const std::string& key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

YamlNode* YamlNode::find(const std::string& key) {
  return const_cast<YamlNode*>(static_cast<const YamlNode*>(this)->find(key));
}

std::size_t size_of(const YamlNode& node) {
  std::size_t size = 1;
  for (const YamlNode& item : node.items) size += size_of(item);
  for (const YamlEntry& entry : node.entries) size += 1 + size_of(entry.value);
  return size;
}

void set_entry(YamlNode& map, const std::string& key, const YamlNode& value) {
  if (YamlNode* known = map.find(key))
    *known = value;
  else
    map.entries.push_back({key, {}, value});
}

std::string kind_in_words(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::text: return fmt::format("'{}'", node.text);
    case YamlNode::Kind::list: return "a list";
    case YamlNode::Kind::map: return "a map";
  }
  return "";
}

namespace {

// The parser takes a line's end at the end of the file for the end of a quote that is open; behind a comment it does not.
constexpr const char* end_mark = "# end of the model";

Location place_of(const YAML::Mark& mark, int file) { return {mark.line + 1, mark.column + 1, file}; }

struct Refused {
  Location where;
  std::string message;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(Diagnostics& diagnostics, int file) : diagnostics_(diagnostics), file_(file) {}

  YamlNode root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.where = location(mark);
    add({std::move(node), anchor});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node;
    node.kind = YamlNode::Kind::text;
    node.text = value;
    refuse_tag(tag, mark);
    node.quoted = tag != "?";
    node.where = location(mark);
    add({std::move(node), anchor});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto place = anchors_.find(anchor);
    if (place == anchors_.end()) throw Refused{location(mark), "an alias is inside its own anchor"};
    Frame copy = place->second;
    copy.anchor = 0;
    add(std::move(copy));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_tag(tag, mark);
    open(YamlNode::Kind::list, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_tag(tag, mark);
    open(YamlNode::Kind::map, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  // A node under construction, with the size and depth of what it holds so far.
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::size_t depth = 1, size = 1;
    bool has_key = false;
    std::string key = {};
    Location key_where = {};
  };

  // The parser gives "?" to what has none, "!" to what is quoted.
  Location location(const YAML::Mark& mark) const { return place_of(mark, file_); }

  void refuse_tag(const std::string& tag, const YAML::Mark& mark) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw Refused{location(mark), "a tag of YAML ('!…') has no meaning in a model; leave it out"};
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Frame frame;
    frame.node.kind = kind;
    frame.node.where = location(mark);
    frame.anchor = anchor;
    stack_.push_back(std::move(frame));
    if (stack_.size() > limits::depth)
      throw Refused{location(mark), fmt::format("nested more than {} levels deep", limits::depth)};
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(frame));
  }

  void add(Frame frame) {
    if (frame.anchor != 0) anchors_[frame.anchor] = frame;
    if (stack_.empty()) {
      root = std::move(frame.node);
      return;
    }
    Frame& parent = stack_.back();
    parent.size += frame.size;
    parent.depth = std::max(parent.depth, frame.depth + 1);
    require_bounds(parent, frame.node.where);
    if (parent.node.is_list())
      parent.node.items.push_back(std::move(frame.node));
    else if (!parent.has_key)
      take_key(parent, frame.node);
    else {
      if (frame.node.kind == YamlNode::Kind::null)
        frame.node.where = parent.key_where;  // the parser gives what comes after it
      parent.node.entries.push_back({parent.key, parent.key_where, std::move(frame.node)});
      parent.has_key = false;
    }
  }

  void require_bounds(const Frame& frame, Location where) const {
    if (frame.depth + stack_.size() > limits::depth + 1)
      throw Refused{where, fmt::format("nested more than {} levels deep", limits::depth)};
    if (frame.size > limits::values)
      throw Refused{where, fmt::format("the file holds more than {} values", limits::values)};
  }

  void take_key(Frame& parent, const YamlNode& node) {
    if (node.is_list() || node.is_map())
      diagnostics_.add(node.where, "",
                       "a list or map cannot be a key; '{…}' and '[…]' in a name need "
                       "quotes here");
    parent.has_key = true;
    parent.key = node.text;
    parent.key_where = node.where;
  }

  Diagnostics& diagnostics_;
  int file_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Frame> anchors_;
};

bool is_text_file(const std::string& text) { return text.find('\0') == std::string::npos; }

YamlNode parse_document(const std::string& text, Diagnostics& diagnostics, int file) {
  std::istringstream stream(text + (text.ends_with('\n') ? "" : "\n") + end_mark);
  YAML::Parser parser(stream);
  TreeBuilder builder(diagnostics, file);
  if (!parser.HandleNextDocument(builder)) return {};
  YamlNode root = std::move(builder.root);
  TreeBuilder second(diagnostics, file);
  if (parser.HandleNextDocument(second))
    diagnostics.add(second.root.where, "", "the file holds a second document (after '---'); a model is one document");
  return root;
}

}  // namespace

namespace {

// The first line that is indented by a tab, which YAML does not allow and its parser complains of in other words.
std::optional<Location> tab_indent(const std::string& text) {
  std::istringstream lines(text);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const std::size_t indent = line.find_first_not_of(" \t");
    if (const std::size_t tab = line.find('\t'); tab < indent && indent != std::string::npos)
      return Location{number, static_cast<int>(tab) + 1};
  }
  return std::nullopt;
}

void report_broken(const std::string& text, const YAML::Exception& error, int file, Diagnostics& diagnostics) {
  const Location where = place_of(error.mark, file);
  const auto report = [&](Location place, const std::string& message) {
    diagnostics.add({place.line, place.column, file}, "", message);
  };
  if (const std::optional<Location> tab = tab_indent(text))
    report(*tab, "the line is indented with a tab; YAML needs spaces");
  else if (const std::optional<YamlFault> fault = yaml_fault(text, where, error.msg))
    report(fault->where, fault->message);
  else if (error.msg.find("EOF in scalar") != std::string::npos)
    report(where, "the file ends inside an open quote");
  else
    report(where, fmt::format("not valid YAML here: {}. Inside {{}} or [] a text that holds "
                              "any of [ ] {{ }} , : # needs quotes",
                              error.msg));
}

}  // namespace

YamlNode parse_yaml(const std::string& text, Diagnostics& diagnostics, int file) {
  if (!is_text_file(text)) {
    diagnostics.add({0, 0, file}, "", "this is not a text file");
    return {};
  }
  try {
    YamlNode root = parse_document(text, diagnostics, file);
    join_split_formulas(root, "", diagnostics);
    drop_duplicate_keys(root, "", diagnostics);
    return root;
  } catch (const YAML::Exception& error) {
    report_broken(text, error, file, diagnostics);
  } catch (const Refused& error) {
    diagnostics.add(error.where, "", error.message);
  }
  return {};
}

}  // namespace armature::internal
