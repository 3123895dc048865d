// What a report computes with: the model as a WebAssembly module, the tables of step/page_table.hpp, and the values that can be changed.
// viewer/src/compute/model.ts reads it; docs/design/015-a-report-that-computes.md explains it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "report/report_recorder.hpp"
#include "report/scene.hpp"

namespace armature::internal {

// The run that a page is to compute further ones beside.
struct PageRun {
  const Prepared& prepared;
  bool from_state = false;   // the start is the state of another run, not what the file says
  std::string options = "";  // of the command line that chose the start: "--branch 2"
  long steps = 0;            // that it took
};

// What a page computes motions and poses with. Where it cannot compute motions of this model, it has a sentence `refused`, and poses alone where
// these are possible. Null where the program was built without the page's kernel. rows: of the run.
nlohmann::ordered_json page_model(const Model& model, const PageRun& run, const Scene& scene,
                                  const ReportRecorder& rows);

}  // namespace armature::internal
