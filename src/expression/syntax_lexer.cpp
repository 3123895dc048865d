#include "expression/syntax_lexer.hpp"

#include <charconv>

#include <fmt/format.h>

namespace armature::internal {
namespace {

// Independent of the locale; bytes beyond ASCII are none of these.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  Lexer(std::string_view text, Location where) : text_(text), where_(where) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      while (is_space(peek())) ++at_;
      Token token = next();
      tokens.push_back(token);
      if (token.kind == Token::Kind::end) return tokens;
    }
  }

 private:
  char peek(int ahead = 0) const {
    const std::size_t i = static_cast<std::size_t>(at_) + static_cast<std::size_t>(ahead);
    return i < text_.size() ? text_[i] : '\0';
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FormulaError({where_.line, where_.column + at_, where_.file}, message);
  }

  Token take(Token::Kind kind, int length) {
    Token token{kind, std::string(text_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(length))), 0,
                at_, at_ + length};
    at_ += length;
    return token;
  }

  Token next() {
    const char c = peek();
    if (static_cast<std::size_t>(at_) >= text_.size()) return take(Token::Kind::end, 0);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_letter(c)) return name();
    return symbol();
  }

  Token number() {
    const char* first = text_.data() + at_;
    double value = 0;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
    const int length = static_cast<int>(last - first);
    const char after = peek(length);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("'{}' is outside the range of numbers", std::string(first, last)));
    if (after == '_') fail("digits cannot be grouped with '_'; write 1000 or 1e3");
    if (length == 1 && *first == '0' && (after == 'x' || after == 'b' || after == 'o') && is_digit(peek(2)))
      fail("numbers are decimal; 0x, 0b and 0o are not supported");
    Token token = take(Token::Kind::number, length);
    token.value = value;
    return token;
  }

  // letters, digits and _; further parts follow a dot directly: platform.P1.x
  Token name() {
    int length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length)) || (peek(length) == '.' && is_letter(peek(length + 1))))
      ++length;
    Token token = take(Token::Kind::name, length);
    if (token.text == "and" || token.text == "or" || token.text == "not") token.kind = Token::Kind::symbol;
    return token;
  }

  Token symbol() {
    const std::string_view rest = text_.substr(static_cast<std::size_t>(at_));
    if (rest.starts_with("**")) fail("powers are written with ^: x^2");
    if (rest.starts_with("==") || rest.starts_with("!="))
      fail("equality of real numbers is not supported; compare with <, <=, > or >=");
    for (const std::string_view two : {"<=", ">=", "&&", "||"})
      if (rest.starts_with(two)) return spelled(take(Token::Kind::symbol, 2));
    if (rest.front() == '=') fail("'=' has no meaning in a formula; compare with <, <=, > or >=");
    if (std::string_view("+-*/^()[],<>!'.%").find(rest.front()) == std::string_view::npos) unknown_character(rest);
    return spelled(take(Token::Kind::symbol, 1));
  }

  static Token spelled(Token token) {
    if (token.text == "&&") token.text = "and";
    if (token.text == "||") token.text = "or";
    if (token.text == "!") token.text = "not";
    return token;
  }

  [[noreturn]] void unknown_character(std::string_view rest) const {
    const auto byte = static_cast<unsigned char>(rest.front());
    if (byte < 0x20 || byte == 0x7f) fail(fmt::format("a formula cannot contain the character with code {}", byte));
    std::size_t length = 1;  // the whole UTF-8 character
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xc0) == 0x80) ++length;
    const std::string_view character = rest.substr(0, length);
    const bool celsius = rest.substr(length).starts_with('C');
    const std::string_view advice = character != "°" ? "" : celsius ? "; temperatures are in K" : "; write '90 deg'";
    fail(fmt::format("a formula cannot contain '{}'{}", character, advice));
  }

  std::string_view text_;
  Location where_;
  int at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, Location where) { return Lexer(text, where).run(); }

}  // namespace armature::internal
