// Robots as texts: small files, each with one thing that matters, and the model that a person would write beside it.
#pragma once

#include <gmock/gmock.h>

#include "import/import.hpp"
#include "inspect/compare.hpp"
#include "support/run_model.hpp"

namespace armature::internal::imports {

inline ImportedModel text(const std::string& xml, const ImportOptions& options = {}) {
  return import_robot(xml, "r.xml", options);
}
inline std::vector<std::string> lost(const std::string& xml) { return text(xml).not_taken; }

inline std::string problem(const std::string& xml) {
  try {
    text(xml);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

inline CompareResult compared(const std::string& robot, const std::string& own) {
  CompareOptions options;
  options.states = 5;
  return compare(read_model_text(robot, "r.xml"), read_model_text("armature: 1\n" + own), options);
}

inline void expect_same(const std::string& robot, const std::string& own) {
  const CompareResult comparison = compared(robot, own);
  EXPECT_EQ(comparison.obstacle, "");
  EXPECT_LT(comparison.acceleration, 1e-12) << comparison.acceleration_of << "\n" << text(robot).text;
  EXPECT_FALSE(comparison.apart()) << comparison.verdict() << "\n" << text(robot).text;
}

// --- MJCF: a bob on a hinge, with more in the body, in the hinge, and around them

inline std::string mjcf(const std::string& hinge, const std::string& around = "", const std::string& body = "") {
  return "<mujoco>" + around + "<worldbody><body name=\"a\" " + body + "><joint name=\"x\" axis=\"0 1 0\" " + hinge +
         "/><geom size=\"0.1\" pos=\"1 0 0\"/></body></worldbody></mujoco>";
}

// --- URDF: an arm on a joint

inline const std::string inertial =
    "<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial>";

inline std::string urdf(const std::string& arm, const std::string& joint = "", const std::string& type = "continuous",
                        const std::string& more = "") {
  return "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\">" + arm + "</link><joint name=\"j\" type=\"" +
         type + "\"><parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 1 0\"/>" + joint + "</joint>" + more +
         "</robot>";
}

// --- SDFormat: a bob on a hinge

inline std::string sdf(const std::string& model, const std::string& link = "", const std::string& axis = "",
                       const std::string& joint = "", const std::string& type = "revolute") {
  return "<sdf version=\"1.9\"><model name=\"m\" " + model +
         "><link name=\"bob\"><pose>0 0 -1 0 0 0</pose><inertial><mass>2</mass></inertial>" + link +
         "</link><joint name=\"hinge\" type=\"" + type +
         "\"><parent>world</parent><child>bob</child><axis><xyz>0 1 0</xyz>" + axis + "</axis>" + joint +
         "</joint></model></sdf>";
}

}  // namespace armature::internal::imports
