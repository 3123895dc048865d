// Why cells failed, told apart. A cell keeps a number for its sentence, numbers of the place left out, so that all who failed
// for one reason are counted together, whichever process they ran in; one of each gives the sentence itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace armature::internal {

// The same for sentences that differ in numbers only ("at t = 0.1 s …", "at t = 0.2 s …"), but for lines and columns of a
// file and what is quoted. A whole number; 0: there is none.
double reason_number(const std::string& sentence);

struct Failure {
  long count = 0;        // cells that failed for this reason
  long cell = 0;         // the first of them
  std::string sentence;  // its own
};

// The reasons by number of cells, largest first. reasons: one per cell, 0 where it did not fail; sentence_of runs a cell
// again.
std::vector<Failure> group_failures(const std::vector<double>& reasons,
                                    const std::function<std::string(long cell)>& sentence_of);

}  // namespace armature::internal
