// How large an effort is that a formula gives, since no run records it: by its formula at the rows of the recorded motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"
#include "report/decimation.hpp"

namespace armature::internal {

class EffortSizes {
 public:
  // rows: null where nothing is recorded yet.
  EffortSizes(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels,
              const SparseRows* rows);

  double of(const std::string& name) const;  // the largest of the motion; 0: unknown, or zero throughout

 private:
  std::vector<Expression> values_of(const std::string& name, const Location& where) const;
  State state_of(std::span<const double> row) const;
  double during_motion(const Expression& value) const;
  double at_start(const Expression& value) const;

  const Model& model_;
  const Prepared& prepared_;
  const SparseRows* rows_;
  std::vector<int> columns_;  // of the state; -1: not recorded
};

}  // namespace armature::internal
