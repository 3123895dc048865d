// Spatial slider-crank with a flexible coupler: energy, and the rigid machine as the limit of a stiff coupler.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

double largest(const std::vector<double>& x) {
  double result = 0;
  for (double value : x) result = std::max(result, std::abs(value));
  return result;
}

// Stored, lost and electrical energy balance; work comes in and goes through both bending planes and the torsion.
TEST(FlexibleSliderCrank, EnergyIsBalanced) {
  Model model = shipped("flexible_slider_crank");
  model.simulate.rtol = 1e-10, model.simulate.end = 0.2;
  const Simulation run = simulated(model);
  const double exchanged = run.last("work.electrical");
  EXPECT_GT(exchanged, 1);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * exchanged);
  EXPECT_GT(largest(run.column("coupler.wy1")), 2e-4);
  EXPECT_GT(largest(run.column("coupler.wz1")), 5e-5);
  EXPECT_GT(largest(run.column("coupler.twist2")), 1e-6);
}

// Clamped at the slider instead of the chord's frame: the same machine but for terms of third order in slopes of a few
// thousandths.
TEST(FlexibleSliderCrank, FramesAgree) {
  Model chord = shipped("flexible_slider_crank");
  for (Body& body : chord.bodies)
    if (body.beam) body.beam->damping_ratio = {};  // of the modes in the frame, which differ
  Model clamped = chord;
  for (Model* model : {&chord, &clamped})
    model->simulate.end = 0.05, model->simulate.record = 0.01, model->simulate.rtol = 1e-9;
  for (Body& body : clamped.bodies)
    if (body.beam) body.beam->chord = false;
  const Simulation a = simulated(chord), b = simulated(clamped);
  for (const char* channel : {"coupler.middle.x", "coupler.middle.y", "coupler.middle.z"})
    EXPECT_NEAR(a.last(channel), b.last(channel), 1e-7) << channel;
  EXPECT_NEAR(a.last("angle"), b.last("angle"), 1e-6);
}

// A coupler a thousand times as stiff as the file's moves as a rigid rod of the same mass.
TEST(FlexibleSliderCrank, StiffCouplerIsRigid) {
  Model stiff = shipped("flexible_slider_crank"), rigid = stiff;
  for (Body& body : stiff.bodies)
    if (body.beam) {
      body.beam->youngs_modulus = parse_formula("7e13", {});
      body.beam->shear_modulus = parse_formula("3e13", {});
      body.beam->motions = {{BeamField::bend_y, 1}, {BeamField::bend_z, 1}};
    }
  for (Body& body : rigid.bodies)
    if (body.beam) {
      body.beam.reset();
      body.mass = parse_formula("2700*0.3*0.003*0.006", {}), body.center = parse_formula("[0.15, 0, 0]", {});
      body.inertia.given = true;
      body.inertia.xx = parse_formula("2700*0.3*(0.006*0.003^3 + 0.003*0.006^3)/12", {});
      body.inertia.yy = body.inertia.zz = parse_formula("2700*0.3^3*0.003*0.006/12", {});
    }
  for (Model* model : {&stiff, &rigid})
    model->simulate.end = 0.1, model->simulate.record = 0.01, model->simulate.rtol = 1e-8;
  const Simulation a = simulated(stiff), b = simulated(rigid);
  EXPECT_NEAR(a.last("angle"), b.last("angle"), 1e-5);
  EXPECT_NEAR(a.last("slide"), b.last("slide"), 1e-6);
  EXPECT_NEAR(a.last("angle'"), b.last("angle'"), 1e-3);
}

// A motor in a housing at the tip of a spatial cantilever spins a disk; its rotor is carried by the housing.
TEST(FlexibleSliderCrank, MotorAtTheTipOfABeam) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies:
  arm:
    beam: {length: 0.4, section: {tube: [8 mm, 6 mm]}, E: 70 GPa, nu: 0.33, rho: 2700, modes: 2, damping: {ratio: 0.02}}
    points: {tip: [0.4, 0, 0]}
  housing: {mass: 0.1, inertia: {xx: 2e-5, yy: 2e-5, zz: 2e-5}}
  disk: {mass: 0.05, center: [0.002, 0, 0], inertia: {xx: 1e-5, yy: 1e-5, zz: 2e-5}}
joints:
  base: {type: revolute, axis: z, damping: 0.01, between: [ground, arm]}
  held: {type: fixed, between: [arm.tip, housing]}
  spin: {type: revolute, axis: [0, 1, 1], between: [housing, disk]}
drives:
  motor:
    type: dc_motor
    on: spin
    gear_ratio: 3
    rotor_inertia: 1e-6
    rotor: {carried_by: housing, axis: [0, 1, 1]}
    torque_constant: 0.01
    resistance: 1
    voltage: 6
simulate: {end: 0.2, record: 0.01, rtol: 1e-10}
)");
  EXPECT_GT(largest(run.column("arm.modey1")), 1e-5);
  EXPECT_GT(largest(run.column("arm.modez1")), 1e-3);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * run.last("work.electrical"));
}

}  // namespace
}  // namespace armature::internal
