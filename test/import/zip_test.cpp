#include "import/zip.hpp"

#include <gtest/gtest.h>

#include "model/request_error.hpp"

namespace armature::internal {
namespace {

const ZipFiles packed = {
    {"a.txt", "hello"}, {"folder/b.bin", std::string(10000, 'x') + std::string(1, '\0') + "end"}, {"empty", ""}};

TEST(Zip, GivesItsFilesBack) {
  EXPECT_EQ(files_of_zip(zip_of(packed)), packed);
  EXPECT_EQ(file_of_zip(zip_of(packed), "folder/b.bin"), packed[1].second);
  EXPECT_LT(zip_of(packed).size(), 1000u);  // ten thousand equal bytes are deflated
}

TEST(Zip, HasTheSameBytesForTheSameFiles) { EXPECT_EQ(zip_of(packed), zip_of(packed)); }

TEST(Zip, RefusesWhatIsDamagedOrLeavesItsFolder) {
  const std::string whole = zip_of(packed);
  EXPECT_THROW(files_of_zip("PK"), RequestError);
  EXPECT_THROW(files_of_zip(whole.substr(0, whole.size() / 2)), RequestError);
  std::string changed = whole;
  changed[whole.find("hello") == std::string::npos ? 36 : whole.find("hello")] ^= 1;
  EXPECT_THROW(files_of_zip(changed), RequestError);
  EXPECT_THROW(files_of_zip(zip_of({{"../out", "x"}})), RequestError);
  EXPECT_THROW(files_of_zip(zip_of({{"/etc/out", "x"}})), RequestError);
  EXPECT_THROW(file_of_zip(whole, "none"), RequestError);
}

}  // namespace
}  // namespace armature::internal
