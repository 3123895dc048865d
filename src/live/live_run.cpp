#include "live/live_run.hpp"

#include <fmt/format.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "live/controls.hpp"
#include "model/reader.hpp"
#include "report/document.hpp"
#include "simulate/describe.hpp"
#include "simulate/simulate.hpp"

namespace armature {
namespace {

using Json = nlohmann::ordered_json;

struct Nowhere : Recorder {
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {}
};

Json error_json(const Diagnostic& diagnostic) {
  return {{"line", diagnostic.where.line},
          {"column", diagnostic.where.column},
          {"key", diagnostic.key},
          {"message", diagnostic.message}};
}

void set_error(Json& reply, const std::string& sentence, const std::vector<Diagnostic>& diagnostics) {
  reply["status"] = "error";
  reply["sentence"] = sentence;
  reply["errors"] = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) reply["errors"].push_back(error_json(diagnostic));
}

// Tables and meshes are files that a model names: they must lie in the folder, too.
void require_inside(const YamlNode& node, const std::filesystem::path& beside, const ServedFolder& folder,
                    Diagnostics& diagnostics) {
  for (const YamlEntry& entry : node.entries) {
    const bool names_file = (entry.key == "file" || entry.key == "mesh") && entry.value.is_text();
    if (names_file && !folder.holds(beside / entry.value.text))
      diagnostics.add(entry.value.where, entry.key,
                      fmt::format("'{}' lies outside the folder that is served (see --root)", entry.value.text));
    require_inside(entry.value, beside, folder, diagnostics);
  }
  for (const YamlNode& item : node.items) require_inside(item, beside, folder, diagnostics);
}

// Programs are assembled one at a time; runs go side by side. A turn that waits here may have been replaced meanwhile.
Prepared prepared_of(const Model& model, const LiveProgress& progress) {
  static std::mutex one;
  const std::lock_guard lock(one);
  if (progress && !progress(0, 0)) throw std::runtime_error("the run was ended before it began");
  Prepared prepared = compile(model);
  assemble_start(prepared);
  return prepared;
}

void run(const Model& model, const LiveProgress& progress, Json& reply) {
  const Prepared prepared = prepared_of(model, progress);
  if (!prepared.failure.empty()) {
    const Location where = model.start.keep.empty() ? Location{} : model.start.keep.front().where;
    return set_error(reply, prepared.failure, {{where, "start", prepared.failure}});
  }
  Nowhere nowhere;
  ReportRecorder rows(nowhere);
  const Outcome outcome =
      simulate(prepared, rows, [&](double t, long) { return !progress || progress(t, prepared.options.end); });
  rows.finish();
  const RunRecord record = describe(model, {}, prepared, outcome);
  reply["status"] = record.status;
  reply["sentence"] = outcome.sentence;
  reply["document"] = run_document(model, record, rows);
}

void read_and_run(const LiveRequest& request, const ServedFolder& folder, const LiveProgress& progress, Json& reply) {
  const std::string text = reply["text"];
  const std::filesystem::path file = folder.place(request.name);
  Diagnostics diagnostics(request.name), ignored(request.name);
  const YamlNode root = parse_yaml(text, ignored);
  reply["controls"] = controls_of(text, root, nullptr);
  require_inside(root, file.parent_path(), folder, diagnostics);
  diagnostics.throw_if_any();
  Model model = read_model_text(text, file.string());
  model.file = request.name;  // for messages; what it names has been read
  reply["controls"] = controls_of(text, root, &model);
  run(model, progress, reply);
}

// What cannot be written leaves the text, and what can be turned in it, as they are.
std::string edited(const LiveRequest& request, Json& reply) {
  std::string text = request.text;
  try {
    for (const LiveEdit& edit : request.edits) text = turn(text, edit.path, edit.value);
  } catch (const EditError&) {
    Diagnostics ignored(request.name);
    reply["controls"] = controls_of(request.text, parse_yaml(request.text, ignored), nullptr);
    throw;
  }
  return text;
}

}  // namespace

Json live_run(const LiveRequest& request, const ServedFolder& folder, const LiveProgress& progress) {
  Json reply{{"status", "error"},
             {"sentence", ""},
             {"text", request.text},
             {"controls", Json::array()},
             {"errors", Json::array()}};
  try {
    reply["text"] = edited(request, reply);
    read_and_run(request, folder, progress, reply);
  } catch (const ModelError& error) {
    set_error(reply, ModelError(request.name, error.diagnostics()).what(), error.diagnostics());
  } catch (const std::exception& error) {  // an edit or a file that cannot be; anything else must not end the program
    set_error(reply, error.what(), {{{}, "", error.what()}});
  }
  return reply;
}

}  // namespace armature
