// Programs as a WebAssembly module, for pages: each a function (i32 in, i32 out) of doubles in memory, in straight-line code. The same
// operations in the same precision as the interpreter: the same bits. sin, cos, exp, atan2 and tables are functions of the page's kernel
// (viewer/kernel), which is compiled from Armature's own formulas.
//
// The module imports
//   kernel.memory, kernel.base      base: where its tables and two numbers of scratch memory go, data_size() bytes
//   kernel.sin_cos(x, to)           and exp(x), atan2(y, x), table(at, derivative, x)
//   math.tan(x) …                   what has no version of our own; with another library, other last digits
// and exports its functions as "0", "1", … in the order in which they were added.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expression/program.hpp"

namespace armature::internal {

class WasmModule {
 public:
  int add(const Program& program);  // the number of its function
  std::string bytes() const;
  std::size_t code_size() const;  // bytes of all functions so far
  int data_size() const { return static_cast<int>(data_.size()); }
  const std::set<std::string>& foreign() const { return foreign_; }  // functions that have no version of our own

 private:
  int place_of(const std::shared_ptr<const Table>& table);

  std::vector<std::string> bodies_;
  std::string data_ = std::string(16, '\0');                          // scratch memory first
  std::vector<std::pair<std::shared_ptr<const Table>, int>> tables_;  // and their places in the data
  std::set<std::string> foreign_;
};

}  // namespace armature::internal
