// MuJoCo: loops are soft equality constraints. They are made as hard as it allows: impedance 0.9999, and a reaction time of
// two steps, the shortest it takes.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <stdexcept>

#include "engine.hpp"

namespace armature::internal::bench {

namespace {

std::string text(const Eigen::Vector3d& x) { return fmt::format("{:.17g} {:.17g} {:.17g}", x[0], x[1], x[2]); }

// A body and those on it.
std::string body_text(const Machine& machine, int i) {
  const Link& link = machine.links[i];
  const Eigen::Matrix3d& I = link.inertia;
  std::string result = fmt::format(
      "<body name='{0}' pos='{1}'><inertial pos='{2}' mass='{3:.17g}' fullinertia='{4:.17g} {5:.17g} {6:.17g} {7:.17g} "
      "{8:.17g} {9:.17g}'/><joint type='hinge' axis='{10}' damping='{11:.17g}'/>\n",
      link.joint, text(link.at), text(link.center), link.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2),
      text(link.axis), link.damping);
  for (int k = i + 1; k < machine.size(); ++k)
    if (machine.links[k].parent == i) result += body_text(machine, k);
  return result + "</body>\n";
}

std::string model_text(const Machine& machine) {
  std::string result = fmt::format(
      "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/><size nstack='20000000'/>"
      "<option gravity='{}' integrator='RK4' solver='Newton' tolerance='1e-12'>"
      "<flag contact='disable' frictionloss='disable' limit='disable' actuation='disable'/></option><worldbody>\n",
      text(machine.gravity));
  for (int i = 0; i < machine.size(); ++i)
    if (machine.links[i].parent < 0) result += body_text(machine, i);
  result += "</worldbody><equality>\n";
  for (const Pin& pin : machine.pins)
    result += fmt::format("<connect body1='{}' body2='{}' anchor='{}' solimp='0.9999 0.9999 0.001'/>\n",
                          machine.links[pin.a].joint, machine.links[pin.b].joint, text(pin.at_a));
  return result + "</equality></mujoco>\n";
}

class Mujoco : public Engine {
 public:
  explicit Mujoco(const Machine& machine) : machine_(machine) {
    mjVFS files;
    mj_defaultVFS(&files);
    const std::string xml = model_text(machine);
    mj_makeEmptyFileVFS(&files, "model.xml", static_cast<int>(xml.size()));
    std::copy(xml.begin(), xml.end(), static_cast<char*>(files.filedata[0]));
    char message[1000] = "";
    model_ = mj_loadXML("model.xml", &files, message, sizeof message);
    mj_deleteVFS(&files);
    if (!model_) throw std::runtime_error(std::string("MuJoCo: ") + message);
    for (std::size_t k = 0; k < machine.pins.size(); ++k)  // the second point, which it takes from its zero pose
      for (int i = 0; i < 3; ++i) model_->eq_data[k * mjNEQDATA + 3 + i] = machine.pins[k].at_b[i];
    data_ = mj_makeData(model_);
    for (int i = 0; i < machine.size(); ++i)  // bodies are numbered depth first
      place_.push_back(model_->body_dofadr[mj_name2id(model_, mjOBJ_BODY, machine.links[i].joint.c_str())]);
  }
  ~Mujoco() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void acceleration(const double* q, const double* v, double* vdot) override {
    set(q, v);
    mj_forwardSkip(model_, data_, mjSTAGE_NONE, 1);
    for (int i = 0; i < machine_.size(); ++i) vdot[i] = data_->qacc[place_[i]];
  }

  void motion(const Setting& setting, double end, Motion& result) override {
    const double interval = end / static_cast<double>(result.q.cols());
    const int steps = std::max(1, static_cast<int>(std::lround(interval / setting.step)));
    model_->opt.timestep = interval / steps;
    for (int k = 0; k < model_->neq; ++k) model_->eq_solref[k * mjNREF] = 2 * model_->opt.timestep;
    mj_resetData(model_, data_);
    set(machine_.q.data(), machine_.v.data());
    for (Eigen::Index k = 0; k < result.q.cols(); ++k) {
      for (int i = 0; i < steps; ++i) mj_step(model_, data_);
      for (int i = 0; i < machine_.size(); ++i) result.q(i, k) = data_->qpos[place_[i]];
    }
    result.steps = steps * result.q.cols();
    result.finished = data_->warning[mjWARN_BADQACC].number == 0 && result.q.allFinite();
  }

 private:
  void set(const double* q, const double* v) {
    for (int i = 0; i < machine_.size(); ++i) {
      data_->qpos[place_[i]] = q[i];
      data_->qvel[place_[i]] = v[i];
      data_->qfrc_applied[place_[i]] = machine_.links[i].effort;
    }
  }

  const Machine& machine_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> place_;  // of each link's joint
};

}  // namespace

EngineKind mujoco_engine() {
  EngineKind kind{"MuJoCo", mj_versionString(), {}, true, {}, {"RK4", 1e-3, 0}};
  kind.make = [](const Machine& machine) { return std::make_unique<Mujoco>(machine); };
  for (double step : {1e-3, 5e-4, 2e-4, 1e-4, 5e-5}) kind.settings.push_back({"RK4", step, 0});
  return kind;
}

}  // namespace armature::internal::bench
