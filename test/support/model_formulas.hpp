// Every formula of a model, one after the other.
#pragma once

#include "model/model.hpp"

namespace armature::internal {

template <class Action>
void for_each_formula(Body& body, const Action& act) {
  for (Formula* formula : {&body.mass, &body.center}) act(*formula);
  Inertia& inertia = body.inertia;
  for (Formula* formula : {&inertia.xx, &inertia.yy, &inertia.zz, &inertia.xy, &inertia.xz, &inertia.yz}) act(*formula);
  for (NamedPoint& point : body.points) act(point.at);
  for (Shape& shape : body.shapes)
    for (Formula* formula :
         {&shape.at, &shape.sides, &shape.radius, &shape.from, &shape.to, &shape.scale, &shape.angle, &shape.axis})
      act(*formula);
  if (!body.beam) return;
  Beam& beam = *body.beam;
  for (Formula* formula :
       {&beam.length, &beam.area, &beam.I_y, &beam.I_z, &beam.J, &beam.youngs_modulus, &beam.shear_modulus,
        &beam.density, &beam.mass_damping, &beam.stiffness_damping, &beam.damping_ratio})
    act(*formula);
}

template <class Action>
void for_each_formula(Joint& joint, const Action& act) {
  for (Formula* formula : {&joint.a.at, &joint.b.at, &joint.axis_a, &joint.axis_b, &joint.turned.rpy,
                           &joint.turned.angle, &joint.turned.axis})
    act(*formula);
  for (Formula& formula : joint.own) act(formula);
  for (JointElement& element : joint.elements)
    for (Formula* formula :
         {&element.inertia, &element.damping, &element.friction, &element.breakaway, &element.stiffness, &element.rest,
          &element.lower, &element.upper, &element.stop_stiffness, &element.stop_damping})
      act(*formula);
}

// What an item of any kind gives for its keys.
template <class Action>
void for_each_formula(Item& item, const Action& act) {
  for (auto& [key, formula] : item.values) act(formula);
}

template <class Action>
void for_each_formula(Drive& drive, const Action& act) {
  Transmission& gear = drive.gear;
  Rotor& rotor = drive.rotor;
  for (Formula* formula :
       {&drive.command.is, &gear.ratio, &gear.radius, &gear.efficiency, &gear.stiffness, &gear.damping, &gear.backlash,
        &rotor.inertia, &rotor.viscous_friction, &rotor.coulomb_friction, &rotor.axis})
    act(*formula);
  for (DriveLimit& limit : drive.limits) act(limit.bound);
  for_each_formula(static_cast<Item&>(drive), act);
}

template <class Action>
void for_each_formula(LagrangianSection& lagrangian, const Action& act) {
  for (Formula* formula : {&lagrangian.kinetic, &lagrangian.potential, &lagrangian.dissipation}) act(*formula);
  for (LagrangianSection::Force& force : lagrangian.forces) act(force.is);
  for (LagrangianSection::Constraint& constraint : lagrangian.constraints) act(constraint.zero);
  for (LagrangianSection::Drawing& drawing : lagrangian.draw)
    for (Formula& point : drawing.points) act(point);
}

template <class Action>
void for_each_formula(Start& start, const Action& act) {
  for (auto* entries : {&start.keep, &start.near, &start.speed_keep, &start.speed_near})
    for (StartEntry& entry : *entries)
      for (Formula* formula : {&entry.value, &entry.at, &entry.angle, &entry.axis, &entry.velocity, &entry.spin})
        act(*formula);
}

template <class Action>
void for_each_formula(Model& model, const Action& act) {
  act(model.gravity);
  for (Parameter& parameter : model.parameters) act(parameter.formula);
  for (auto& [name, formula] : model.definitions) act(formula);
  for_each_formula(model.lagrangian, act);
  for (Body& body : model.bodies) for_each_formula(body, act);
  for (NamedPoint& point : model.points) act(point.at);
  for (Joint& joint : model.joints) for_each_formula(joint, act);
  for (DistanceConstraint& distance : model.distances)
    for (Formula* formula : {&distance.a.at, &distance.b.at, &distance.length}) act(*formula);
  for (PrescribedConstraint& constraint : model.prescribed) act(constraint.zero);
  for (ForceElement& element : model.forces) {
    for (Attachment& place : element.places) act(place.at);
    for_each_formula(element, act);
  }
  for (Drive& drive : model.drives) for_each_formula(drive, act);
  for (Controller& controller : model.controllers) for_each_formula(controller, act);
  for (DesiredMotion& motion : model.motion) act(motion.is);
  for_each_formula(model.start, act);
  for (auto& [name, formula] : model.record.quantities) act(formula);
  for (auto& [name, formula] : model.record.events) act(formula);
}

}  // namespace armature::internal
