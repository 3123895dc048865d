// A velocity in words: which bodies turn or move, about or along what, and what stands.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "singular/singular_pose.hpp"

namespace armature::internal {

// The model with three points on each rigid body (its origin and the ends of two axes), whose rates tell how it moves.
Model with_body_markers(Model model);
bool is_body_marker(const std::string& quantity);

class MotionWords {
 public:
  MotionWords(const Model& marked, const Equations& equations);
  ~MotionWords();

  // "platform can turn about z through (0.6, 0.3, 0), rod1 can turn about z while theta1, theta2 stand"
  std::string describe(const State& state, const Eigen::VectorXd& v, const std::vector<std::string>& standing);

  // Coordinates that take part in the velocity, largest first.
  std::vector<std::string> moving_coordinates(const Eigen::VectorXd& v) const;

 private:
  struct Body;
  std::string describe_body(const Body& body, const Eigen::VectorXd& values, const Eigen::VectorXd& rates) const;

  const Equations& e_;
  std::vector<Body> bodies_;
  class Markers;
  std::unique_ptr<Markers> markers_;
};

// Owners (joints and constraints that close loops) of the rows that carry weight, heaviest first.
std::vector<std::string> involved_loops(const Equations& equations, const std::vector<int>& rows,
                                        const Eigen::VectorXd& weights);

}  // namespace armature::internal
