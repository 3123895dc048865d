// The symbols of a machine as data: shapes whose corners are measured in units of the drawing, at places that move with the machine.
// What has which symbol is said once, here; `draw` and `film` put the list into a picture (list_drawing.cpp), a page into its scene
// (viewer/src/symbols.ts).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

// From the place of a symbol: a share of the way to its second end, then units along it and across it, then m along and across.
struct Corner {
  double share = 0, along = 0, across = 0;
  double along_m = 0, across_m = 0;
};

// Colors are roles: "ink", "metal", "mark", "paper", "pitch", "body 3", "edge 3"; "pale mark" is nearer to the paper.
struct SymbolPart {
  // hatch: strokes on one side of a line from the first corner to the second, in the direction of the third. rod: a cylinder from end to
  // end. letter: an M, beyond the second corner as seen from the first.
  enum Kind { line, area, circle, hatch, rod, ball, letter };

  Kind kind = line;
  std::vector<Corner> corners = {};
  std::string color = {}, edge = {};
  double size = 0;  // units: the width of a line, the radius of what is round
  bool dashed = false;
  int turns = 0;  // of a circle or a helix in place of the corners; its radius is that of the first one
};
using SymbolShape = std::vector<SymbolPart>;

// m + u units + shares of the least and the largest slide of the motion. reach: times how far the shapes of the body that slides go to the
// side of its sign, at least so many units. stop: besides, the value at which this end stop of the joint acts.
struct SymbolLength {
  double m = 0, u = 0, low = 0, high = 0, reach = 0, least = 0;
  int stop = -1;
};
struct SymbolShift {
  Eigen::Vector3d along;  // in the axes of the joint's first body
  SymbolLength length;
};

struct Anchor {
  enum Side { a, b };

  bool of_joint = true;  // else of a link
  std::size_t index = 0;
  Side side = b;
  std::vector<SymbolShift> shifts = {};
};

struct SymbolDirection {
  int body = -1;
  Eigen::Vector3d along;
};

struct Symbol {
  std::string kind;
  Sketch::Layer layer = Sketch::elements;  // in a plane; in space the depth decides
  double depth = 0;                        // within the layer
  double lift = 0;                         // in space: so many units towards the reader
  Anchor at;
  std::optional<Anchor> to = {};               // where it ends
  std::optional<SymbolDirection> along = {};   // else: to the right, in the picture
  std::optional<SymbolDirection> across = {};  // else: to the right of `along`, in the picture
  int about = -1;                              // a revolute joint: counter-clockwise about its axis
  int stop =
      -1;  // of the joint at whose place it is: `along` and `across` are turned by its value, about the axis of its stop arm
  bool over = false;  // nothing hides it; one with a lift is hidden in a picture by what is nearer than that
  bool base = false;  // it stands on the ground: in the space of a page on a foot
  SymbolShape shape;
};

bool pulls_out(const MachineSketch& m, const SceneJoint& joint);  // a slider in space that is a tube, not a rail

std::vector<Symbol> symbols_of(MachineSketch& m);
void add_link_symbols(MachineSketch& m, std::vector<Symbol>& list);
void add_slider_symbols(MachineSketch& m, std::size_t joint, std::vector<Symbol>& list);
void add_coupling_symbols(MachineSketch& m, std::vector<Symbol>& list);
// The thread of a screw over the way of its nut, and so many units beyond; both are joints.
void add_thread_symbol(MachineSketch& m, int screw, int nut, double beyond, std::vector<Symbol>& list);
void add_support(MachineSketch& m, const Anchor& at, std::vector<Symbol>& list);  // once at each place

// Where it is now, m.
Eigen::Vector3d placed(const MachineSketch& m, const Anchor& place);
const ScenePlace& scene_place(const Scene& scene, const Anchor& place);
double reach_of(const MachineSketch& m, const ScenePlace& place,
                const Eigen::Vector3d& along);  // of the shapes of its body, m

struct RoundShape {
  double radius = 0;  // m
  Eigen::Vector3d middle;
};
std::optional<RoundShape> shape_about(const PosedScene& pose, const SceneJoint& joint);  // the thinnest one

std::vector<Corner> corners_of(const SymbolPart& part);
void draw_symbol(MachineSketch& m, const Symbol& symbol);

}  // namespace armature::internal::plot
