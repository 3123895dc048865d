// One turn of the page's wheel: a text with edits becomes a run to be drawn, or errors with their places.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "live/served_folder.hpp"
#include "read/text_edit.hpp"

namespace armature::internal {

struct LiveEdit {
  KeyPath path;
  std::string value;
};

struct LiveRequest {
  std::string name;  // of the model file in the folder
  std::string text;  // as the file holds it, whether it is UTF-8 or not
  std::vector<LiveEdit> edits = {};
};

// Called during the run with its time and its end, s, from its threads; false: stop.
using LiveProgress = std::function<bool(double t, double end)>;

// {status, sentence, text, controls, errors, document}. text: as bytes_as_utf8 gives it. status: "finished", "stopped" or
// "failed" as of runs, or "error": then there is no document, and errors lists {line, column, key, message}; line 0: of no
// line.
nlohmann::ordered_json live_run(const LiveRequest& request, const ServedFolder& folder,
                                const LiveProgress& progress = {});

// The text with its edits; without those if one of them cannot be written.
std::string edited_text(const LiveRequest& request);

// {compute}: what the page computes this text with (report/page_model.hpp); {sentence} where it cannot.
nlohmann::ordered_json live_compute(const LiveRequest& request, const ServedFolder& folder,
                                    const LiveProgress& progress = {});

}  // namespace armature::internal
