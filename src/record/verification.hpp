// How far a run agrees with its repetitions: what `--verify` puts into run.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace armature::internal {

struct Verification {
  struct Repeat {
    std::string how;               // "rtol 1e-10", "null_space", "dop853"
    std::string status, sentence;  // of its run
  };
  std::vector<Repeat> repeats;
  std::vector<std::string> left_out;  // "another formulation: there are no constraints"

  struct Digits {
    std::string channel;
    std::vector<double> agree;  // one per repeat; NaN: it has no such number
    double least() const;       // NaN: there is none
  };
  std::vector<Digits> channels;
  std::vector<Digits> results;  // and peaks: "largest motor.current"
  double promised = 0;          // digits

  struct Divergence {
    double t = 0;     // s, from which on the runs differ by more than 1 %
    double rate = 0;  // of the growth before that, 1/s; 0: they part at once, not exponentially
    std::string how;  // the repeat that parts first
  };
  std::optional<Divergence> divergence;

  std::string sentence;   // what comes of it
  bool doubtful = false;  // it is a warning
};

}  // namespace armature::internal
