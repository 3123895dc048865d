#include "report/channel_groups.hpp"

#include <algorithm>

namespace armature::internal {
namespace {

template <class List>
bool names(const List& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

std::string owner(const std::string& name) { return name.substr(0, name.find('.')); }

bool is_located(const std::string& name, const RecordOptions& record) {
  return names(record.determinants, name) || std::any_of(record.events.begin(), record.events.end(),
                                                         [&](const auto& event) { return event.first == name; });
}

bool is_reaction(const std::string& name, const RecordOptions& record) {
  const std::string part = name.substr(std::min(name.size(), owner(name).size() + 1));
  return part.size() == 2 && (part[0] == 'f' || part[0] == 'm') && part[1] >= 'x' && part[1] <= 'z' &&
         std::count(record.reactions.begin(), record.reactions.end(), owner(name)) > 0;
}

bool is_point(const std::string& name, const Model& model) {
  const auto body = std::find_if(model.bodies.begin(), model.bodies.end(),
                                 [&](const Body& each) { return each.name == owner(name); });
  if (body == model.bodies.end()) return false;
  const auto dot = name.rfind('.');
  return dot > body->name.size() &&
         names(body->points, name.substr(body->name.size() + 1, dot - body->name.size() - 1));
}

bool is_coordinate(const std::string& name, const Model& model) {
  return names(model.joints, owner(name)) || names(model.bodies, owner(name)) ||
         names(model.lagrangian.coordinates, name);
}

}  // namespace

std::string group_of(const Channel& channel, const Model& model) {
  const std::string& name = channel.name;
  if (name == "energy.error" || name.starts_with("constraint.")) return "errors";
  if (name.starts_with("energy.") || name.starts_with("work.") || name.starts_with("heat.")) return "energies";
  if (name.starts_with("lambda.")) return "multipliers";
  if (name == "rank" || name.starts_with("smallest_") || is_located(name, model.record)) return "singularities";
  if (is_reaction(name, model.record)) return "reactions";
  if (names(model.drives, owner(name))) return "drives";
  if (is_point(name, model)) return "points";
  const bool rate = name.ends_with("'") || channel.unit == "rad/s" || channel.unit == "m/s";
  const std::string plain = name.ends_with("'") ? name.substr(0, name.size() - 1) : name;
  const bool load = channel.unit == "N" || channel.unit == "N m";  // of a stop or a contact on a joint
  if (is_coordinate(plain, model) && !load) return rate ? "velocities" : "coordinates";
  return "quantities";
}

}  // namespace armature::internal
