// armature view FILE: a page on which a model's numbers are turned while it moves.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "errors.hpp"
#include "import/import.hpp"
#include "interrupt.hpp"
#include "live/guard.hpp"
#include "live/server.hpp"
#include "model/file_kind.hpp"
#include "plugin/plugin.hpp"
#include "record/write_text.hpp"
#include "report/page.hpp"
#include "validators.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* view_examples =
    "Examples:\n"
    "  armature view models/rrr.yaml\n"
    "  armature view models/four_bar.yaml --port 8700 --no-open\n"
    "\nA live page opens in the browser. Its sliders change parameters, initial conditions and the method; every "
    "change is simulated at once.\n"
    "Only this computer can open the page, unless --host allows others. Ctrl-C ends it.";

struct ViewArguments {
  std::string file, root;
  LiveOptions server;
  bool no_open = false;
};

// The name of the file seen from the folder that is served.
std::string name_in(const ServedFolder& folder, const std::string& file) {
  std::error_code ignored;
  const fs::path name = fs::relative(fs::canonical(file, ignored), folder.root(), ignored);
  return name.string();
}

// Everybody on the machine can read the arguments of a program, and the address holds the key. So the browser opens a file
// that only its owner can read, and that leads to the address.
class Browser {
 public:
  explicit Browser(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    std::string name = (fs::temp_directory_path() / "armature_XXXXXX.html").string();
    const int file = mkstemps(name.data(), 5);  // with permissions for the owner alone
    if (file < 0) return;
    close(file);
    file_ = name;
    write_text(file_, fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={}\">\n", address));
    if (fork() != 0) return;
    execlp("xdg-open", "xdg-open", file_.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  ~Browser() {
    std::error_code ignored;
    if (!file_.empty()) fs::remove(file_, ignored);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

 private:
  fs::path file_;
};

void serve(LiveServer& server, const Interrupt& interrupt) {
  std::atomic<bool> ended = false;
  std::thread listening([&] {
    server.listen();
    ended = true;
  });
  while (!interrupt.requested() && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  server.stop();
  listening.join();
}

int view(ViewArguments arguments) {
  if (arguments.server.host.empty()) throw UsageError("--host needs an address; 127.0.0.1 is this computer alone");
  if (const std::string why = why_no_file(arguments.file, "model file"); !why.empty())
    throw UsageError(fmt::format("{}: {}", arguments.file, why));
  if (is_xml(read_file(arguments.file).value_or("")))
    throw UsageError(fmt::format(
        "{}: the page changes the numbers of a model file; make one with 'armature import {} -o model.yaml'",
        arguments.file, arguments.file));
  try {
    const fs::path beside = fs::absolute(arguments.file).parent_path();
    const ServedFolder folder(arguments.root.empty() ? beside : fs::path(arguments.root));
    arguments.server.file = name_in(folder, arguments.file);
    if (!folder.holds(arguments.file))
      throw UsageError(fmt::format("{}: is outside of {}", arguments.file, folder.root().string()));
    folder.read(arguments.server.file);
    if (embedded_page(Page::view).empty())
      throw UsageError("view: this program was built without Node, or without its packages, and has no page to show");
    const Interrupt interrupt;  // before anybody knows the address
    LiveServer server(folder, arguments.server);
    fmt::print("{}\n{} serves the model files of {}; Ctrl-C ends it\n", server.address(),
               is_loopback(arguments.server.host) ? "it" : "other computers can reach it, and it",
               folder.root().string());
    std::fflush(stdout);
    std::optional<Browser> browser;
    if (!arguments.no_open) browser.emplace(server.address());
    serve(server, interrupt);
  } catch (const PluginError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  return ok;
}

}  // namespace

Verb add_view(CLI::App& app) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* verb = app.add_subcommand("view", "open a live page with sliders for parameters, start and method");
  verb->footer(view_examples);
  verb->add_option("FILE", arguments->file, "model file (YAML)")->required();
  verb->add_option("--port", arguments->server.port, "port to listen on (default: any free port)")
      ->type_name("N")
      ->check(whole_between(1, 65535));
  verb->add_option("--host", arguments->server.host,
                   "address to listen on (default: 127.0.0.1, reachable from this computer only)")
      ->type_name("ADDRESS");
  verb->add_option("--root", arguments->root,
                   "folder whose model files the page can read and write (default: the folder of FILE)")
      ->type_name("DIR");
  verb->add_flag("--no-open", arguments->no_open, "do not open a browser");
  return [arguments] { return view(*arguments); };
}

}  // namespace armature::internal::cli
