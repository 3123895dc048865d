// The parts of a builder: coordinates by name, the total time derivative, forces and inertia on rates.
#include "mechanics/builder.hpp"

#include <gtest/gtest.h>

#include "expression/program.hpp"

namespace armature::internal {
namespace {

// Two coordinates, x and y = elbow, of a model without a file.
class Builder : public testing::Test {
 protected:
  Builder() {
    equations_.t = equations_.graph->input("t");
    builder_.add_coordinate("x", Coordinate::Kind::length, "x");
    builder_.add_coordinate("elbow", Coordinate::Kind::angle, "elbow");
  }
  const Expression& q(int i) const { return equations_.q[static_cast<std::size_t>(i)]; }
  const Expression& v(int i) const { return equations_.v[static_cast<std::size_t>(i)]; }
  double at(Expression f, double t, std::vector<double> q, std::vector<double> v) const {
    std::vector<Expression> leaves{equations_.t};
    leaves.insert(leaves.end(), equations_.q.begin(), equations_.q.end());
    leaves.insert(leaves.end(), equations_.v.begin(), equations_.v.end());
    std::vector<double> in{t};
    in.insert(in.end(), q.begin(), q.end()), in.insert(in.end(), v.begin(), v.end());
    double value = 0;
    Evaluator evaluator(std::make_shared<Program>(leaves, std::vector<Expression>{f}));
    evaluator(in.data(), &value);
    return value;
  }

  Model model_;
  Equations equations_;
  EquationsBuilder builder_{model_, equations_};
};

TEST_F(Builder, KnowsCoordinatesByName) {
  EXPECT_EQ(builder_.coordinate("x", {}).value, q(0));
  EXPECT_EQ(builder_.coordinate("elbow", {}).unit, "rad");
  EXPECT_EQ(builder_.coordinates().find("z"), nullptr);
  try {
    builder_.coordinate("elbw", {});
    FAIL() << "there is no elbw";
  } catch (const FormulaError& error) {
    EXPECT_STREQ(error.what(), "'elbw' is not a coordinate (did you mean 'elbow'?)");
  }
}

TEST_F(Builder, FindsACoordinateThatItHasAlready) {
  builder_.add_coordinate("x", Coordinate::Kind::length, "x");
  EXPECT_EQ(equations_.q.size(), 2u);
}

// d/dt (t x^2 y) = x^2 y + 2 t x y x' + t x^2 y' at t = 2, x = 3, y = 5, x' = 7, y' = 11
TEST_F(Builder, DifferentiatesAlongTheMotion) {
  const Expression f = equations_.t * q(0) * q(0) * q(1);
  EXPECT_EQ(at(builder_.rate_of(f), 2, {3, 5}, {7, 11}), 45 + 420 + 198);
}

TEST_F(Builder, DifferentiatesByCoordinatesThatCameLater) {
  EXPECT_TRUE(builder_.rate_of(1.0).is(0));
  const NamedCoordinate z = builder_.add_coordinate("z", Coordinate::Kind::angle, "z");
  EXPECT_EQ(builder_.rate_of(z.value), z.rate);
}

// The solution of the equations of motion replaces the leaf later; a rate of it is not known.
TEST_F(Builder, TheRateOfAVelocityIsALeaf) {
  const Expression rate = builder_.rate_of(v(0));
  ASSERT_FALSE(equations_.a.empty());
  EXPECT_EQ(rate, equations_.a[0]);
  EXPECT_THROW(builder_.rate_of(rate), FormulaError);
  EXPECT_THROW(builder_.apply(1.0, rate), FormulaError);
}

// rate = y x' + 2 y':  f += J' F with J = (y, 2)
TEST_F(Builder, AppliesEffortsByTheirRates) {
  builder_.apply(q(0), q(1) * v(0) + 2.0 * v(1));
  ASSERT_EQ(builder_.forces().applied().size(), 2u);
  EXPECT_EQ(at(builder_.forces().applied().at(0), 0, {3, 5}, {7, 11}), 15);
  EXPECT_EQ(at(builder_.forces().applied().at(1), 0, {3, 5}, {7, 11}), 6);
}

// T = 1/2 I (y x')^2:  M_xx = I y^2,  f_x = -I y (y' x')
TEST_F(Builder, AddsInertiaWithItsVelocityTerms) {
  builder_.add_inertia(2.0, q(1) * v(0));
  EXPECT_EQ(at(builder_.forces().inertia().at({0, 0}), 0, {3, 5}, {7, 11}), 50);
  EXPECT_EQ(at(builder_.forces().applied().at(0), 0, {3, 5}, {7, 11}), -2 * 5 * 11 * 7);
}

TEST_F(Builder, HasVirtualVelocitiesBehindThoseOfTheModel) {
  EquationsBuilder second(model_, equations_, {"x", "y"});
  EXPECT_TRUE(second.second_build());
  EXPECT_EQ(second.velocities().count(), 2 + 12);
  EXPECT_EQ(second.velocities().first_displacement("y"), 6);
  EXPECT_EQ(second.velocities().first_displacement("other"), -1);
  const Expression displacement = second.velocities().displacements()[6], rate = second.velocities().virtual_rates()[6];
  EXPECT_EQ(second.velocities().number_of(rate.id()), 2 + 6);
  EXPECT_EQ(second.time_derivative(displacement), rate);
}

}  // namespace
}  // namespace armature::internal
