#include "live/live_run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "expression/interruption.hpp"
#include "model/utf8.hpp"
#include "read/fmu_uses.hpp"
#include "read/guarded_reader.hpp"
#include "report/controls.hpp"
#include "report/document.hpp"
#include "run/describe.hpp"
#include "run/simulate.hpp"

namespace armature::internal {
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

void set_error(Json& reply, const std::string& sentence, const Diagnostic& diagnostic) {
  reply["status"] = "error";
  reply["sentence"] = sentence;
  reply["errors"] = Json::array({error_json(diagnostic)});
}

// The page shows the model's own text: what is wrong in a file that it uses stands where it is used.
void set_error(Json& reply, const ModelError& error) {
  reply["status"] = "error";
  reply["sentence"] = error.what();
  reply["errors"] = Json::array();
  for (Diagnostic diagnostic : error.diagnostics()) {
    if (diagnostic.where.file != 0) {
      diagnostic.message =
          fmt::format("{}:{}: {}", error.file_of(diagnostic), diagnostic.where.line, diagnostic.message);
      diagnostic.where = {error.own_line_of(diagnostic)};
    }
    reply["errors"].push_back(error_json(diagnostic));
  }
}

// How far a run is, for its page; and whether that still wants it, which compiling and recording ask, too.
class Wanted {
 public:
  explicit Wanted(const LiveProgress& progress) : progress_(progress) {}
  bool operator()(double t, double end) {
    t_ = t, end_ = end;
    return still();
  }
  bool still() const { return !progress_ || progress_(t_, end_); }

 private:
  const LiveProgress& progress_;
  std::atomic<double> t_ = 0, end_ = 0;
};

// An FMU is code of somebody else's, which a page must not start.
void refuse_live_fmus(const Model& model) {
  if (!fmu_uses(model).empty()) throw ModelError(model, {{{}, "fmus", "a page does not run FMUs; use 'armature run'"}});
}

Prepared prepared_of(const Model& model) {
  refuse_live_fmus(model);
  Prepared prepared = compile(model);
  assemble_start(prepared);
  return prepared;
}

void run(const Model& model, Wanted& wanted, Json& reply) {
  const Prepared prepared = prepared_of(model);
  if (!prepared.failure.empty()) {
    const Location where = model.start.keep.empty() ? Location{} : model.start.keep.front().where;
    return set_error(reply, prepared.failure, {where, "start", prepared.failure});
  }
  Nowhere nowhere;
  ReportRecorder rows(nowhere);
  const Outcome outcome = simulate(prepared, rows, [&](double t, long) { return wanted(t, prepared.options.end); });
  rows.finish();
  const RunRecord record = describe(model, {}, prepared, outcome);
  reply["status"] = record.status;
  reply["sentence"] = outcome.sentence;
  reply["document"] = run_document(model, record, rows, nullptr, &prepared);
}

// Tables and meshes are files that a model names: they must lie in the folder, too.
Model read_served(const LiveRequest& request, const std::string& text, const ServedFolder& folder) {
  const std::filesystem::path file = folder.place(request.name);
  Model model = read_guarded_text(text, file.string(), [&](const auto& path) { return folder.holds(path); });
  model.file = request.name;  // for messages; what it names has been read
  return model;
}

void read_and_run(const LiveRequest& request, const std::string& text, const ServedFolder& folder, Wanted& wanted,
                  Json& reply) {
  Diagnostics ignored(request.name);
  const YamlNode root = parse_yaml(text, ignored);
  reply["controls"] = controls_of(text, root, nullptr);
  const Model model = read_served(request, text, folder);
  reply["controls"] = controls_of(text, root, &model);
  run(model, wanted, reply);
}

std::string with_edits(const LiveRequest& request) {
  std::string text = request.text;
  for (const LiveEdit& edit : request.edits) text = turn(text, edit.path, edit.value);
  return text;
}

// What cannot be written leaves the text, and what can be turned in it, as they are. Where that is the fault of the text, its own errors tell why.
std::string edited(const LiveRequest& request, Json& reply) {
  try {
    return with_edits(request);
  } catch (const EditError&) {
    Diagnostics errors(request.name);
    const YamlNode root = parse_yaml(request.text, errors);
    if (!errors.empty()) return request.text;
    reply["controls"] = controls_of(request.text, root, nullptr);
    throw;
  }
}

}  // namespace

Json live_run(const LiveRequest& request, const ServedFolder& folder, const LiveProgress& progress) {
  Json reply{{"status", "error"},
             {"sentence", ""},
             {"text", bytes_as_utf8(request.text)},
             {"controls", Json::array()},
             {"errors", Json::array()}};
  Wanted wanted(progress);
  const Interruption interruption([&] { return !wanted.still(); });
  try {
    const std::string text = edited(request, reply);
    reply["text"] = bytes_as_utf8(text);
    read_and_run(request, text, folder, wanted, reply);
  } catch (const Interrupted&) {
    const std::string sentence = "stopped before the run began";
    set_error(reply, sentence, {{}, "", sentence});
  } catch (const ModelError& error) {
    set_error(reply, error.about(request.name));
  } catch (const std::exception& error) {  // an edit or a file that cannot be; anything else must not end the program
    set_error(reply, error.what(), {{}, "", error.what()});
  }
  return reply;
}

std::string edited_text(const LiveRequest& request) {
  try {
    return with_edits(request);
  } catch (const std::exception&) {  // its run tells why
    return request.text;
  }
}

Json live_compute(const LiveRequest& request, const ServedFolder& folder, const LiveProgress& progress) {
  Wanted wanted(progress);
  const Interruption interruption([&] { return !wanted.still(); });
  try {
    const Model model = read_served(request, request.text, folder);
    const Prepared prepared = prepared_of(model);
    if (!prepared.failure.empty()) return {{"sentence", prepared.failure}};
    Nowhere nowhere;
    ReportRecorder rows(nowhere);
    simulate(prepared, rows, [](double, long) { return false; });  // which channels there are
    Json compute = page_model(model, {prepared}, Scene(model), rows);
    if (compute.is_null())
      return {{"sentence", "this program was built without clang and lld, which pages need to compute"}};
    return {{"compute", std::move(compute)}};
  } catch (const std::exception& error) {  // what is wrong with the text, its run has told
    return {{"sentence", error.what()}};
  }
}

}  // namespace armature::internal
