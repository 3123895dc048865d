// From a model to something that can run: expressions, programs, redundant rows, options in force, assembled start.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/finding.hpp"
#include "model/model.hpp"
#include "prepare/options.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct AssemblyResult;

struct Prepared {
  std::shared_ptr<const System> system;
  RunOptions options;
  Eigen::VectorXd parameters;                       // values of the free ones, in the order of Equations::p_name
  int degrees_of_freedom = 0;                       // at a generic pose
  State start;                                      // on phi = 0, phidot = 0, outcomes set
  bool from_equilibrium = false;                    // the start is where the machine rests below the assembled pose
  std::shared_ptr<const AssemblyResult> assembled;  // the start of the file's own values, which compile() had to find
  std::vector<std::string> notes;                   // joints that were cut, redundant rows, what moved in assembly
  std::vector<std::string> remarks;                 // those of the notes that whoever runs the model should read
  std::string file;                                 // of the model, for messages
  Findings findings;                                // what is odd about the model
  struct Beam {
    std::string name;
    bool modal;
    int shapes;                                         // coordinates of the kind of deformation that has most of them
    using Slope = std::vector<std::pair<int, double>>;  // sum of weight q[i]
    std::vector<Slope> slopes;  // against its frame: at the nodes and between them; of small deflections
    struct Share {
      int index, element, degree;
      double weight;  // its energy is weight q[index]^2, up to a factor of the beam
    };
    std::vector<Share> shares;  // of a beam that bends far: of its strain energy
  };
  std::vector<Beam> beams;  // flexible bodies
  struct CurrentLimit {
    std::string current;  // its channel
    double limit;         // A
    double settling;      // L/R, s
  };
  std::vector<CurrentLimit> current_limits;  // of windings with inductance
  std::string failure;  // not empty: there is no start, and why (the loop that does not close, by how much)
};

// All but the start. free_parameters stay inputs of the programs. Throws ModelError where the model is wrong.
Prepared compile(const Model& model, const std::vector<std::string>& free_parameters = {});

// Fills start, notes and failure. `from` replaces the model's start: it is kept as it is where it satisfies the
// constraints, so that a run continues exactly; else it is a guess.
void assemble_start(Prepared& prepared, const std::optional<State>& from = {});
void assemble_start(Prepared& prepared, SystemEvaluator& evaluator, const std::optional<State>& from = {});

// The ways in which the loops close while `keep` holds, found from many guesses; the nearest to `near` first, always in
// the same order. All at rest as far as `speed` allows.
std::vector<State> assembly_branches(const Prepared& prepared);

}  // namespace armature::internal
