// The C interface: handles, numbers, sentences.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "armature/armature.h"
#include "support/paths.hpp"
#include "temporary_folder.hpp"

namespace {

using testing::HasSubstr;

class CInterface : public testing::Test {
 protected:
  CInterface() {
    const std::string file = folder_.path() / "disk.yaml";
    std::ofstream(file) << "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nparameters: {J: 2 kg*m^2}\n"
                           "inputs: {u: {unit: N*m, default: 4}}\nbodies: {disk: {mass: 1 kg, inertia: {zz: J}}}\n"
                           "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
                           "forces: {drive: {type: effort, on: turn, is: u}}\n";
    const char* settings[] = {"J", "1 kg*m^2", nullptr};
    machine_ = armature_compile(file.c_str(), settings, nullptr);
  }
  ~CInterface() override { armature_machine_free(machine_); }

  armature::internal::TemporaryFolder folder_;
  armature_machine* machine_ = nullptr;
};

TEST_F(CInterface, RunsWithInputs) {
  ASSERT_NE(machine_, nullptr) << armature_error();
  EXPECT_EQ(armature_input_count(machine_), 1);
  EXPECT_STREQ(armature_input_name(machine_, 0), "u");
  EXPECT_STREQ(armature_input_unit(machine_, 0), "N*m");
  EXPECT_EQ(armature_input_default(machine_, 0), 4);
  armature_run* run = armature_run_new(machine_);
  ASSERT_NE(run, nullptr) << armature_error();
  const int turn = armature_channel(run, "turn");
  EXPECT_EQ(armature_advance(run, 1), 0) << armature_error();
  EXPECT_NEAR(armature_value(run, turn), 2, 1e-8);  // 4/2
  std::vector<double> state(armature_state_size(run));
  EXPECT_EQ(armature_get_state(run, state.data(), state.size()), 0);
  EXPECT_EQ(armature_set_input(run, 0, 0), 0);
  EXPECT_EQ(armature_advance(run, 2), 0);
  EXPECT_NEAR(armature_value(run, turn), 6, 1e-8);
  EXPECT_EQ(armature_set_state(run, state.data(), state.size()), 0);
  EXPECT_EQ(armature_time(run), 1);
  EXPECT_NEAR(armature_value(run, turn), 2, 1e-8);
  std::vector<double> values(static_cast<std::size_t>(armature_channel_count(run)));
  EXPECT_EQ(armature_values(run, values.data(), values.size()), 0);
  EXPECT_EQ(values[0], 1);
  EXPECT_STREQ(armature_channel_name(run, 0), "t");
  EXPECT_STREQ(armature_channel_unit(run, 0), "s");
  armature_run_free(run);
}

TEST_F(CInterface, SaysWhatIsWrong) {
  EXPECT_EQ(armature_compile("nowhere.yaml", nullptr, nullptr), nullptr);
  EXPECT_THAT(armature_error(), HasSubstr("nowhere.yaml"));
  EXPECT_EQ(armature_input(machine_, "w"), -1);
  EXPECT_THAT(armature_error(), HasSubstr("there is no input 'w'"));
  EXPECT_EQ(armature_input(machine_, "u"), 0);
  EXPECT_STREQ(armature_error(), "");
  armature_run* run = armature_run_new(machine_);
  EXPECT_TRUE(std::isnan(armature_value(run, 1000)));
  EXPECT_EQ(armature_set_input(run, 3, 1), -1);
  EXPECT_THAT(armature_error(), HasSubstr("there is no input number 3"));
  armature_run_free(run);
}

// Who goes on although something has failed holds NULL.
TEST_F(CInterface, TakesNullForAMistake) {
  EXPECT_EQ(armature_compile(nullptr, nullptr, nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "the file is NULL");
  EXPECT_EQ(armature_run_new(nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "the machine is NULL");
  EXPECT_EQ(armature_input_count(nullptr), -1);
  EXPECT_EQ(armature_input_name(nullptr, 0), nullptr);
  EXPECT_EQ(armature_input_unit(nullptr, 0), nullptr);
  EXPECT_TRUE(std::isnan(armature_input_default(nullptr, 0)));
  EXPECT_EQ(armature_input(nullptr, "u"), -1);
  EXPECT_EQ(armature_input(machine_, nullptr), -1);
  EXPECT_TRUE(std::isnan(armature_time(nullptr)));
  EXPECT_STREQ(armature_error(), "the run is NULL");
  EXPECT_EQ(armature_set_input(nullptr, 0, 1), -1);
  EXPECT_EQ(armature_advance(nullptr, 1), -1);
  EXPECT_EQ(armature_channel_count(nullptr), -1);
  EXPECT_EQ(armature_channel_name(nullptr, 0), nullptr);
  EXPECT_EQ(armature_channel_unit(nullptr, 0), nullptr);
  EXPECT_EQ(armature_channel(nullptr, "t"), -1);
  EXPECT_TRUE(std::isnan(armature_value(nullptr, 0)));
  double number = 0;
  EXPECT_EQ(armature_values(nullptr, &number, 1), -1);
  EXPECT_EQ(armature_state_size(nullptr), 0u);
  EXPECT_EQ(armature_get_state(nullptr, &number, 1), -1);
  EXPECT_EQ(armature_set_state(nullptr, &number, 1), -1);
  armature_machine_free(nullptr);
  armature_run_free(nullptr);
  armature_run* run = armature_run_new(machine_);
  EXPECT_EQ(armature_channel(run, nullptr), -1);
  EXPECT_EQ(armature_values(run, nullptr, 1), -1);
  EXPECT_EQ(armature_get_state(run, nullptr, armature_state_size(run)), -1);
  EXPECT_EQ(armature_set_state(run, nullptr, armature_state_size(run)), -1);
  EXPECT_STREQ(armature_error(), "the state is NULL");
  armature_run_free(run);
}

TEST_F(CInterface, RefusesModesThatAreNone) {
  armature_machine* press = armature_compile((std::string(armature::internal::source_directory) + "/models/press.yaml").c_str(), nullptr, nullptr);
  ASSERT_NE(press, nullptr) << armature_error();
  armature_run* run = armature_run_new(press);
  std::vector<double> state(armature_state_size(run));
  ASSERT_EQ(armature_get_state(run, state.data(), state.size()), 0);
  for (const double mode : {std::nan(""), 1e300, -1.0, 77.0}) {
    std::vector<double> odd = state;
    odd.back() = mode;
    EXPECT_EQ(armature_set_state(run, odd.data(), odd.size()), -1) << mode;
    EXPECT_THAT(armature_error(), HasSubstr("a mode is a number from 0 to 2")) << mode;
  }
  EXPECT_EQ(armature_set_state(run, state.data(), state.size()), 0) << armature_error();
  armature_run_free(run);
  armature_machine_free(press);
}

}  // namespace
