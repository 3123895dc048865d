// `./go bench` and `./go gpu` write to one page: neither deletes what the other has written.
#include "../../bench/page_section.hpp"

#include <gtest/gtest.h>

namespace {

const std::string page =
    "# Benchmarks\n\n## Studies\n\nmap\n\n## On a GPU\n\nold table\n\n## Before and after\n\nlast\n";

TEST(PageSection, IsReplacedInItsPlace) {
  EXPECT_EQ(with_section(page, "On a GPU", "new table\n"),
            "# Benchmarks\n\n## Studies\n\nmap\n\n## On a GPU\n\nnew table\n\n## Before and after\n\nlast\n");
  EXPECT_EQ(with_section(page, "Before and after", "later\n"),
            "# Benchmarks\n\n## Studies\n\nmap\n\n## On a GPU\n\nold table\n\n## Before and after\n\nlater\n");
}

TEST(PageSection, IsAddedWhereThereIsNone) {
  EXPECT_EQ(with_section("# Benchmarks\n", "On a GPU", "table\n"), "# Benchmarks\n\n## On a GPU\n\ntable\n");
  EXPECT_EQ(with_section("", "On a GPU", "table\n"), "## On a GPU\n\ntable\n");
  EXPECT_EQ(section_of("# Benchmarks\n", "On a GPU"), "");
}

// What the report of `./go bench` does: it writes all other sections anew, and this one as it was.
TEST(PageSection, StaysAsItIsWhenTheOthersAreWrittenAnew) {
  const std::string kept = section_of(page, "On a GPU");
  EXPECT_EQ(kept, "## On a GPU\n\nold table\n\n");
  const std::string anew = "# Benchmarks\n\n## Studies\n\nother map\n\n" + kept + "## Before and after\n\nother\n";
  EXPECT_EQ(section_of(anew, "On a GPU"), kept);
  EXPECT_EQ(section_of(with_section(anew, "On a GPU", "new\n"), "Studies"), "## Studies\n\nother map\n\n");
}

}  // namespace
