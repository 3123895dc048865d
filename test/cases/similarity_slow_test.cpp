// The same as similarity_test.cpp with many more draws, and over twice the time.
#include "cases/similarity.hpp"

namespace armature::internal {
namespace {

class ManySimilarMachines : public testing::TestWithParam<SimilarMachine> {};

INSTANTIATE_TEST_SUITE_P(All, ManySimilarMachines, testing::ValuesIn(similar_machines()), test_name);

TEST_P(ManySimilarMachines, MoveAlike) { expect_same_motions(GetParam(), GetParam().end, 8 * GetParam().draws); }

TEST_P(ManySimilarMachines, MoveAlikeForTwiceTheTime) {
  expect_same_motions(GetParam(), 2 * GetParam().end, 2 * GetParam().draws);
}

}  // namespace
}  // namespace armature::internal
