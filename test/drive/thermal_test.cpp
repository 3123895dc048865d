// Temperatures of a winding of 10 J/K behind 4 K/W, with 18 W of copper loss (3 A in 2 Ohm).
#include "drive/thermal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

const std::string warm_motor =
    "torque_constant: 0.5, resistance: 2, current: 3, winding: {heat_capacity: 10, thermal_resistance: 4, ambient: 300";
const std::string warm_seconds = "simulate: {end: 50, record: 1, rtol: 1e-10}";

TEST(WindingHeat, WarmsUpToItsThermalResistance) {
  const Simulation run = simulated_text(dc_disc(warm_motor + "}", warm_seconds));
  EXPECT_NEAR(run.last("m.temperature"), 300 + 4 * 18 * (1 - std::exp(-50.0 / 40)), 1e-6);
}

// C T' = P - (T - H)/R and C_h H' = (T - H)/R - H/R_h at rises of 20 K and 12 K.
TEST(WindingHeat, PassesThroughItsHousing) {
  const Prepared start =
      prepared_text(dc_disc(warm_motor + ", housing_heat_capacity: 50, housing_thermal_resistance: 3}", ""));
  Prepared warm = start;
  const auto& others = warm.system->equations().others;
  const Eigen::Index first = warm.start.x.size() - static_cast<Eigen::Index>(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].name == "m.temperature_rise") warm.start.x[first + static_cast<Eigen::Index>(i)] = 20;
    if (others[i].name == "m.housing_rise") warm.start.x[first + static_cast<Eigen::Index>(i)] = 12;
  }
  const Moment now = moment_of(warm);
  EXPECT_NEAR(now["m.temperature"], 320, 1e-12);
  EXPECT_NEAR(now["m.housing_temperature"], 312, 1e-12);
  EXPECT_NEAR(now["m.temperature_rise'"], (18 - 2) / 10.0, 1e-12);
  EXPECT_NEAR(now["m.housing_rise'"], (2 - 4) / 50.0, 1e-12);
}

// A hundredth more resistance a kelvin: 18 W (1 + T/100) against T/4.
TEST(WindingHeat, RaisesItsResistance) {
  const Simulation run = simulated_text(dc_disc(warm_motor + ", temperature_coefficient: 0.01}", warm_seconds));
  const double k = (0.25 - 0.18) / 10, end = 1.8 / k;
  EXPECT_NEAR(run.last("m.temperature"), 300 + end * (1 - std::exp(-50 * k)), 1e-5);
  EXPECT_NEAR(run.last("m.voltage"), 6 * (1 + 0.01 * (run.last("m.temperature") - 300)) + 0.5 * run.last("turn'"),
              1e-6);
}

TEST(WindingHeat, OfAHousingHasBothOfItsKeys) {
  for (const auto& [given, missing] : {std::pair("housing_heat_capacity: 1", "housing_thermal_resistance"),
                                       std::pair("housing_thermal_resistance: 1", "housing_heat_capacity")})
    try {
      prepared_text(dc_disc(warm_motor + ", " + given + "}", ""));
      FAIL() << given;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.diagnostics().at(0).key, std::string("drives.m.winding.") + missing);
    }
}

}  // namespace
}  // namespace armature::internal
