// The output of a sampled controller, `sampled: {period, delay, quantization}`: computed at t_k = k period, visible from
// t_k + delay on, held until the next. A delay of more than a period goes through a chain of registers.
#pragma once

#include <vector>

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

FormatSection sampled_format();
void read_sampling(const MapReader& map, Controller& controller, Reading& reading);

class Sampled {
 public:
  // name: of the output, the controller's own or that of one of its signals
  Sampled(EquationsBuilder& builder, const Controller& controller, const std::string& name);

  double period() const { return period_; }
  Expression output() const { return output_; }
  // A value that takes the value of `next` at the samples.
  Expression memory(EquationsBuilder& builder, const std::string& name) const;
  // x as the controller sees it: in steps of its quantization.
  Expression measured(Expression x) const;
  void close(EquationsBuilder& builder, Expression computed) const;  // what is computed at a sample

 private:
  std::string name_;
  double period_ = 0;
  Expression quantization_ = 0;
  std::vector<Expression> registers_;  // from the one that is written at a sample to the last before the output
  Expression output_;
};

// 1 where x > 0, else 0, exactly; for use at samples, where nothing needs watching.
Expression positive_at_sample(Expression x);

}  // namespace armature::internal
