// The document of a page about many motions: a table of what was varied and what came out, the curves and marked places that
// lie over its picture, and tables of numbers. viewer/src/study/document.ts reads it.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct StudyVariable {
  std::string name = {}, unit = {};
  std::string setting = {};         // its name for --set: "w0", "start.keep.phi"; empty: it is none of the model's
  std::vector<double> values = {};  // one per point
};

struct StudyResult {
  enum class Scale { linear, log, centered, classes };  // centered: its sign matters
  std::string name = {}, unit = {};
  std::vector<double> values = {};  // one per point; NaN: there is none. Of classes: numbers, negative: none
  Scale scale = Scale::linear;
  std::string missing = "failed";  // what NaN stands for
  std::vector<std::string> classes = {};
};

// Points of a level lie on a grid; each stands for the box of this size about it.
struct StudyLevel {
  std::vector<double> origin, spacing;  // one per variable
};

struct StudyMark {
  std::string name;
  std::vector<double> at;  // one per variable
  bool main = false;       // the one to take
};

struct StudyCurve {
  std::string name;
  bool line = true;                     // else separate points
  std::vector<std::vector<double>> at;  // one list a variable
};

struct StudyCard {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct StudyDocument {
  std::string verb = {}, status = "finished", sentence = {};
  std::string command = {};  // that runs a motion, less the settings of its variables; {name}: the value of a variable
  bool has_command = true;   // false: no command can run a point by itself
  std::string command_note = {};  // what the reader must know about the command
  std::vector<StudyVariable> variables = {};
  std::vector<StudyVariable> design = {};  // set in a motion, too, but on no axis
  std::vector<StudyResult> results = {};
  std::vector<StudyLevel> levels = {};  // empty: the points are scattered
  std::vector<int> level = {};          // of each point; empty: all of the first
  std::vector<StudyMark> marks = {};
  std::vector<StudyCurve> curves = {};
  std::vector<StudyCard> cards = {};
};

// A parameter, a coordinate at the start (phi) or its speed there (phi.v), with the unit that the model knows.
StudyVariable study_variable(const Model& model, const std::string& name, std::vector<double> values = {});

nlohmann::ordered_json to_json(const StudyDocument& document, const Model& model);

}  // namespace armature::internal
