// The C interface: handles, numbers, sentences.
#include <gmock/gmock.h>

#include <cfenv>
#include <cmath>
#include <filesystem>
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

TEST_F(CInterface, RefusesNullPointers) {
  armature_machine_free(nullptr);
  armature_run_free(nullptr);
  EXPECT_EQ(armature_compile(nullptr, nullptr, nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "file is NULL");
  EXPECT_EQ(armature_run_new(nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "machine is NULL");
  EXPECT_EQ(armature_input_count(nullptr), -1);
  EXPECT_EQ(armature_input_name(nullptr, 0), nullptr);
  EXPECT_EQ(armature_input(machine_, nullptr), -1);
  EXPECT_STREQ(armature_error(), "name is NULL");
  EXPECT_TRUE(std::isnan(armature_time(nullptr)));
  EXPECT_EQ(armature_advance(nullptr, 1), -1);
  EXPECT_EQ(armature_status(nullptr), -1);
  EXPECT_EQ(armature_event_count(nullptr), -1);
  EXPECT_EQ(armature_channel_count(nullptr), -1);
  EXPECT_EQ(armature_state_size(nullptr), 0u);
  EXPECT_EQ(armature_finish(nullptr), -1);
  EXPECT_STREQ(armature_error(), "run is NULL");
  double numbers[3] = {};
  EXPECT_EQ(armature_input_unit(nullptr, 0), nullptr);
  EXPECT_TRUE(std::isnan(armature_input_default(nullptr, 0)));
  EXPECT_EQ(armature_set_input(nullptr, 0, 0), -1);
  EXPECT_EQ(armature_channel_name(nullptr, 0), nullptr);
  EXPECT_EQ(armature_channel_unit(nullptr, 0), nullptr);
  EXPECT_EQ(armature_channel(nullptr, nullptr), -1);
  EXPECT_TRUE(std::isnan(armature_value(nullptr, 0)));
  EXPECT_EQ(armature_values(nullptr, numbers, 3), -1);
  EXPECT_TRUE(std::isnan(armature_event_time(nullptr, 0)));
  EXPECT_EQ(armature_event_text(nullptr, 0), nullptr);
  EXPECT_EQ(armature_outcome(nullptr), nullptr);
  EXPECT_EQ(armature_warning_count(nullptr), -1);
  EXPECT_EQ(armature_warning(nullptr, 0), nullptr);
  EXPECT_EQ(armature_get_state(nullptr, numbers, 3), -1);
  EXPECT_EQ(armature_set_state(nullptr, numbers, 3), -1);
  EXPECT_STREQ(armature_error(), "run is NULL");
  EXPECT_EQ(armature_input_count(machine_), 1);
  EXPECT_STREQ(armature_error(), "");
  armature_run* run = armature_run_new(machine_);
  EXPECT_EQ(armature_values(run, nullptr, 1), -1);
  EXPECT_STREQ(armature_error(), "values is NULL");
  EXPECT_EQ(armature_get_state(run, nullptr, armature_state_size(run)), -1);
  EXPECT_EQ(armature_set_state(run, nullptr, armature_state_size(run)), -1);
  EXPECT_EQ(armature_channel(run, nullptr), -1);
  armature_run_free(run);
  EXPECT_EQ(armature_compile_within(nullptr, "m.yaml", nullptr, nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "root is NULL");
  EXPECT_EQ(armature_compile_within(".", nullptr, nullptr, nullptr), nullptr);
  EXPECT_STREQ(armature_error(), "file is NULL");
}

TEST_F(CInterface, ReadsFilesBelowItsRoot) {
  std::filesystem::create_directory(folder_ / "in");
  std::ofstream(folder_ / "t.csv") << "x,y\n0,1\n1,1\n";
  const std::string file = folder_ / "in/m.yaml";
  std::ofstream(file)
      << "armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1 kg, inertia: none}}\n"
         "joints: {j: {type: prismatic, axis: x, between: [ground, b]}}\ntables: {f: {file: ../t.csv}}\n";
  EXPECT_EQ(armature_compile(file.c_str(), nullptr, nullptr), nullptr);
  EXPECT_THAT(armature_error(), HasSubstr("in/m.yaml:5: tables.f.file: '../t.csv' is outside the folder of the model"));
  armature_machine* machine = armature_compile_within(folder_.path().c_str(), file.c_str(), nullptr, nullptr);
  EXPECT_NE(machine, nullptr) << armature_error();
  armature_machine_free(machine);
}

// A value at t = 2 s of a force that divides by zero in the branch that is not taken.
double value_with_a_pole(const std::string& file) {
  std::ofstream(file) << "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nbodies: {disk: {mass: 1 kg, inertia: {zz: 1}}}\n"
                         "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
                         "forces: {drive: {type: effort, on: turn, is: \"if(turn > 0.3, 1/turn, 1 + exp(turn)/3)\"}}\n";
  armature_machine* machine = armature_compile(file.c_str(), nullptr, nullptr);
  armature_run* run = armature_run_new(machine);
  EXPECT_EQ(armature_advance(run, 2), 0) << armature_error();
  const double value = armature_value(run, armature_channel(run, "turn"));
  armature_run_free(run);
  armature_machine_free(machine);
  return value;
}

TEST_F(CInterface, ComputesTheSameWhateverTheArithmeticOfItsHost) {
  const std::string file = folder_ / "pole.yaml";
  const double expected = value_with_a_pole(file);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  std::fesetround(FE_UPWARD);
  const double value = value_with_a_pole(file);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_EQ(fegetexcept(), FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(value, expected);
}

TEST_F(CInterface, TellsEventsAndTheOutcome) {
  const std::string file = folder_.path() / "events.yaml";
  std::ofstream(file) << "armature: 1\ngravity: [0, 0, 0]\nplane: xy\ninputs: {u: {unit: N*m}}\n"
                         "bodies: {disk: {mass: 1 kg, inertia: {zz: 1 kg*m^2}}}\n"
                         "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
                         "forces: {drive: {type: effort, on: turn, is: u}}\nrecord: {events: {half: turn - 0.5}}\n";
  armature_machine* machine = armature_compile(file.c_str(), nullptr, nullptr);
  armature_run* run = armature_run_new(machine);
  ASSERT_NE(run, nullptr) << armature_error();
  EXPECT_EQ(armature_set_input(run, 0, 1), 0);
  EXPECT_EQ(armature_event_count(run), 0);
  EXPECT_EQ(armature_advance(run, 2), 0);
  EXPECT_EQ(armature_status(run), ARMATURE_RUNNING);
  ASSERT_EQ(armature_event_count(run), 1);
  EXPECT_NEAR(armature_event_time(run, 0), 1, 1e-6);
  EXPECT_THAT(armature_event_text(run, 0), HasSubstr("half"));
  EXPECT_EQ(armature_event_text(run, 1), nullptr);
  EXPECT_THAT(armature_error(), HasSubstr("there is no event number 1"));
  EXPECT_EQ(armature_finish(run), ARMATURE_FINISHED);
  EXPECT_STREQ(armature_outcome(run), "ended at t = 2 s");
  EXPECT_EQ(armature_warning_count(run), 0);
  EXPECT_EQ(armature_advance(run, 3), -1);
  EXPECT_THAT(armature_error(), HasSubstr("the run has ended"));
  armature_run_free(run);
  armature_machine_free(machine);
}

}  // namespace
