// Columns by programs against columns by factors of their own at each state; and what they cost.
#include "sensitivity/tangent_programs.hpp"

#include <cmath>

#include "cost_case.hpp"
#include "sensitivity/column_packs.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd some_columns(const MotionSensitivity& motion, Eigen::Index count) {
  MatrixXd S(motion.rows(), count);
  for (Eigen::Index k = 0; k < S.size(); ++k) S.data()[k] = std::sin(1.0 + 0.7 * static_cast<double>(k));
  S.row(Directional::time_row(motion.layout())).setZero();
  return S;
}

struct Difference {
  double rate = 0, tangent = 0;  // relative to the largest entry of a column
};

// At the start of a model, with speeds of its own.
Difference difference_of(const Model& model, const std::vector<std::string>& free, double alpha, double beta) {
  Prepared start = compile(model, free);
  assemble_start(start);
  EXPECT_EQ(start.failure, "");
  MotionSensitivity motion(start.system, alpha, beta);
  EXPECT_NE(motion.tangents(), nullptr);
  const Layout& n = motion.layout();
  for (int i = 0; i < n.nv; ++i) start.start.x[n.nq + i] += 0.3 * std::sin(2.0 + i);
  EXPECT_TRUE(motion.set(start.start)) << motion.why();
  MatrixXd S = some_columns(motion, 11), rate;
  EXPECT_TRUE(motion.rate(S, rate));
  // the same by programs, in a lane of its own
  TangentEvaluator evaluator(motion.tangents());
  evaluator.set_parameters(start.parameters);
  evaluator.hold(start.start.d, start.start.w);
  for (int lane = 0; lane < 3; ++lane) evaluator.set_state(lane, start.start.t, start.start.x);
  EXPECT_TRUE(evaluator.compute(3));
  ColumnPacks columns;
  columns.take(n, S);
  EXPECT_EQ(columns.packs(), 2);
  MatrixXd by_programs(n.nx(), S.cols()), corrected = S;
  std::vector<LaneRow> rows(static_cast<std::size_t>(n.nx()));
  for (int pack = 0; pack < 2; ++pack) {
    evaluator.rate(2, columns.pack(pack), rows.data());
    for (Eigen::Index k = pack * lane_count; k < std::min<Eigen::Index>(S.cols(), (pack + 1) * lane_count); ++k)
      for (int i = 0; i < n.nx(); ++i)
        by_programs(i, k) = rows[static_cast<std::size_t>(i)][static_cast<int>(k % lane_count)];
    evaluator.make_tangent(1, columns.pack(pack));
  }
  columns.give(n, corrected);
  motion.make_tangent(S);
  return {relative_difference(by_programs, rate), relative_difference(corrected, S)};
}

// Trees and loops in plane and space, quaternions, redundant rows, motors, sampled and switching controllers, Baumgarte's terms.
struct MachineCase {
  const char* model;
  std::vector<std::string> free;
};
void PrintTo(const MachineCase& c, std::ostream* out) { *out << c.model; }

class TangentProgramsOf : public testing::TestWithParam<MachineCase> {};
INSTANTIATE_TEST_SUITE_P(, TangentProgramsOf,
                         testing::Values(MachineCase{"rrr_motors", {"l1", "m2", "side"}},
                                         MachineCase{"stewart", {"base", "top"}},
                                         MachineCase{"slider_crank", {"l1", "flywheel"}}, MachineCase{"four_bar", {}},
                                         MachineCase{"squeezer", {"xa"}}, MachineCase{"rrr_pd", {}},
                                         MachineCase{"press", {}}, MachineCase{"arm", {}}, MachineCase{"crane", {}},
                                         MachineCase{"arm_on_circle", {}}),
                         [](const auto& info) { return info.param.model; });

TEST_P(TangentProgramsOf, AMachineAgreeWithFactorsOfEachState) {
  for (const double gain : {0.0, 30.0}) {
    const Difference difference = difference_of(shipped(GetParam().model), GetParam().free, 2 * gain, gain * gain);
    EXPECT_LT(difference.rate, 1e-9) << "gain " << gain;
    EXPECT_LT(difference.tangent, 1e-9) << "gain " << gain;
  }
}

// Operations of a step with 24 columns, each on eight lanes, over those of a plain step: counted, so the same on any machine.
double operations_over_plain(const CostCase& c) {
  const System& system = *c.study->prepared().system;
  const auto programs = TangentPrograms::of(system, 0, 0);
  const int packs = 3, rates = 6, stages = 6;
  const int columns = rates * programs->rate()->operation_count() + programs->tangent()->operation_count();
  const int plain = (stages - 1) * system.program(Kernel::acceleration)->operation_count() +
                    system.program(Kernel::step_end)->operation_count();
  const double share = static_cast<double>(programs->coefficients()->operation_count() + packs * columns) / plain;
  std::printf("coefficients %d, rate %d, tangent %d operations, a plain step %d: %.2f\n",
              programs->coefficients()->operation_count(), programs->rate()->operation_count(),
              programs->tangent()->operation_count(), plain, share);
  return share;
}

TEST(TangentPrograms, TakeAFewTimesTheOperationsOfAPlainStep) {
  EXPECT_LT(operations_over_plain(CostCase(robot_of_24, {"theta1"}, {1})), 2.3);     // 2.05
  EXPECT_LT(operations_over_plain(CostCase(five_bar_of_24, {"theta1"}, {1})), 2.6);  // 2.33
}

}  // namespace
}  // namespace armature::internal
