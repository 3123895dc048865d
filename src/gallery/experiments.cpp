#include "gallery/experiments.hpp"
#include "record/json_text.hpp"
#include "record/write_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "model/file_kind.hpp"

namespace armature::internal::gallery {
namespace {

namespace fs = std::filesystem;

struct Task {
  const Entry* entry;
  const Experiment* experiment;
};

bool is_study(const Experiment& experiment) {
  const std::string& verb = experiment.command.front();
  return verb == "map" || verb == "sweep" || verb == "optimize" || verb == "tune";
}

bool writes_folder(const std::string& verb) {
  for (const char* known :
       {"run", "kinematics", "inverse", "plan", "map", "sweep", "optimize", "modes", "tune", "singularities"})
    if (verb == known) return true;
  return false;
}

// A run that reached its end with open constraints.
bool has_drifted(const Json& said) {
  if (!said.is_object() || !said.contains("findings")) return false;
  return std::ranges::any_of(said["findings"],
                             [](const Json& finding) { return finding.value("code", "") == "constraint"; });
}

std::string quoted(const std::string& word) {
  const std::string harmless = "-_./:=,+@%";
  const auto plain = [&](unsigned char c) {
    return std::isalnum(c) != 0 || harmless.find(static_cast<char>(c)) != std::string::npos;
  };
  return std::ranges::all_of(word, plain) ? word : "'" + word + "'";
}

std::string shown_command(const Experiment& experiment) {
  std::string line = "armature";
  for (const std::string& word : experiment.command) line += " " + quoted(word);
  return line;
}

// What the numbers of the entry want to know of the motion.
void add_formulas(const Task& task, std::vector<std::string>& arguments) {
  for (const Item& item : task.entry->items)
    for (std::size_t k = 0; k < item.numbers.size(); ++k) {
      const Number& number = item.numbers[k];
      if (number.of != task.experiment->name || number.kind != Number::Kind::formula) continue;
      arguments.push_back("--result");
      arguments.push_back(result_name(item, k) + "=" + number.text);
    }
}

ExperimentResult run_one(const Task& task, const fs::path& folder, const Launch& launch) {
  const auto began = std::chrono::steady_clock::now();
  const fs::path place = folder / task.entry->name;
  const std::string& name = task.experiment->name;
  ExperimentResult result;
  result.command = shown_command(*task.experiment);
  result.folder = place / name;
  std::vector<std::string> arguments = task.experiment->command;
  add_formulas(task, arguments);
  arguments.push_back("--json");
  if (writes_folder(arguments.front())) arguments.insert(arguments.end(), {"-o", result.folder.string()});
  const fs::path out = place / (name + ".json"), error = place / (name + ".log");
  const int code = launch(arguments, out, error);
  result.said = parse_json(read_file(out).value_or(""));
  const std::string sentence = result.said.is_object() && result.said.contains("sentence")
                                   ? result.said["sentence"].get<std::string>()
                                   : read_file(error).value_or("");
  if (result.said.is_discarded())
    result.problem = fmt::format("exit code {}: {}", code, sentence);
  else if (code != 0 && !is_study(*task.experiment) &&  // a study that finds nothing has its numbers all the same
           !(task.experiment->drifts && has_drifted(result.said)))
    result.problem = sentence;
  if (result.said.is_object() && result.said.erase("results") > 0)  // where the folder was while it was written
    write_text(out, json_text(result.said, 1) + "\n");
  if (fs::exists(error) && fs::file_size(error) == 0) fs::remove(error);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

// Studies use all cores by themselves and take longest: they go first.
std::vector<Task> tasks_of(const std::vector<Entry>& entries) {
  std::vector<Task> tasks;
  for (const Entry& entry : entries)
    for (const Experiment& experiment : entry.experiments) tasks.push_back({&entry, &experiment});
  std::stable_partition(tasks.begin(), tasks.end(), [](const Task& task) { return is_study(*task.experiment); });
  return tasks;
}

}  // namespace

std::string result_name(const Item& item, std::size_t number) { return fmt::format("{}_{}", item.name, number + 1); }

ExperimentResults run_experiments(const std::vector<Entry>& entries, const fs::path& folder, const Launch& launch,
                                  int threads, const GalleryProgress& progress) {
  const std::vector<Task> tasks = tasks_of(entries);
  for (const Entry& entry : entries) fs::create_directories(folder / entry.name);
  ExperimentResults results;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  int done = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < tasks.size() && !stop; k = next++) {
      ExperimentResult result;
      try {
        result = run_one(tasks[k], folder, launch);
      } catch (const std::exception& error) {
        result.problem = error.what();
      }
      const std::lock_guard lock(mutex);
      results[tasks[k].entry->name + "/" + tasks[k].experiment->name] = std::move(result);
      if (progress && !progress(++done, static_cast<int>(tasks.size()))) stop = true;
    }
  };
  std::vector<std::jthread> workers;
  for (int k = 0; k < std::max(1, threads); ++k) workers.emplace_back(work);
  workers.clear();
  return results;
}

}  // namespace armature::internal::gallery
