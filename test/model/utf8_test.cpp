#include "model/utf8.hpp"

#include <gtest/gtest.h>

#include <random>

namespace armature::internal {
namespace {

TEST(Utf8, KeepsTextAsItIs) {
  const std::string text = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n";
  EXPECT_EQ(bytes_as_utf8(text), text);
  EXPECT_EQ(utf8_as_bytes(text), text);
}

TEST(Utf8, CarriesOtherBytesAsPrivateCharacters) {
  EXPECT_EQ(bytes_as_utf8("Tr\xe4gheit"), "Tr\xee\xbf\xa4gheit");  // U+EFE4
  EXPECT_EQ(utf8_as_bytes("Tr\xee\xbf\xa4gheit"), "Tr\xe4gheit");
}

// Overlong, a surrogate, beyond the last code, cut short.
TEST(Utf8, KnowsWhatIsNotUtf8) {
  for (const char* bytes : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xff"})
    EXPECT_EQ(utf8_character(bytes, 0).bytes, 0) << bytes;
}

TEST(Utf8, GivesEveryByteBack) {
  std::mt19937 random(1);
  std::string bytes = "\xee\xbe\x80 \xee\xbf\xbf";  // characters that stand for bytes
  for (int k = 0; k < 20000; ++k) bytes += static_cast<char>(random());
  EXPECT_EQ(utf8_as_bytes(bytes_as_utf8(bytes)), bytes);
}

}  // namespace
}  // namespace armature::internal
