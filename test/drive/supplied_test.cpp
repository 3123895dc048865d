// What a drive takes from its supply: its voltage stays within that of the supply, of either sign, and its power is the supply's.
#include "drive/supplied.hpp"

#include <gmock/gmock.h>

#include "drive/other_drives.hpp"
#include "support/moment.hpp"

namespace armature::internal {
namespace {

std::string supplied_disc(const std::string& motor) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\ndrives:\n"
         "  bus: {type: supply, voltage: 48, resistance: 0.05, capacitance: 2e-3}\n"
         "  m: {type: dc_motor, on: turn, torque_constant: 0.5, resistance: 2, " +
         motor + "}\n";
}

TEST(Supplied, VoltageStaysWithinThatOfTheSupply) {
  EXPECT_NEAR(moment_of(supplied_disc("supply: bus, voltage: 20"))["m.voltage"], 20, 1e-12);
  EXPECT_NEAR(moment_of(supplied_disc("supply: bus, voltage: 100"))["m.voltage"], 48, 1e-12);
  EXPECT_NEAR(moment_of(supplied_disc("supply: bus, voltage: -100"))["m.voltage"], -48, 1e-12);
  EXPECT_NEAR(moment_of(supplied_disc("voltage: 100"))["m.voltage"], 100, 1e-12);
}

// 10 A at 20 V come out of the capacitor of the supply: 200 W at 48 V, C V' = -200/48.
TEST(Supplied, PowerComesOutOfTheSupply) {
  EXPECT_NEAR(moment_of(supplied_disc("supply: bus, voltage: 20"))["bus.voltage'"], -200 / 48.0 / 2e-3, 1e-9);
  EXPECT_NEAR(moment_of(supplied_disc("voltage: 20"))["bus.voltage'"], 0, 1e-9);
  EXPECT_NEAR(moment_of(supplied_disc("voltage: 20"))["work.electrical'"], 200, 1e-9);
}

// A motor that is told its current needs 2 V an ampere, which the supply has up to 24 A.
TEST(Supplied, ACommandedCurrentBeyondTheVoltageIsWarnedOf) {
  const auto warnings = [](const std::string& current) {
    return simulated_text(supplied_disc("supply: bus, current: " + current) + "simulate: {end: 1 ms}\n")
        .outcome.warnings();
  };
  EXPECT_TRUE(warnings("23").empty());
  for (const char* current : {"40", "-40"})
    EXPECT_THAT(warnings(current),
                testing::Contains(testing::HasSubstr("needs more voltage for its current than there is")))
        << current;
}

TEST(Supplied, NamesASupplyThatDoesNotExist) {
  try {
    prepared_text(supplied_disc("supply: bas, voltage: 20"));
    FAIL() << "an unknown supply was accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(error.diagnostics().at(0).message.find("there is no supply 'bas' among the drives"), std::string::npos)
        << error.diagnostics()[0].message;
  }
}

}  // namespace
}  // namespace armature::internal
