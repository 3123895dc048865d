// Armature: mechanisms with closed kinematic loops and the motors that drive them.
//
//   armature::Machine machine = armature::compile(armature::read_model("crane.yaml"));
//   armature::Run run(machine);
//   run.set_input("V1", 12);
//   run.advance(0.5);
//   double x = run.value("travel");
#pragma once

#include "armature/identify.hpp"
#include "armature/machine.hpp"
#include "armature/model.hpp"
#include "armature/plan.hpp"
#include "armature/run.hpp"
#include "armature/study.hpp"
#include "armature/version.hpp"
