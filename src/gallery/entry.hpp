// The gallery as data: one file a paper, in it the commands to run and, figure by figure, what the paper states, which
// numbers are computed, what must come out and what is drawn. docs/gallery.md describes the files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal::gallery {

// A command of the program, without its name: {"run", "models/rrr.yaml", "--end", "3"}.
struct Experiment {
  std::string name;
  std::vector<std::string> command;
  Location where;
  bool drifts = false;  // it shows how constraints open: that they do is no failure of the experiment
};

// What a paper states of a number: a range, and its own words.
struct Claim {
  std::string says;
  double from, to;  // may be infinite
};

// A number that must come out: of this size, to so much, and where it is known from.
struct Expectation {
  double value, within;
  std::string digits;  // as written
  std::string source;
};

struct Number {
  enum class Kind {
    formula,     // over the motion of a run: at(theta1, 1)
    value,       // at a path of the result: best/alpha
    count,       // of events whose text contains `text`, up to the time `until`
    event,       // time of the nth of these
    difference,  // largest difference of channels between the rows of two runs
    largest,     // of a channel, among the rows from `from` to `until`
    smallest,
  };
  std::string name, unit;
  std::string of;  // experiment
  Kind kind = Kind::value;
  std::string text;   // formula, path, part of an event's text, or channel
  std::string other;  // experiment, of `difference`
  std::vector<std::string> channels;
  double from = 0, until = 0;  // s; infinite: the whole run
  int nth = 1;
  std::optional<Expectation> expect;
  std::optional<Claim> paper;
  std::string because;  // why the paper's number does not come out; empty: it does
  Location where;
};

struct Picture {
  enum class Kind {
    curves,   // channels of runs
    heat,     // an error of tune over its gains
    classes,  // of map
    regions,  // of stability, of tune
    poses,    // the machine of a run at some times
  };
  Kind kind = Kind::curves;
  std::vector<std::string> of;        // experiments
  std::vector<std::string> channels;  // of curves; of heat the one error; of poses a point whose path is drawn
  std::string title, x = "t";
  bool logarithmic = false;
  std::optional<double> from, to, bend;  // of x; of poses: deflections of beams are drawn so many times larger
  std::vector<double> at;                // s, of poses
  std::vector<std::string> labels;  // of experiments, of classes of the axes, where their names are not good enough
  Location where;
};

// A figure, a table or a problem.
struct Item {
  std::string name;                 // "fig2a"
  std::string label;                // "Fig. 2a"
  std::string shows, states, note;  // what it shows, what the paper states of it, what else there is to say
  std::vector<Number> numbers;
  std::vector<Picture> pictures;
  std::string animation;  // experiment; empty: none
  Location where;
};

struct Entry {
  std::filesystem::path file;
  std::string name, title, source, about;
  std::vector<Experiment> experiments;
  std::vector<Item> items;
};

// One entry of a file. Throws ModelError with everything that is wrong.
Entry read_entry(const std::filesystem::path& file);
Entry read_entry_text(const std::string& text, const std::string& file);

// All entries of a folder, in the order of their files' names.
std::vector<Entry> read_entries(const std::filesystem::path& folder);

// Words of a command line; ' and " hold words together. Throws FormulaError where one is not closed.
std::vector<std::string> split_words(const std::string& line);

}  // namespace armature::internal::gallery
