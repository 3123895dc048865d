// What each host of a compiled motion can do: models with one thing in them each, asked of every host. docs/architecture.md has the table.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fmi/hosted_motion.hpp"
#include "gpu/device_code.hpp"
#include "inspect/export_c.hpp"
#include "model/request_error.hpp"
#include "report/page_model.hpp"
#include "report/report_recorder.hpp"
#include "report/scene.hpp"
#include "run/motion_lanes.hpp"
#include "run/rollout.hpp"
#include "study/study_card.hpp"
#include "support/run_model.hpp"
#include "tuning/tuning_run.hpp"

namespace armature::internal {
namespace {

struct Thing {
  std::string name;
  Model model;
  std::string varied = "x.v";  // in a sweep
};

Model cart(const std::string& what) {
  return read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nparameters: {k: 2}\nbodies: {cart: {mass: 1, inertia: none}}\n"
      "joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}\nsimulate: {end: 1 s, record: 0.1 s}\n" +
      what + "\n");
}
Model pushed(const std::string& force, const std::string& more = "") {
  return cart(more + "\nforces: {f: {type: effort, on: x, is: \"" + force + "\"}}");
}

std::vector<Thing> things() {
  return {
      {"closed loops", shipped("four_bar"), "crank_angle.v"},
      {"changes of comparisons", pushed("if(x > 0.1, -k, 1)")},
      {"a joint that sticks", pushed("if(x' > 0, -k, k)", "start: {speed: {x: 0.5}}")},
      {"tables",
       pushed("push(x)", "tables: {push: {x: [0, 0.4, 0.5, 0.6, 1], y: [0, 0, 1, 0, 0], interpolation: spline}}")},
      {"forces shorter than a step", pushed("k*exp(-((t - 0.5)/0.001)^2)")},
      {"sampled controllers",
       pushed("c", "controllers: {c: {type: pid, measure: x, target: 1, kp: 4, kd: 1, sampled: {period: 10 ms}}}")},
      {"rigid contacts",
       cart("start: {keep: {x: 1}, speed: {x: -5}}\nforces: {stop: {type: contact, gap: \"x\", restitution: 0.5}}")},
      {"beams that bend far", shipped("beams/flexible_pendulum"), "hinge.v"},
      {"rolling", shipped("contact/rolling_coin"), "speed"},
      {"steps of an implicit method",
       [] {
         Model model = pushed("-k*x");
         model.simulate.integrator = "radau5";
         return model;
       }()},
  };
}

// A host says no by a sentence, or by throwing one.
using Ask = std::function<std::string(const Thing&, const Prepared&)>;
std::string answer(const Ask& ask, const Thing& thing, const Prepared& prepared) {
  try {
    return ask(thing, prepared).empty() ? "computes" : "refuses";
  } catch (const RequestError&) {
    return "refuses";
  } catch (const std::invalid_argument&) {
    return "refuses";
  }
}

std::string lanes(const Thing&, const Prepared& prepared) { return MotionLanes::possible(prepared) ? "" : "alone"; }
std::string card(const Thing& thing, const Prepared&) {
  const Varied varied = vary(thing.model, {thing.varied});
  Study study(varied, MotionFormulas(varied.model, varied.parameters));
  return require_card_for(study, Arithmetic::exact);
}
std::string page(const Thing& thing, const Prepared& prepared) {
  struct Nowhere final : Recorder {
    void begin(const std::vector<Channel>&) override {}
    void row(std::span<const double>) override {}
  } nowhere;
  ReportRecorder rows(nowhere);
  simulate(prepared, rows, [](double, long) { return false; });
  const auto json = page_model(thing.model, {prepared}, Scene(thing.model), rows);
  return json.is_null() ? "" : json.value("refused", "");
}
Prepared for_rollout(const Prepared& prepared) {
  Prepared result = prepared;
  prepare_for_rollout(result, "rk4", 1e-3);
  return result;
}
std::string exported(const Thing&, const Prepared& prepared) {
  export_c(for_rollout(prepared), "model", "model");
  return "";
}
std::string rollout_card(const Thing&, const Prepared& prepared) { return device_refusal(for_rollout(prepared)); }
std::string hosted(const Thing&, const Prepared& prepared) { return HostedMotion(prepared), ""; }

struct Host {
  std::string name;
  Ask ask;
  std::string no = "refuses";
};
std::vector<Host> hosts() {
  return {{"lanes", lanes, "alone"},      {"page", page, "refuses"},
          {"`--gpu`", card, "processor"}, {"rollouts, GPU", rollout_card, "processor"},
          {"exported C", exported},       {"model exchange", hosted}};
}

std::string table() {
  std::string text = "| | run, co-simulation |", line = "|---|---|";
  for (const Host& host : hosts()) text += fmt::format(" {} |", host.name), line += "---|";
  text += "\n" + line + "\n";
  for (const Thing& thing : things()) {
    const Prepared machine = prepared(thing.model);
    text += fmt::format("| {} | computes |", thing.name);
    for (const Host& host : hosts())
      text += fmt::format(" {} |", answer(host.ask, thing, machine) == "computes" ? "computes" : host.no);
    text += "\n";
  }
  return text;
}

TEST(Hosts, DoWhatThePageSays) {
  std::ifstream file(std::string(source_directory) + "/docs/architecture.md");
  const std::string page(std::istreambuf_iterator<char>(file), {}), found = table();
  EXPECT_NE(page.find(found), std::string::npos) << "the table of docs/architecture.md is now\n" << found;
}

}  // namespace
}  // namespace armature::internal
