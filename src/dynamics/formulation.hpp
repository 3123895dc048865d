// The formulations: ways to solve  M vdot + Phi' lambda = f,  Phi vdot = b.  They agree to round-off where Phi has full
// rank; multipliers and partition refuse dependent rows, the others leave them out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "dynamics/multipliers.hpp"
#include "dynamics/null_space.hpp"
#include "dynamics/partition.hpp"
#include "dynamics/proximal.hpp"
#include "dynamics/rank_revealing.hpp"
#include "dynamics/udwadia_kalaba.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct FormulationOptions {
  std::string name = "auto";
  std::vector<int> independent = {};  // `partition`: velocities, nv - m of them; empty: chosen by pivoting at the start
  bool repartition = false;           // `partition`: choose anew when the block gets ill-conditioned
};

class Formulation {
 public:
  // Throws std::invalid_argument with a sentence: unknown name, independent velocities of a wrong number.
  Formulation(const FormulationOptions& options, int nv, int m);

  void set_groups(const std::vector<int>& groups);  // of constraint rows: see KineticRows
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);
  void solve(const SparseTerms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);  // `auto` only

  bool is_auto() const { return std::holds_alternative<RankRevealing>(solver_); }
  const std::string& name() const { return name_; }

  // Why the last solve was not ok, as a sentence.
  std::string refusal(const Acceleration& acceleration) const;

 private:
  std::string name_;
  int m_;
  std::variant<RankRevealing, Multipliers, Partition, NullSpace, UdwadiaKalaba, Proximal> solver_;
};

const std::vector<std::string>& formulation_names();

}  // namespace armature::internal
