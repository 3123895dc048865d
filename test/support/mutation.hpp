// Texts and bytes with mistakes in them, chosen by a seed: the same seed makes the same mistakes on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armature::internal {

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : state_(seed) {}

  std::uint64_t draw();                                                 // splitmix64
  std::size_t below(std::size_t n) { return n == 0 ? 0 : draw() % n; }  // 0 … n-1

  // A model with one to three mistakes: numbers scaled, negated, zeroed or huge, lines dropped, doubled or exchanged, names
  // misspelt or exchanged, bytes flipped, the end cut off.
  std::string of_model(std::string text);
  // Any bytes with one to four mistakes: bytes flipped, dropped, doubled, inserted, pieces copied or cut off.
  std::string of_bytes(std::string bytes);

 private:
  struct Piece {
    std::size_t begin, size;
  };
  static std::vector<Piece> numbers_in(const std::string& text);
  static std::vector<Piece> words_in(const std::string& text);

  void change_number(std::string& text);
  void exchange_numbers(std::string& text);
  void misspell(std::string& text);
  void exchange_word(std::string& text);
  void change_lines(std::string& text);
  void flip_byte(std::string& text);
  void change_bytes(std::string& bytes);

  std::uint64_t state_;
};

}  // namespace armature::internal
