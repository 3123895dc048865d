#include "study/job_difference.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

constexpr const char* job = R"({"armature": "1", "verb": "map", "model": "armature: 1\nname: press\n", "settings": {},
  "options": {"rtol": 1e-10, "end": 40.0, "atol": {"q": {"phi": 1e-10}}},
  "over": [{"name": "phi0", "from": 0.0, "to": 6.25, "count": 61}, {"name": "w0", "from": -3.0, "to": 3.0, "count": 61}],
  "classify": "a: max(x) > 3; b", "refine": 0})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = job;
  return text.replace(text.find(from), from.size(), to);
}

TEST(JobDifference, IsSaidInTheWordsOfTheCommandLine) {
  EXPECT_EQ(job_difference(job, job), "");
  EXPECT_EQ(job_difference(job, with("1e-10, \"end\"", "1e-5, \"end\"")), "--rtol was 1e-10, is 1e-05");
  EXPECT_EQ(job_difference(job, with("\"count\": 61}]", "\"count\": 62}]")), "--over w0: count was 61, is 62");
  EXPECT_EQ(job_difference(job, with("w0", "l1")), "--over was 'phi0', 'w0', is 'phi0', 'l1'");
  EXPECT_EQ(job_difference(job, with("> 3", "> 4")), "--classify was 'a: max(x) > 3; b', is 'a: max(x) > 4; b'");
  EXPECT_EQ(job_difference(with("{}", R"({"l1": "2"})"), job), "--set l1 was '2', is not given");
  EXPECT_EQ(job_difference(job, with("name: press", "name: crank")),
            "in the model file line 2 was 'name: press', is 'name: crank'");
  EXPECT_EQ(job_difference(job, with("{\"phi\": 1e-10}", "{\"phi\": 1e-9}")), "--atol differs");
}

// A relative tolerance brings absolute ones along, which are not told; of many differences the first are.
TEST(JobDifference, TellsTheFirst) {
  EXPECT_EQ(
      job_difference(R"({"a": 1, "b": 1, "c": 1, "d": 1, "e_f": 1})", R"({"a": 2, "b": 2, "c": 2, "d": 2, "e_f": 2})"),
      "--a was 1, is 2; --b was 1, is 2; --c was 1, is 2; and 2 more");
  EXPECT_EQ(job_difference(R"({"e_f": 1})", R"({"e_f": 2})"), "--e-f was 1, is 2");
}

}  // namespace
}  // namespace armature::internal
