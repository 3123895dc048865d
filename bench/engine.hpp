// What is compared: engines behind one interface, one file each. An engine is made for one machine.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machine.hpp"

namespace armature::internal::bench {

// How a motion is computed: a fixed step, or a tolerance of an integrator that controls its error.
struct Setting {
  std::string method;  // the engine's name for it
  double step = 0;     // s; 0: error-controlled
  double rtol = 0;
};

struct Motion {
  Eigen::MatrixXd q;  // one column a sample, at end/samples, ..., end; in the order of Machine::links
  long steps = 0;
  bool finished = false;
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Accelerations of the joints at a state, constraints included.
  virtual void acceleration(const double* q, const double* v, double* vdot) = 0;
  // From the machine's start. q of the result has been sized.
  virtual void motion(const Setting& setting, double end, Motion& result) = 0;
};

struct EngineKind {
  std::string name, version;
  std::function<std::unique_ptr<Engine>(const Machine&)> make;  // null where it has no such machine
  bool has_acceleration = true;   // of machines with loops; some engines know only steps there
  std::vector<Setting> settings;  // for cost against error
  Setting fixed_step;             // its method of fixed steps, of order four where there is one
};

// Those found when this was built, Armature first.
const std::vector<EngineKind>& engines();

EngineKind armature_engine();
EngineKind hand_written_engine();
EngineKind mujoco_engine();
EngineKind simbody_engine();
EngineKind dart_engine();

// The engine of a kind for a machine, made once and kept; null: it has none.
Engine* engine_for(const EngineKind& kind, const Machine& machine);

}  // namespace armature::internal::bench
