// A compiled model as the kernel of a page takes it: its programs in a module, and the arrays of step/page_table.hpp.
#pragma once

#include <utility>
#include <vector>

#include "expression/wasm_code.hpp"
#include "prepare/prepare.hpp"
#include "report/scene.hpp"

namespace armature::internal {

// How a page integrates: as the run did, or by the method that comes nearest.
struct PageMethodChoice {
  int method = 0;  // of step::PageMethod
  bool symplectic = false;
  double step = 0;   // s, of fixed steps
  std::string name;  // as in the file
  std::string note;  // not empty: what differs from the run
};
PageMethodChoice choose_page_method(const Prepared& prepared, long steps);  // steps: of the run

struct PageVariant {
  std::vector<int> integers;
  std::vector<double> numbers;
  std::vector<std::pair<const char*, int>>
      places;  // sizes, and where the page finds what it reads and changes, by name
};

// Adds the programs to the module. scene: with the same free parameters. moves: false: only what poses need.
PageVariant page_variant(const Prepared& prepared, const PageMethodChoice& method, const Scene& scene,
                         WasmModule& module, bool moves = true);

}  // namespace armature::internal
