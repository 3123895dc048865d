#include "model/signal_names.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

constexpr Dimension force_dimension{{1, 1, -2, 0, 0}}, moment_dimension{{1, 2, -2, 0, 0}},
    stress_dimension{{1, -1, -2, 0, 0}};
constexpr const char* energy_signal = "strain_energy";

std::vector<std::string> section_signals(const Model& model) {
  if (!model.plane.empty()) return {"moment", "stress"};
  return {"torque", "moment_y", "moment_z", "stress"};
}

}  // namespace

std::optional<ReactionName> reaction_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto found = std::ranges::find(reaction_signals, name.substr(dot + 1));
  if (found == reaction_signals.end()) return std::nullopt;
  const int k = static_cast<int>(found - reaction_signals.begin());
  const bool force = k < 3 || k == 6;
  return ReactionName{name.substr(0, dot), k < 6 ? k : 3 * (k - 6), k < 6 ? 1 : 3,
                      force ? force_dimension : moment_dimension};
}

std::optional<BeamSignal> beam_signal(const Model& model, const std::string& name) {
  for (const Body& body : model.bodies) {
    if (!body.beam || !name.starts_with(body.name + ".")) continue;
    const std::string rest = name.substr(body.name.size() + 1);
    if (rest == energy_signal) return BeamSignal{&body, nullptr, rest, moment_dimension, "J"};
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos) continue;
    const auto point = std::ranges::find(body.points, rest.substr(0, dot), &NamedPoint::name);
    const std::string signal = rest.substr(dot + 1);
    const std::vector<std::string> signals = section_signals(model);
    if (point == body.points.end() || std::ranges::count(signals, signal) == 0) continue;
    const bool stress = signal == "stress";
    return BeamSignal{&body, &*point, signal, stress ? stress_dimension : moment_dimension, stress ? "Pa" : "N m"};
  }
  return std::nullopt;
}

std::vector<std::string> beam_signal_names(const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies) {
    if (!body.beam) continue;
    names.push_back(body.name + "." + energy_signal);
    for (const NamedPoint& point : body.points)
      for (const std::string& signal : section_signals(model))
        names.push_back(body.name + "." + point.name + "." + signal);
  }
  return names;
}

}  // namespace armature::internal
