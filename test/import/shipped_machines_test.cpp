// Every rigid machine of models/ goes through every robot format and comes back. What a format cannot say is on the list of the
// export; without what is on the list, the machine has the accelerations of the one that came back. Nothing is lost silently.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>
#include <filesystem>
#include <set>

#include "import/import.hpp"
#include "inspect/compare.hpp"
#include "inspect/export_robot.hpp"
#include "inspect/named_motion.hpp"
#include "model/request_error.hpp"
#include "support/run_model.hpp"
#include "system/build_model.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

// Three points on each body, by which both models are seen alike, whatever their joints count from and however they split them.
constexpr const char* marks[] = {"mark1", "mark2", "mark3"};

std::vector<std::string> machines() {
  std::vector<std::string> names;
  const fs::path models = fs::path(source_directory) / "models";
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(models))
    if (entry.path().extension() == ".yaml" && entry.path().parent_path().filename() != "robots")
      if (const std::string name = fs::relative(entry.path(), models).replace_extension().string();
          !name.ends_with("_lagrangian"))
        names.push_back(name);
  std::ranges::sort(names);
  return names;
}

Model marked(Model model) {
  for (Body& body : model.bodies)
    for (int k = 0; k < 3; ++k)
      body.points.push_back({marks[k],
                             parse_formula(k == 0   ? "[0.1, 0, 0]"
                                           : k == 1 ? "[0, 0.1, 0]"
                                                    : "[0, 0, 0.1]",
                                           {}),
                             {}});
  return model;
}

// --- the machine without what a list says

template <class List>
void erase_named(List& list, const std::string& name) {
  std::erase_if(list, [&](const auto& item) { return item.name == name; });
}

class Reduced {
 public:
  Reduced(const Model& model, const std::vector<std::string>& not_exported) : model_(model) {
    model_.record = {}, model_.definitions.clear(), model_.reaction_frames.clear(), model_.motion.clear();
    model_.start.speed_keep.clear(), model_.start.speed_near.clear(), model_.start.equilibrium = false;
    for (const std::string& line : not_exported) leave_out(line);
    for (const Controller& controller : model.controllers)
      EXPECT_THAT(not_exported, testing::Contains("controllers." + controller.name));
    model_.controllers.clear(), model_.states.clear();
  }
  const Model& model() const { return model_; }

 private:
  // "joint A: reflected inertia" as "joint", "A" and the rest
  void leave_out(std::string line) {
    const std::string kept = "LOOP NOT KEPT: ";
    if (line.starts_with(kept)) line.erase(0, kept.size());
    const std::size_t gap = line.find_first_of(" ."), colon = line.find(':');
    const std::string kind = line.substr(0, std::min(gap, colon)),
                      rest = colon == std::string::npos ? "" : line.substr(colon + 1);
    const std::string name = gap < colon ? line.substr(gap + 1, colon - gap - 1) : "";
    const auto has = [&](const char* word) { return rest.find(word) != std::string::npos; };
    if (kind == "constraints") {
      erase_named(model_.prescribed, name), erase_named(model_.distances, name), erase_named(model_.rolling, name);
    } else if (kind == "forces") {
      erase_named(model_.forces, name);
    } else if (kind == "drives") {
      leave_out_drive(name, has("actuator of torque"));
    } else if (kind == "joints") {
      for (Joint& joint : model_.joints)
        if (joint.name == name)
          std::erase_if(joint.elements, [&](const JointElement& element) { return !element.component.empty(); });
    } else if (kind == "joint" && rest.starts_with(" a ") && has(" joint")) {
      erase_named(model_.joints, name);
      leave_out_starts(name);
    } else if (kind == "joint") {
      for (Joint& joint : model_.joints)
        for (JointElement& element : joint.elements) {
          if (joint.name != name) continue;
          if (has("inertia")) element.inertia = {};
          if (has("spring")) element.stiffness = element.rest = {};
          if (has("damping")) element.damping = {};
          if (has("friction")) element.friction = {};
          if (has("limit") || has("restitution of its end stops")) element.lower = element.upper = {};
        }
    } else if (kind == "body" && has("takes 1 kg")) {
      for (Body& body : model_.bodies)
        if (body.name == name)
          body.mass = body.inertia.xx = body.inertia.yy = body.inertia.zz = number_formula(1),
          body.inertia.given = true;
    } else {
      EXPECT_THAT(kind, testing::AnyOf("start", "controllers", "states", "gravity", "body", "actuator")) << line;
    }
  }

  // The rotor stays, on its joint.
  void leave_out_drive(const std::string& name, bool rotor_stays) {
    for (const Drive& drive : model_.drives)
      for (Joint& joint : model_.joints) {
        if (drive.name != name || joint.name != drive.on || !rotor_stays) continue;
        if (joint.elements.empty()) joint.elements.emplace_back();
        const std::string ratio =
            fmt::format("(({})/({}))^2", text_or(drive.gear.ratio, "1"), text_or(drive.gear.radius, "1"));
        JointElement& element = joint.elements[0];
        element.inertia = parse_formula(
            fmt::format("({}) + ({})*{}", text_or(element.inertia, "0"), text_or(drive.rotor.inertia, "0"), ratio), {});
        element.friction = parse_formula(fmt::format("({}) + ({})*sqrt({})", text_or(element.friction, "0"),
                                                     text_or(drive.rotor.coulomb_friction, "0"), ratio),
                                         {});
        element.damping = parse_formula(fmt::format("({}) + ({})*{}", text_or(element.damping, "0"),
                                                    text_or(drive.rotor.viscous_friction, "0"), ratio),
                                        {});
      }
    erase_named(model_.drives, name);
    leave_out_starts(name);
  }
  void leave_out_starts(const std::string& name) {
    for (auto* list : {&model_.start.keep, &model_.start.near})
      std::erase_if(*list,
                    [&](const StartEntry& entry) { return entry.name == name || entry.name.starts_with(name + "."); });
  }

  static std::string text_or(const Formula& formula, const char* otherwise) {
    return formula.given() ? formula.text : otherwise;
  }

  Model model_;
};

// --- the machine that came back

std::string mark_in(const Model& back, const std::string& body, const std::string& mark) {
  for (const Body& each : back.bodies)
    for (const NamedPoint& point : each.points)
      if (point.name == body + "_" + mark) return each.name + "." + point.name;
  ADD_FAILURE() << "no point " << body << "_" << mark;
  return "";
}

std::set<std::string> moving_names(const Model& model) {
  const std::vector<std::string> names = names_of_motion(*build_model(model));
  return {names.begin(), names.end()};
}

// Its marks where those of the machine are at the start, so that loops close on the same side.
void start_at(const Model& own, const Prepared& start, Model& back) {
  const Equations& equations = start.system->equations();
  SystemEvaluator evaluator(start.system);
  Observables seen;
  evaluator.set_parameters(start.parameters);
  evaluator.set(start.start);
  evaluator.observables(seen);
  back.start = {};
  for (const Body& body : own.bodies)
    for (const char* mark : marks) {
      const std::string name = mark_in(back, body.name, mark);
      double at[3] = {0, 0, 0};
      for (std::size_t k = 0; k < equations.quantities.size(); ++k)
        for (int i = 0; i < 3; ++i)
          if (const std::string axis = std::string(".") + "xyz"[i];
              equations.quantities[k].name == body.name + "." + mark + axis) {
            at[i] = seen.quantities[static_cast<Eigen::Index>(k)];
          }
      StartEntry entry;
      entry.name = name,
      entry.value = parse_formula(fmt::format("[{:.17g}, {:.17g}, {:.17g}]", at[0], at[1], at[2]), {});
      back.start.near.push_back(entry);
    }
}

bool has_free_bodies(const Model& model) {
  return std::ranges::any_of(model.bodies, [&](const Body& body) {
    return std::ranges::none_of(
        model.joints, [&](const Joint& joint) { return joint.a.body == body.name || joint.b.body == body.name; });
  });
}

void leave_out_limits(Model& model) {
  for (Joint& joint : model.joints)
    for (JointElement& element : joint.elements) element.lower = element.upper = {};
}

class ShippedMachine : public testing::TestWithParam<std::tuple<std::string, const char*>> {};
INSTANTIATE_TEST_SUITE_P(, ShippedMachine,
                         testing::Combine(testing::ValuesIn(machines()), testing::Values("urdf", "sdf", "mjcf")),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST_P(ShippedMachine, ComesBackButForWhatIsListed) {
  const auto& [name, format] = GetParam();
  const Model own = marked(shipped(name));
  if (std::ranges::any_of(own.bodies, [](const Body& body) { return body.beam.has_value(); })) {
    const Prepared start = prepared(own);
    EXPECT_THROW(export_robot(own, start, format), RequestError);
    return;
  }
  const Prepared start = prepared(own);
  const ExportedRobot out = export_robot(own, start, format);
  const std::string file = own.file.substr(0, own.file.rfind('/') + 1) + "m.xml";  // beside meshes
  const std::clock_t began = std::clock();
  const ImportedModel imported = import_robot(out.text, file);
  EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 0.1);  // the issue of import allows 100 ms
  Model back = read_model_text(imported.text, file);
  Model left = Reduced(own, out.not_exported).model();
  if (has_free_bodies(left)) return;  // they lost the joint that held them, as is listed
  for (const std::string& line : out.not_exported)
    if (line.find("restitution of its end stops") != line.npos) leave_out_limits(back);
  left.gravity = back.gravity;
  CompareOptions options;
  options.states = 5, options.run = false, options.match_alike = false;
  start_at(own, start, back);
  const std::set<std::string> of_own = moving_names(left), of_back = moving_names(back);
  for (const Body& body : own.bodies)
    for (const char* mark : marks)
      for (const char* axis : {".x", ".y", ".z"})
        if (const std::string here = body.name + "." + mark + axis, there = mark_in(back, body.name, mark) + axis;
            of_own.contains(here) && of_back.contains(there))
          options.match.emplace_back(here, there);
  const CompareResult comparison = compare(left, back, options);
  EXPECT_EQ(comparison.obstacle, "") << testing::PrintToString(out.not_exported);
  EXPECT_EQ(comparison.states, 5);
  EXPECT_LT(comparison.acceleration, 1e-8) << comparison.acceleration_of << testing::PrintToString(out.not_exported);
}

}  // namespace
}  // namespace armature::internal
