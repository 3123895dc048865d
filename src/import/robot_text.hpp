// Numbers, vectors and names as a person writes them into a model file.
#pragma once

#include <Eigen/Core>
#include <map>
#include <set>
#include <string>

namespace armature::internal {

std::string number_text(double x);                   // in as few digits as give it to 2e-15
std::string vector_text(const Eigen::Vector3d& x);   // "[0.1, 0, 0]"; what is round-off beside the others is 0
std::string axis_text(const Eigen::Vector3d& axis);  // "x", "-z", "[0.6, 0, 0.8]"
Eigen::Vector3d without_round_off(const Eigen::Vector3d& x);

// Names of a model file are words of letters, digits and _, and no two things share one.
class ModelNames {
 public:
  // A name for something that is called `wanted`; `kind` is appended where the name is taken: hip, hip_joint, hip_joint2.
  std::string take(const std::string& wanted, const std::string& kind);

 private:
  std::set<std::string> taken_;
};

std::string as_word(const std::string& name);  // "left-hip.1" as "left_hip_1"

}  // namespace armature::internal
