#include "import/xml_tree.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "model/diagnostics.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

template <class Act>
std::string refusal_of_xml(const Act& act) {
  try {
    act();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(XmlTree, ReadsAttributesAndTexts) {
  const XmlTree xml("<a n=' 2.5e1 ' v='1 -2 3' w='x' l='1 2'><b>4 5</b></a>", "f.xml");
  EXPECT_EQ(xml.number(xml.root(), "n"), 25);
  EXPECT_EQ(xml.word(xml.root(), "w"), "x");
  EXPECT_EQ(xml.vector(xml.root(), "v"), Eigen::Vector3d(1, -2, 3));
  EXPECT_EQ(xml.numbers(xml.root(), "l", 1, 2), (std::vector<double>{1, 2}));
  EXPECT_FALSE(xml.number(xml.root(), "none"));
  EXPECT_EQ(xml.numbers_in(xml.root().child("b"), 2, 2), (std::vector<double>{4, 5}));
}

TEST(XmlTree, NamesThePlaceOfAMistake) {
  const XmlTree xml("<a>\n<hip name='left' n='two' v='1 2'/>\n<b/></a>", "f.xml");
  const pugi::xml_node hip = xml.root().child("hip");
  EXPECT_EQ(xml.place_of(hip), "line 2");
  EXPECT_EQ(element_in_words(hip), "hip left");
  EXPECT_EQ(element_in_words(xml.root()), "a");
  EXPECT_THAT(refusal_of_xml([&] { xml.number(hip, "n"); }), HasSubstr("f.xml:2: hip left: 'n'"));
  EXPECT_THAT(refusal_of_xml([&] { xml.vector(hip, "v"); }), HasSubstr("f.xml:2: hip left: 'v'"));
  EXPECT_THAT(refusal_of_xml([&] { xml.required_word(hip, "link"); }), HasSubstr("'link' is missing"));
  EXPECT_THAT(refusal_of_xml([&] { xml.fail(xml.root().child("b"), "is odd"); }), HasSubstr("f.xml:3: b: is odd"));
  EXPECT_THAT(refusal_of_xml([] { XmlTree("<a><b></a>", "f.xml"); }), HasSubstr("f.xml:1"));
}

TEST(XmlTree, IncludesFilesInPlace) {
  const TemporaryFolder folder;
  std::ofstream(folder / "part.xml") << "<parts>\n<c/>\n<d/></parts>";
  std::ofstream(folder / "self.xml") << "<parts><include file='self.xml'/></parts>";
  XmlTree xml("<a>\n<b/><include file='part.xml'/><e/></a>", "f.xml");
  xml.include_files("include", RobotFiles(folder / ""));
  std::vector<std::string> names;
  for (const pugi::xml_node node : xml.root()) names.emplace_back(node.name());
  EXPECT_THAT(names, testing::ElementsAre("b", "c", "d", "e"));
  EXPECT_EQ(xml.place_of(xml.root().child("d")), "part.xml, line 3");
  EXPECT_EQ(xml.place_of(xml.root().child("e")), "line 2");
  const auto refused = [&](const std::string& file) {
    return refusal_of_xml([&] {
      XmlTree other("<a><include file='" + file + "'/></a>", "f.xml");
      other.include_files("include", RobotFiles(folder / ""));
    });
  };
  EXPECT_THAT(refused("self.xml"), HasSubstr("includes itself"));
  EXPECT_THAT(refused("none.xml"), HasSubstr("there is no file 'none.xml'"));
}

}  // namespace
}  // namespace armature::internal
