// What a machine looks like: its bodies, joints and springs as plain data, and where everything is at a recorded row.
//
// A frame is a flat list of numbers: for each rigid body and beam the position of its frame and a quaternion (x, y, z, w),
// for each beam besides the positions of points along it, for each applied force or torque its vector, for each line of a Lagrangian's
// `draw` the positions of its points; last, for each beam the stress or bending moment at its points.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "model/model.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

using Triple = std::array<double, 3>;

struct ScenePlace {
  int body = -1;  // -1: ground
  Triple at{};    // m, in the body's frame
};

struct SceneShape {
  std::string kind;  // as of Shape
  Triple at{}, sides{}, from{}, to{};
  double radius = 0;
  std::vector<float> triangles;  // of a mesh: nine numbers each, m
};

struct SceneBeam {
  double length = 0;
  int offset = 0;          // of its points in a frame
  int nodes = 0;           // equally spaced along it
  bool held = false;       // joints at both ends: its chord is where they are
  int load = 0;            // offset in a frame of how hard it is loaded, a number at each node
  bool is_stress = false;  // of the outermost fibre, Pa; else the bending moment, N m
};

struct SceneBody {
  std::string name;
  double mass = 0;  // kg
  Triple center{};
  std::vector<std::pair<std::string, Triple>> points;
  std::vector<SceneShape> shapes;
  std::vector<Triple> touched;  // centers of its surfaces that touch others
  int offset = 0;               // of its pose in a frame
  std::optional<SceneBeam> beam;
};

struct SceneJoint {
  std::string name, type;
  std::string glyph;  // how it is drawn (model/joint_kinds.hpp); "": not at all
  ScenePlace a, b;
  Triple axis{};  // in a's axes
  bool driven = false;
  std::string drive = {};  // what moves it: "motor", "cylinder", "effort" or "prescribed"; empty: nothing
  std::optional<double> brake =
      {};  // that acts on a revolute or prismatic joint: radius of the wheel that is drawn, m; 0: none is
  bool spring = false, damper = false;
  std::string reaction_axes =
      "first";  // in which its reaction is recorded: of the "first" or "second" body, or of the "ground"
  std::array<std::optional<double>, 2> stops = {};  // lower and upper value at which an end stop acts, rad or m
  // Of a revolute joint with end stops: what they are fixed to, and the arm that meets them.
  struct StopArm {
    int body = -1;  // that carries the stops
    Triple axis{};  // about which the other body turns, in the axes of this one
    Triple arm{};   // direction of the other body's arm where the joint is zero, across the axis
  };
  std::optional<StopArm> stop_arm = {};
  std::array<double, 2> shaft =
      {};  // of a revolute joint: how far the shapes around it reach against and along the axis, m
};

struct SceneLink {
  std::string name, kind;  // "spring", "damper", "spring_damper", "gas_spring", "bushing", "rope" or "distance"
  ScenePlace a, b;
};

// Two joints whose motions are in proportion.
struct SceneCoupling {
  std::string name;
  // "gear": pitch circles that touch. "belt": open or, where a radius is negative, crossed. "rack": a pinion, and a line that slides.
  // "screw": a thread about the axis of a. "worm": a thread about a, and the pitch circle of b. "shaft": a line from a to b; "clutch": with
  // two plates on it.
  std::string kind;
  int a = 0, b = 0;                   // joints; a rack is b
  double radius_a = 0, radius_b = 0;  // m, of the wheels about their axes
};

// A closed outline on a body: of a cam, of the wheel and the disc of a Geneva drive, of its pin. For the values of the file.
struct SceneProfile {
  std::string name, kind;  // "cam", "geneva" or "pin"
  int body = 0;
  std::vector<Triple> outline;  // m, in the body's frame
};

// A force or torque on a body, in the axes of the ground.
struct SceneLoad {
  std::string name, kind;  // "force" or "torque"
  ScenePlace at;
  int offset = -1;       // of its vector in a frame, N or N m; -1: it depends on more than the position
  bool in_body = false;  // the vector is in the body's axes
};

struct SceneDrawing {
  std::string name;
  int offset = 0, points = 0;
  bool outline = false;  // of a surface: a thin line, without dots at its points
  bool fixed =
      false;  // of a plane on the ground: hatched over the way of what touches it. The ground is to the left of it, seen from the normal
};

class Scene {
 public:
  // Free parameters stay inputs of the program, and of what stands in the document besides (layout).
  explicit Scene(const Model& model, const std::vector<std::string>& free_parameters = {});

  std::string plane;              // "xy", "xz", "yz": seen from its normal; empty: in space
  std::optional<Triple> gravity;  // m/s^2, where it does not change
  std::vector<std::pair<std::string, Triple>> ground;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneLink> links;
  std::vector<SceneCoupling> couplings;
  std::vector<SceneProfile> profiles;
  std::vector<SceneLoad> loads;
  std::vector<SceneDrawing> drawings;
  std::vector<std::string> notes;  // what could not be drawn, and why

  int frame_size() const { return frame_size_; }
  const std::vector<std::string>& inputs() const { return inputs_; }  // of the program: t, coordinates, free parameters
  const std::shared_ptr<const Program>& program() const { return program_; }
  int poses() const {
    return poses_;
  }  // its outputs: twelve a pose (position, axes row by row), then three a point, then loads
  int points() const { return point_count_; }

  // Numbers of to_json(scene) that follow free parameters: where they stand ("bodies/0/center/1"), and their values from these.
  struct Layout {
    std::vector<std::string> paths;
    std::shared_ptr<const Program> program;
  };
  const Layout& layout() const { return layout_; }

  // One frame from a row of these channels, which name the coordinates.
  class Frames {
   public:
    Frames(const Scene& scene, const std::vector<Channel>& channels);
    void append(std::span<const double> row, std::vector<float>& frames);

   private:
    const Scene& scene_;
    std::vector<int> columns_;  // of the program's inputs; -1: not recorded
    Evaluator evaluate_;
    std::vector<double> in_, out_;
  };

 private:
  class Builder;

  std::vector<std::string> inputs_;
  std::shared_ptr<const Program> program_;
  Layout layout_;
  int poses_ = 0, point_count_ = 0, frame_size_ = 0;
};

}  // namespace armature::internal
