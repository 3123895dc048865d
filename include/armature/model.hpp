// Model: the content of a model file, checked and ready to compile.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "armature/version.hpp"

namespace armature {

namespace internal {
struct Model;
struct Access;  // lets the library reach the implementation of its classes
}  // namespace internal

// One problem. For a file it has the place; otherwise only the sentence.
struct Problem {
  std::string file;  // empty: the problem is not in a file
  int line = 0;      // 0: the file as a whole
  std::string key;   // "joints.elbow1.axis"
  std::string sentence;
};

// The exception that this library throws. what() has one line for each problem, "file:line: key: sentence".
class ARMATURE_API Error : public std::runtime_error {
 public:
  enum class Kind {
    input,        // the file or an argument is wrong
    computation,  // the computation failed: loops do not close, a step fails
    stopped,      // a callback stopped the computation
  };
  Error(Kind kind, std::vector<Problem> problems);
  Error(Kind kind, const std::string& sentence);
  ~Error() override;

  Kind kind() const { return kind_; }
  const std::vector<Problem>& problems() const { return problems_; }  // one at least
  const std::string& file() const { return problems_.front().file; }
  int line() const { return problems_.front().line; }
  const std::string& key() const { return problems_.front().key; }
  const std::string& sentence() const { return problems_.front().sentence; }

 private:
  Kind kind_;
  std::vector<Problem> problems_;
};

// Values that replace those of the file, by name: a parameter or the default of an input ("mass", "2 kg"), an option
// ("simulate.rtol", "1e-6"), a start value ("start.keep.a", "80 deg").
using Settings = std::vector<std::pair<std::string, std::string>>;

// A named number in SI units.
struct Quantity {
  std::string name;
  std::string unit;  // empty: dimensionless, or the file gives no unit
  double value = 0;
};

// Immutable; copies share the same model.
class ARMATURE_API Model {
 public:
  const std::string& name() const;
  const std::string& file() const;
  const std::string& text() const;  // content of the file
  std::vector<Quantity> parameters() const;
  std::vector<Quantity> inputs() const;  // with their defaults
  std::vector<std::string> bodies() const;
  std::vector<std::string> joints() const;
  double end() const;  // s, end time under `simulate`

 private:
  friend struct internal::Access;
  Model(std::shared_ptr<const internal::Model> model, Settings settings);
  std::shared_ptr<const internal::Model> model_;
  std::shared_ptr<const Settings> settings_;  // the settings with which it was read
};

// Both throw an Error that lists all problems of the file. `root`: folder that holds all files that the model names;
// empty: that of `file`.
ARMATURE_API Model read_model(const std::string& file, const Settings& settings = {}, const std::string& root = "");
ARMATURE_API Model parse_model(const std::string& text, const std::string& file = "model",
                               const Settings& settings = {}, const std::string& root = "");

}  // namespace armature
