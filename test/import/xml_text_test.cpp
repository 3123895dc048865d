#include "import/xml_text.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

TEST(XmlText, IndentsWhatIsInside) {
  XmlText xml;
  xml.comment("a--b");
  xml.open("robot", {{"name", "r"}});
  xml.leaf("link", {{"name", "a<b"}, {"n", "1"}});
  xml.value("mass", "2 & 3");
  xml.close();
  EXPECT_EQ(
      xml.text(),
      "<!-- a- b -->\n<robot name=\"r\">\n  <link name=\"a&lt;b\" n=\"1\"/>\n  <mass>2 &amp; 3</mass>\n</robot>\n");
}

TEST(XmlText, EscapesWhatXmlDoesNotHave) {
  EXPECT_EQ(xml_escaped("a\"b>c"), "a&quot;b&gt;c");
  EXPECT_EQ(xml_escaped("a\x01z\n"), "a z ");
  EXPECT_EQ(xml_escaped("\xff"
                        "ü"),
            "\uFFFD"
            "ü");
}

TEST(XmlText, VectorsAreWithoutRoundOff) { EXPECT_EQ(spaced({0.1, 1e-17, -2}), "0.1 0 -2"); }

}  // namespace
}  // namespace armature::internal
