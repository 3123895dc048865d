// A model at its start, by name: what a row of trajectory.csv would say, and the rates of all states (x'', heat.viscous').
//
//   Moment now = moment_of("bodies: …");
//   EXPECT_NEAR(now["x''"], -9.81, 1e-12);
#pragma once

#include <map>

#include "observe/recorded_rows.hpp"
#include "prepare/setup.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

class Moment {
 public:
  double operator[](const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::out_of_range("nothing is called " + name);
    return found->second;
  }
  bool has(const std::string& name) const { return values_.contains(name); }
  void set(const std::string& name, double value) { values_[name] = value; }

 private:
  std::map<std::string, double> values_;
};

// Comparisons stand on the side of the start; at their root they are at rest, as a run begins.
inline Moment moment_of(const Prepared& prepared) {
  const auto dynamics = make_dynamics(prepared);
  dynamics->set_state(prepared.start);
  dynamics->follow_roots(true);
  const State& start = prepared.start;
  Eigen::VectorXd rate(dynamics->size());
  EXPECT_TRUE(dynamics->derivative(start.t, start.x.data(), rate.data()));
  MemoryRecorder record;
  RecordedRows rows(*dynamics, record);
  rows.begin(start);
  rows.write(start.t, start.x);
  Moment moment;
  const Equations& e = prepared.system->equations();
  Eigen::Index i = 0;
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates) moment.set(coordinate.name + "'", rate[i++]);
  for (const Channel& channel : record.channels()) moment.set(channel.name, record.column(channel.name).front());
  return moment;
}

inline Moment moment_of(const std::string& text) { return moment_of(prepared_text(text)); }

}  // namespace armature::internal
