#include "machine.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

#include "observe/ledger.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"

namespace armature::internal::bench {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Only the moment about z matters in a plane; equal ones about x and y are those of a possible body.
Matrix3d planar_inertia(double zz) { return zz * Matrix3d::Identity(); }

void read_start(Machine& machine, const std::string& file, const Settings& settings) {
  Prepared prepared = compile(read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/" + file + ".yaml", settings));
  drop_ledger(prepared);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw std::runtime_error(prepared.failure);
  const auto& positions = prepared.system->equations().positions;
  for (int i = 0; i < machine.size(); ++i)
    if (positions.at(i).name != machine.links[i].joint) throw std::logic_error("another order: " + positions[i].name);
  machine.q = prepared.start.x.head(machine.size());
  machine.v = prepared.start.x.segment(machine.size(), machine.size());
  machine.prepared = std::make_shared<const Prepared>(std::move(prepared));
}

// Cranks and rods of three legs, the platform on the first; the rotor of 1 kg m^2 turns with the crank.
Machine rrr(const std::string& name, const std::string& file, double rod_inertia, double torque) {
  const double l1 = 0.581, l2 = 0.620, side = 1.2, radius = 0.2 / std::sqrt(3), pi = 3.14159265358979323846;
  const Vector3d z = Vector3d::UnitZ(), O[] = {{0, 0, 0}, {side, 0, 0}, {side / 2, side * std::sqrt(3) / 2, 0}};
  const double at[] = {7 * pi / 6, -pi / 6, pi / 2}, sign[] = {1, -1, 1};
  Machine machine{name, true, Vector3d::Zero(), {}, {}, {}, {}, {}};
  // about the center, such that the moment about the pivot grows by the rotor's
  for (int i = 0; i < 3; ++i)
    machine.links.push_back({"theta" + std::to_string(i + 1),
                             -1,
                             O[i],
                             z,
                             2.072,
                             {l1 / 2, 0, 0},
                             planar_inertia(0.13 + 1),
                             10,
                             sign[i] * torque});
  for (int i = 0; i < 3; ++i)
    machine.links.push_back(
        {"elbow" + std::to_string(i + 1), i, {l1, 0, 0}, z, 0.75, {l2 / 2, 0, 0}, planar_inertia(rod_inertia), 0, 0});
  Vector3d P[3];
  for (int i = 0; i < 3; ++i) P[i] = {radius * std::cos(at[i]), radius * std::sin(at[i]), 0};
  machine.links.push_back({"wrist1", 3, {l2, 0, 0}, z, 0.978, -P[0], planar_inertia(0.007), 0, 0});
  for (int i = 1; i < 3; ++i) machine.pins.push_back({6, 3 + i, P[i] - P[0], {l2, 0, 0}});
  read_start(machine, file, {});
  return machine;
}

}  // namespace

Machine rrr_benchmark() { return rrr("rrr_benchmark", "rrr_benchmark", 0.75 * 0.620 * 0.620 / 12, 5); }
Machine rrr_case_a() { return rrr("rrr_case_a", "rrr", 0.75 * 0.620 * 0.620 / 4, 50); }

Machine arm(int joints) {
  Matrix3d inertia;
  inertia << 0.03, 0.001, 0.002, 0.001, 0.03, 0.0015, 0.002, 0.0015, 0.01;
  Machine machine{"arm_" + std::to_string(joints), false, {0, 0, -9.81}, {}, {}, {}, {}, {}};
  for (int i = 1; i <= joints; ++i) {
    const Vector3d at = i == 1 ? Vector3d(0, 0, 0) : Vector3d(0.02, 0.01, 0.3);
    machine.links.push_back({"joint" + std::to_string(i),
                             i - 2,
                             at,
                             Vector3d::Unit((3 - i % 3) % 3),
                             0.9 + 0.1 * i,
                             {0.01, 0.02, 0.15},
                             inertia,
                             0,
                             0});
  }
  read_start(machine, "arm", {{"n", std::to_string(joints)}});
  return machine;
}

Machine windows(int N) {
  const Vector3d z = Vector3d::UnitZ(), middle(0.5, 0, 0), end(1, 0, 0);
  const Matrix3d inertia = planar_inertia(1.0 / 12);
  Machine machine{"windows_" + std::to_string(N), true, {0, -9.81, 0}, {}, {}, {}, {}, {}};
  for (int i = 0; i <= N; ++i)
    machine.links.push_back(
        {"pivot" + std::to_string(i), -1, {static_cast<double>(i), 0, 0}, z, 1, middle, inertia, 0, 0});
  for (int i = 1; i <= N; ++i) {
    machine.links.push_back({"hinge" + std::to_string(i), i - 1, end, z, 1, middle, inertia, 0, 0});
    machine.pins.push_back({N + i, i, end, end});
  }
  read_start(machine, "n_four_bar", {{"N", std::to_string(N)}});
  return machine;
}

const Machine& machine(const std::string& name) {
  static std::map<std::string, Machine> made;
  if (auto found = made.find(name); found != made.end()) return found->second;
  const auto underscore = name.find_last_of('_');
  const std::string kind = name.substr(0, underscore), number = name.substr(underscore + 1);
  Machine machine = kind == "arm"             ? arm(std::stoi(number))
                    : kind == "windows"       ? windows(std::stoi(number))
                    : name == "rrr_benchmark" ? rrr_benchmark()
                                              : rrr_case_a();
  return made.emplace(name, std::move(machine)).first->second;
}

}  // namespace armature::internal::bench
