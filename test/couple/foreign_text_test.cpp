#include "couple/foreign_text.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

TEST(ForeignText, IsOneLineWithoutControls) {
  EXPECT_EQ(foreign_text("plain words, ü and 漢"), "plain words, ü and 漢");
  EXPECT_EQ(foreign_text("\033[1;31mred\033[0m and \033]0;title\a not"), "red and  not");
  EXPECT_EQ(foreign_text("\033]8;;http://x\033\\link\033]8;;\033\\"), "link");
  EXPECT_EQ(foreign_text("two\r\nlines\n\n"), "two lines");
  EXPECT_EQ(foreign_text("bell\a tab\t\x9b \xff"), "bell  tab ? ?");
  EXPECT_EQ(foreign_text("abc\xe2\x80\xae"
                         "def"),
            "abc def");  // U+202E turns the direction
  EXPECT_EQ(foreign_text("\033"), "");
  EXPECT_EQ(foreign_text("\033[31"), "");
  EXPECT_EQ(foreign_text(std::string_view("a\0b", 3)), "a b");
}

TEST(ForeignText, IsCut) { EXPECT_LT(foreign_text(std::string(100000, 'x')).size(), 600u); }

}  // namespace
}  // namespace armature::internal
