// armature gallery: the experiments of published papers and benchmark problems, run and judged on one page.

#include "gallery/gallery.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "errors.hpp"
#include "expression/lower.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "program_file.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "record/record_error.hpp"
#include "record/results_folder.hpp"
#include "record/usable_cores.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;
using gallery::Entry;
using gallery::Gallery;
using gallery::Item;

constexpr const char* gallery_examples =
    "Examples:\n"
    "  armature gallery                         everything, into results/gallery\n"
    "  armature gallery --only rrr -o robot     one paper\n"
    "  armature gallery --only press/map        one figure\n"
    "  armature gallery --list                  list entries and items, run nothing\n"
    "\nThe exit code is 1 if a number differs from its reference.";

struct GalleryArguments {
  std::string from, output = "results/gallery";
  std::vector<std::string> only;
  bool list = false, json = false;
  int threads = 0;
};

fs::path root_of(const GalleryArguments& arguments) {
  const auto root = gallery::find_root(arguments.from, this_program());
  if (!root && !arguments.from.empty())
    throw UsageError(fmt::format("--from {}: expected a folder with gallery/ and models/ in it", arguments.from));
  if (!root)
    throw UsageError(
        "there is no folder with gallery/ and models/ above this program, and no share/armature next to it; give one "
        "with "
        "--from");
  return fs::absolute(*root);
}

// The exit code of a child, which is ended when nobody wants its result any more; -1: it did not end by itself.
int wait_for(pid_t child, const Interrupt& interrupt) {
  constexpr auto poll = std::chrono::milliseconds(5);
  constexpr int patience = 20;  // polls between asking it to end and ending it
  int status = -1, asked = 0;
  for (pid_t ended = 0; (ended = waitpid(child, &status, WNOHANG)) != child; std::this_thread::sleep_for(poll)) {
    if (ended < 0) return -1;
    if (interrupt.requested() && asked++ % patience == 0) kill(child, asked == 1 ? SIGTERM : SIGKILL);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The exit code of the program, started in `root`; -1: it did not end by itself.
int launch(const fs::path& program, const fs::path& root, const std::vector<std::string>& arguments,
           const fs::path& out, const fs::path& error, const Interrupt& interrupt) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addchdir_np(&files, root.c_str());
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, error.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  pid_t child = -1;
  const int failure = posix_spawn(&child, words[0].c_str(), &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failure != 0 ? -1 : wait_for(child, interrupt);
}

gallery::Json list_json(const std::vector<Entry>& entries) {
  gallery::Json list = gallery::Json::array();
  for (const Entry& entry : entries) {
    gallery::Json items = gallery::Json::array();
    for (const Item& item : entry.items)
      items.push_back({{"name", entry.name + "/" + item.name}, {"label", item.label}, {"shows", item.shows}});
    list.push_back({{"name", entry.name}, {"title", entry.title}, {"source", entry.source}, {"items", items}});
  }
  return {{"status", "finished"}, {"entries", list}};
}

void list(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    print_heading(entry.name + "  " + entry.title);
    for (const Item& item : entry.items)
      fmt::print("{}\n", fitted(fmt::format("  {:<24} {}: {}", entry.name + "/" + item.name, item.label, item.shows),
                                stdout, 27));
  }
}

// What --only may have meant by a name that is not known: an item without its entry, the
// beginning of one, or one nearly so called.
std::string advice(const std::vector<Entry>& entries, const std::string& name) {
  const std::string first = name.substr(0, name.find('/'));
  std::vector<std::string> entry_names, item_names, same;
  for (const Entry& entry : entries) {
    entry_names.push_back(entry.name);
    for (const Item& item : entry.items) {
      const std::string full = entry.name + "/" + item.name;
      if (entry.name == first) item_names.push_back(full);
      if (item.name == name || full.starts_with(name)) same.push_back(full);
    }
  }
  if (!same.empty() && same.size() <= 4) return fmt::format(" (did you mean {}?)", fmt::join(same, " or "));
  const bool in_entry = !item_names.empty();
  const auto nearest = in_entry ? nearest_name(name, item_names) : nearest_name(first, entry_names);
  if (nearest) return fmt::format(" (did you mean {}?)", *nearest);
  if (in_entry) return fmt::format("; expected {}", fmt::join(item_names, ", "));
  return fmt::format("; expected {}; 'armature gallery --list' shows their items", fmt::join(entry_names, ", "));
}

void require_names(const std::vector<Entry>& entries, const std::vector<std::string>& only) {
  for (const std::string& name : only) {
    const bool known = std::ranges::any_of(entries, [&](const Entry& entry) {
      return entry.name == name ||
             std::ranges::any_of(entry.items, [&](const Item& item) { return entry.name + "/" + item.name == name; });
    });
    if (!known) throw UsageError(fmt::format("--only {}: unknown name{}", name, advice(entries, name)));
  }
}

void print_text(const Gallery& result, const fs::path& page) {
  for (const auto& entry : result.entries) {
    fmt::print("{}\n", entry.entry->title);
    for (const auto& item : entry.items) {
      fmt::print("  {:<18} {}\n", to_string(item.judged.verdict), item.judged.item->label);
      for (const std::string& problem : item.judged.problems) fmt::print("      {}\n", problem);
      for (const auto& number : item.judged.numbers)
        if (number.failed())
          fmt::print("      {}:{}: {}: {}\n", entry.entry->file.string(), number.number->where.line,
                     number.number->name, number.problem);
    }
  }
  fmt::print("{}, in {:.3g} s\npage: {}\n", result.sentence(), result.seconds, page.string());
}

// Pages must not depend on how fast the computer is: experiments estimate no errors.
int make(const GalleryArguments& arguments) {
  ::setenv("ARMATURE_VERIFY", "0", 1);
  const fs::path root = root_of(arguments), program = this_program();
  std::vector<Entry> entries = gallery::read_entries(root / "gallery");
  if (entries.empty()) throw UsageError(fmt::format("{}: has no entries", (root / "gallery").string()));
  require_names(entries, arguments.only);
  gallery::keep_only(entries, arguments.only);
  if (arguments.list) {
    if (arguments.json)
      fmt::print("{}\n", json_text(list_json(entries)));
    else
      list(entries);
    return ok;
  }
  ResultsFolder folder(arguments.output, ResultKind::gallery);
  Interrupt interrupt;
  ProgressBar bar(0, 1);
  const Gallery result = gallery::make_gallery(
      entries, root, fs::absolute(folder.partial()),
      [&](const auto& words, const auto& out, const auto& error) {
        return launch(program, root, words, out, error, interrupt);
      },
      arguments.threads > 0 ? arguments.threads : usable_cores(),
      [&](int done, int count) {
        bar.show([&](double elapsed) { return cells_line("experiments", 0, done, count, elapsed, columns(stderr)); });
        return !interrupt.requested();
      });
  if (interrupt.requested()) throw ComputationError("stopped; nothing was written");
  folder.publish();
  if (arguments.json)
    fmt::print("{}\n", json_text(to_json(result)));
  else
    print_text(result, folder.path() / "index.html");
  return result.failures() == 0 ? ok : failed;
}

}  // namespace

Verb add_gallery(CLI::App& app) {
  auto arguments = std::make_shared<GalleryArguments>();
  CLI::App* verb = app.add_subcommand(
      "gallery", "rerun the experiments of published papers and report on one page which are reproduced");
  verb->footer(gallery_examples);
  verb->add_option("-o,--output", arguments->output, "folder of the page (default: results/gallery)")->type_name("DIR");
  verb->add_option("--only", arguments->only, "only this entry (rrr) or item (rrr/fig2a); repeatable")
      ->type_name("NAME,…")
      ->delimiter(',');
  verb->add_option("--from", arguments->from, "folder with gallery/ and models/ (default: found automatically)")
      ->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "experiments at a time (default: one per core)")
      ->type_name("N")
      ->check(positive);
  verb->add_flag("--list", arguments->list, "list entries and items, run nothing");
  verb->add_flag("--json", arguments->json, "print the result as JSON on stdout");
  add_quiet(*verb);
  return [arguments] { return make(*arguments); };
}

}  // namespace armature::internal::cli
