// Runs the commands of entries, several at a time, and keeps what they say and write.
//
//   <folder>/<entry>/<experiment>/        what the command writes with -o
//   <folder>/<entry>/<experiment>.json    what it says with --json
//   <folder>/<entry>/<experiment>.log     what it says on stderr
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gallery/entry.hpp"

namespace armature::internal::gallery {

using Json = nlohmann::ordered_json;

// Runs the program with these arguments, its output going to two files; returns the exit code.
using Launch = std::function<int(const std::vector<std::string>& arguments, const std::filesystem::path& out,
                                 const std::filesystem::path& error)>;

struct ExperimentResult {
  std::string command;           // to be copied: "armature run models/rrr.yaml --end 3"
  std::filesystem::path folder;  // of its files
  Json said;
  std::string problem;  // not empty: why there is no result
  double seconds = 0;
};

// By entry and experiment: "rrr/voltages".
using ExperimentResults = std::map<std::string, ExperimentResult>;

// Called from several threads; false: stop.
using GalleryProgress = std::function<bool(int done, int count)>;

ExperimentResults run_experiments(const std::vector<Entry>& entries, const std::filesystem::path& folder,
                                  const Launch& launch, int threads, const GalleryProgress& progress = {});

// The name that the formula of a number has among the results of its run.
std::string result_name(const Item& item, std::size_t number);

}  // namespace armature::internal::gallery
