#include "model/yaml_scan.hpp"

namespace armature::internal {
namespace {

// Quotes, brackets and comments have their meaning only in some places.
class Scanner {
 public:
  // next: the character behind c, for quotes that are doubled.
  void take(char c, char next) {
    if (where_.column == 1) begin_line();
    if (escaped_)
      escaped_ = false;
    else if (quote_ != '\0')
      take_quoted(c, next);
    else if (!comment_)
      take_plain(c);
    move_on(c);
  }
  YamlScan result() {
    if (where_.column == 1) begin_line();
    YamlScan result = scan_;
    if (quote_ != '\0') result.open_quote = quoted_from_;
    return result;
  }
  Location where() const { return where_; }

 private:
  void begin_line() {
    scan_.is_inside.push_back(quote_ != '\0' || !scan_.open.empty());
    scan_.long_quote = quote_ != '\0' ? std::optional(quoted_from_) : std::nullopt;
    comment_ = false, begins_line_ = true, indent_ = 0;
  }
  void take_quoted(char c, char next) {
    const bool doubled = c == '\'' && next == c;
    if (c == quote_ && !doubled) quote_ = '\0', after_quote_ = true;
    escaped_ = quote_ != '\0' && (doubled || (c == '\\' && quote_ == '"'));
  }
  void take_plain(char c) {
    const bool begins = begins_line_ || after_quote_ ||
                        std::string_view("[{,:-").find(last_) != std::string_view::npos;  // a value or a key
    after_quote_ = after_quote_ && yaml_spaces.find(c) != std::string_view::npos;
    if (c == '#' && (begins_line_ || after_space_))
      comment_ = true;
    else if ((c == '"' || c == '\'') && begins)
      quote_ = c, quoted_from_ = where_;
    else if ((c == '{' || c == '[') && (begins || !scan_.open.empty()))
      scan_.open.push_back({c, where_}), indents_.push_back(indent_);
    else if ((c == '}' || c == ']') && !scan_.open.empty())
      close();
  }
  void close() {
    if (begins_line_ && indents_.back() != indent_ && !scan_.misplaced) scan_.misplaced = scan_.open.back();
    scan_.open.pop_back(), indents_.pop_back();
  }
  void move_on(char c) {
    const bool space = yaml_spaces.find(c) != std::string_view::npos;
    if (!space && c != '\n' && !comment_) last_ = c, begins_line_ = false;
    if (space && begins_line_) ++indent_;
    after_space_ = space;
    where_ = c == '\n' ? Location{where_.line + 1, 1} : Location{where_.line, where_.column + 1};
  }

  YamlScan scan_;
  std::vector<int> indents_;  // of the lines of open brackets
  Location where_{1, 1}, quoted_from_;
  char quote_ = '\0', last_ = '\0';
  int indent_ = 0;
  bool comment_ = false, escaped_ = false, begins_line_ = true, after_space_ = false, after_quote_ = false;
};

bool precedes(Location a, Location b) { return a.line != b.line ? a.line < b.line : a.column < b.column; }

}  // namespace

YamlScan scan_yaml(const std::string& text, Location until) {
  Scanner scanner;
  for (std::size_t i = 0; i < text.size() && precedes(scanner.where(), until); ++i)
    scanner.take(text[i], i + 1 < text.size() ? text[i + 1] : '\0');
  return scanner.result();
}

}  // namespace armature::internal
