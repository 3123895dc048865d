// Collects everything that is wrong with a file, so that it can be said at once.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void add(Location where, const std::string& key, const std::string& message);
  // What makes other places of the file wrong, too: a misspelt section leaves names of all others unknown. Comes first.
  void add_cause(Location where, const std::string& key, const std::string& message);
  bool empty() const { return found_.empty(); }
  bool full() const;  // what is added now is counted, and not shown
  // ModelError, causes first, else in the order of the file; then those of the files that it uses.
  void throw_if_any(const UsedFiles& used = {}) const;

 private:
  std::string file_;
  struct Found {
    Diagnostic diagnostic;
    bool is_cause;
  };
  void add(Location where, const std::string& key, const std::string& message, bool is_cause);

  std::vector<Found> found_;
  long left_out_ = 0;  // beyond those that are listed
};

// " (did you mean 'crank1'?)", or nothing if no name is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& names);

// The same; where no name is near and there are not many of them, "; expected a, b or c".
std::string near_or_all(const std::string& name, const std::vector<std::string>& names);

// "a", "a or b", "a, b or c"
std::string one_of(const std::vector<std::string>& names);

}  // namespace armature::internal
