#include "expression/units.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

void expect_unit(const char* text, double factor, const char* dimension) {
  const Unit unit = unit_of(text);
  EXPECT_DOUBLE_EQ(unit.factor, factor) << text;
  EXPECT_EQ(to_string(unit.dimension), dimension) << text;
}

TEST(Units, HaveTheirSiValues) {
  expect_unit("m", 1, "m");
  expect_unit("cm", 0.01, "m");
  expect_unit("g", 0.001, "kg");
  expect_unit("kg", 1, "kg");
  expect_unit("tonne", 1000, "kg");
  expect_unit("in", 0.0254, "m");
  expect_unit("ft", 12 * 0.0254, "m");
  expect_unit("lb", 0.45359237, "kg");
  expect_unit("oz", 0.028349523125, "kg");
  expect_unit("lbf", 4.4482216152605, "N");
  expect_unit("psi", 6894.757293168361, "Pa");
  expect_unit("hp", 745.6998715822702, "W");
  expect_unit("ms", 0.001, "s");
  expect_unit("min", 60, "s");
  expect_unit("h", 3600, "s");
  expect_unit("rpm", 0.10471975511965977, "1/s");  // 2 pi/60
  expect_unit("rev", 6.2831853071795865, "1");
  expect_unit("kN", 1000, "N");
  expect_unit("N*m", 1, "N m");
  expect_unit("N*m*s/rad", 1, "N m s");
  expect_unit("J", 1, "N m");
  expect_unit("W", 1, "W");
  expect_unit("GPa", 1e9, "Pa");
  expect_unit("V", 1, "V");
  expect_unit("Ohm", 1, "Ohm");
  expect_unit("mH", 1e-3, "H");
  expect_unit("kHz", 1e3, "1/s");
  expect_unit("K", 1, "K");
  expect_unit("kg*m^2", 1, "kg m^2");
  expect_unit("m/s^2", 1, "m/s^2");
  expect_unit("kg*K/A/s", 1, "kg K/(s A)");
}

TEST(Units, AgreeAmongThemselves) {
  EXPECT_EQ(unit_of("V*A").dimension, unit_of("W").dimension);
  EXPECT_EQ(unit_of("V/A").dimension, unit_of("Ohm").dimension);
  EXPECT_EQ(unit_of("V*s/A").dimension, unit_of("H").dimension);
  EXPECT_EQ(unit_of("N/m^2").dimension, unit_of("Pa").dimension);
}

TEST(Units, RejectUnknownSymbolsAndPrefixes) {
  for (const char* symbol : {"", "x", "kmin", "mdeg", "krpm", "kk", "t", "e"})
    EXPECT_FALSE(find_unit(symbol)) << symbol;
}

TEST(Dimension, HasPowersWhereExponentsStayWhole) {
  const Dimension area = unit_of("m^2").dimension;
  EXPECT_EQ(power(area, 0.5), length_dimension);
  EXPECT_EQ(power(area, -1), dimensionless / area);
  EXPECT_FALSE(power(length_dimension, 0.5).has_value());
}

}  // namespace
}  // namespace armature::internal
