// The output of a sampled controller: computed at t_k = k period, visible from t_k + delay on, held until the next.
// A delay of more than a period goes through a chain of registers.
#pragma once

#include <vector>

#include "mechanics/builder.hpp"

namespace armature::internal {

class Sampled {
 public:
  Sampled(EquationsBuilder& builder, const Controller& controller);

  double period() const { return period_; }
  Expression output() const { return output_; }
  // A value that takes the value of `next` at the samples.
  Expression memory(EquationsBuilder& builder, const std::string& name) const;
  // x as the controller sees it: in steps of its quantization.
  Expression measured(Expression x) const;
  void close(EquationsBuilder& builder, Expression computed) const;  // what is computed at a sample

 private:
  std::string name_;
  double period_ = 0, quantization_ = 0;
  std::vector<Expression> registers_;  // from the one that is written at a sample to the last before the output
  Expression output_;
};

// Within the controller's limits: by comparisons that a run watches, or for use at samples, where nothing needs watching.
Expression limited(EquationsBuilder& builder, const Controller& controller, Expression u);
Expression limited_at_sample(EquationsBuilder& builder, const Controller& controller, Expression u);

}  // namespace armature::internal
