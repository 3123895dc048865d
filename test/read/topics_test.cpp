// What `armature format WORD` answers leads somewhere: to a page with that heading, and to a shipped model that holds the example.
#include "read/topics.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "read/format_reference.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream in(std::string(source_directory) + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The name by which a link finds a heading: lower case, blanks as -, no punctuation.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream in(text_of_file(page));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const unsigned char c : line.substr(line.find(' ') + 1)) {
      if (std::isalnum(c) || c == '_' || c == '-') anchor += static_cast<char>(std::tolower(c));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Topics, LeadToAPageAndAModel) {
  for (const Topic& topic : topics()) {
    const std::string page(topic.page.substr(0, topic.page.find('#')));
    EXPECT_FALSE(text_of_file(page).empty()) << page;
    if (const std::size_t hash = topic.page.find('#'); hash != std::string_view::npos) {
      EXPECT_TRUE(anchors_of(page).contains(std::string(topic.page.substr(hash + 1)))) << topic.page;
    }
    if (topic.model.empty()) continue;
    const std::string model = text_of_file(std::string(topic.model));
    EXPECT_NE(model.find(topic.example), std::string::npos) << topic.model << ": " << topic.example;
  }
}

TEST(Topics, AreFoundByTheWordsOfADesigner) {
  for (const char* word : {"gear",
                           "gear pair",
                           "rack",
                           "worm",
                           "belt",
                           "chain",
                           "screw",
                           "cam",
                           "follower",
                           "geneva",
                           "planetary",
                           "differential",
                           "rope",
                           "pulley",
                           "capstan",
                           "constant-velocity",
                           "bushing",
                           "torsion bar",
                           "gas spring",
                           "spring between coordinates",
                           "freewheel",
                           "clutch",
                           "brake",
                           "contact",
                           "reaction",
                           "sizing",
                           "equilibrium",
                           "wedge",
                           "filter",
                           "transfer function",
                           "sub-assembly",
                           "inch",
                           "psi",
                           "normal",
                           "periodic spline",
                           "list"})
    EXPECT_FALSE(find_topics(word).empty()) << word;
  EXPECT_EQ(find_topics("V-Belts").size(), 1u);
  EXPECT_TRUE(find_topics("belfry").empty());
}

// Every example's type is one of the format.
TEST(Topics, NameTypesOfTheFormat) {
  for (const Topic& topic : topics()) {
    const std::size_t at = topic.example.find("type: ");
    if (at == std::string_view::npos) continue;
    const std::string_view rest = topic.example.substr(at + 6);
    EXPECT_FALSE(find_format_sections(rest.substr(0, rest.find_first_of(",}"))).empty()) << topic.example;
  }
}

}  // namespace
}  // namespace armature::internal
