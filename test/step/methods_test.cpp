// The table of integrators and the pages that show it.
#include "step/methods.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "support/paths.hpp"

namespace armature::step {
namespace {

std::string page(const std::string& name) {
  std::ifstream in(std::string(internal::source_directory) + "/docs/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Methods, HaveNamesOfTheirOwn) {
  for (const Method& method : methods) {
    EXPECT_EQ(find_method(method.name), &method);
    EXPECT_FALSE(method.what.empty()) << method.name;
    EXPECT_NE(method.verified_by, method.name);
  }
  EXPECT_EQ(find_method("ode45"), nullptr);
}

// What solves the constraints itself cannot hold what sticks: whoever is verified by it names another one.
TEST(Methods, AreVerifiedByOneThatCanStickWhereTheyCan) {
  for (const Method& method : methods) {
    const std::string_view other = method.or_where_it_sticks.empty() ? method.verified_by : method.or_where_it_sticks;
    EXPECT_FALSE(find_method(other)->own_dae) << method.name;
  }
}

// The rows of docs/methods.md: | `name`, `name` … | order, order … | yes or no |
TEST(Methods, AreThoseOfThePage) {
  const std::string text = page("methods.md");
  const std::size_t begin = text.find("## Integrators"), end = text.find("\n## ", begin + 1);
  const std::string section = text.substr(begin, end - begin);
  std::size_t rows = 0;
  for (const Method& method : methods) {
    const std::regex row("\\|[^|\n]*`" + std::string(method.name) + "`[^|\n]*\\|([^|\n]*)\\| (yes|no) \\|");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(section, found, row)) << method.name;
    EXPECT_NE(found[1].str().find(std::to_string(method.order)), std::string::npos) << method.name;
    EXPECT_EQ(found[2] == "yes", method.controlled) << method.name;
    ++rows;
  }
  const std::string table = section.substr(0, section.find("`rtol` defaults"));
  std::set<std::string> named;
  const std::regex in_first_column("`([a-z0-9_]+)`(?=[^|\n]*\\|[^|\n]*\\| (?:yes|no))");
  for (std::sregex_iterator i(table.begin(), table.end(), in_first_column), last; i != last; ++i) named.insert((*i)[1]);
  EXPECT_EQ(named.size(), rows);
}

}  // namespace
}  // namespace armature::step
