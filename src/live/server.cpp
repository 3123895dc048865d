#include "live/server.hpp"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "live/dropped_file.hpp"
#include "live/format_json.hpp"
#include "live/guard.hpp"
#include "live/http.hpp"
#include "live/live_run.hpp"
#include "live/requests.hpp"
#include "live/run_queue.hpp"
#include "model/utf8.hpp"
#include "plugin/plugin.hpp"
#include "record/json_text.hpp"
#include "report/page.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;

// The library compresses types that it knows by name, which would take longer than everything else; it does not know these.
constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* page_type = "Text/html; charset=utf-8";

// Runs have threads of their own: these only read, write and wait a moment for runs that end at once.
constexpr std::size_t request_threads = 128;
constexpr int most_waiting = 8;
constexpr std::chrono::milliseconds moment{150};

std::string dumped(const Json& json) { return json_text(json, -1); }

HttpAnswer refusal(int status, const std::string& sentence) {
  return {status, dumped({{"sentence", sentence}}), json_type};
}

// The page runs its own scripts and talks to this server; nothing else, whatever a model's text should bring into it.
std::string security_policy(const std::string& nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; connect-src 'self'; "
      "img-src 'self' data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce);
}

// In the page's data < is written in digits: what looks like a tag is one of the page's own.
std::string with_nonce(const std::string& page, const std::string& nonce) {
  constexpr std::string_view tag = "<script";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at; (at = page.find(tag, from)) != std::string::npos; from = at + tag.size())
    text += page.substr(from, at - from) + fmt::format("{} nonce=\"{}\"", tag, nonce);
  return text + page.substr(from);
}

}  // namespace

class LiveServer::Impl {
 public:
  Impl(const ServedFolder& folder, const LiveOptions& options)
      : folder_(folder),
        options_(options),
        key_(random_key()),
        server_(make_server()),
        port_(take_port()),
        guard_(options.host, port_, key_) {
    add_routes();
  }

  int port() const { return port_; }
  const std::string& key() const { return key_; }
  const LiveOptions& options() const { return options_; }
  void listen() {
    listening_ = true;
    if (!ending_) server_->listen();
    listening_ = false;
  }
  // The library ignores a stop that comes before it listens.
  void stop() {
    ending_ = true;
    runs_.close();
    for (; listening_; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
      if (server_->is_listening()) server_->stop();
  }

 private:
  std::unique_ptr<HttpServer> make_server() {
    return plugin<HttpLibrary>("http").make_server(
        {largest_request,
         request_threads,
         {{"Cache-Control", "no-store"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"}},
         [this](const HttpRequest& request, HttpAnswer& answer) { return refuses(request, answer); },
         [](int status) { return refusal(status, sentence_of(status)); }});
  }

  // Browsers keep what is unsaved by address and port: a folder that is served again has the same port, where that is free.
  int usual_port() const {
    constexpr int first = 49152, count = 16384;  // for private use
    return first + static_cast<int>(std::hash<std::string>()(folder_.root().string()) % count);
  }

  int take_port() {
    if (options_.port == 0 && server_->take_port(options_.host, usual_port())) return usual_port();
    const int port = options_.port == 0                                 ? server_->take_any_port(options_.host)
                     : server_->take_port(options_.host, options_.port) ? options_.port
                                                                        : -1;
    if (port <= 0)
      throw std::runtime_error(options_.port == 0
                                   ? fmt::format("--host {}: cannot listen on this address", options_.host)
                                   : fmt::format("port {} of {} is in use, or not permitted; try another --port",
                                                 options_.port, options_.host));
    return port;
  }

  // True: with this answer.
  bool refuses(const HttpRequest& request, HttpAnswer& answer) {
    const auto refuse = [&](int status, const std::string& sentence) {
      answer = refusal(status, sentence);
      return true;
    };
    const auto header = [&](const char* name) { return request.header(name); };
    if (const auto why = guard_.refuses(header)) return refuse(403, *why);
    const bool keyed =
        request.path() == "/" ? guard_.has_key(request.parameter("key")) : guard_.has_key(header("X-Armature-Key"));
    if (!keyed)
      return refuse(403, "open the address that the program has printed: the key at its end is missing or wrong");
    if (!header("Content-Encoding").empty())  // what is packed may be a thousand times larger than it looks
      return refuse(415, "requests must not be compressed");
    const auto method = methods_.find(request.path());
    if (method != methods_.end() && method->second != request.method()) {
      answer = refusal(405, fmt::format("{} is for {}, not for {}", request.path(), method->second, request.method()));
      answer.headers = {{"Allow", method->second}};
      return true;
    }
    return !states_its_length(request) && refuse(411, "requests must state their length");
  }

  // The library bounds only bodies of a stated length: it reads others to the end, and takes that of a GET for the next request.
  static bool states_its_length(const HttpRequest& request) {
    const bool has_body = request.method() != "GET" && request.method() != "HEAD";
    return !request.has_header("Transfer-Encoding") && (!has_body || !request.header("Content-Length").empty());
  }

  // A route whose sentences become answers.
  template <class F>
  void add_route(const char* method, const char* path, F f) {
    methods_[path] = method;
    server_->add_route(method, path, [f](const HttpRequest& request) -> HttpAnswer {
      try {
        return {200, f(request), json_type};
      } catch (const FolderError& error) {
        return refusal(error.status, error.what());
      } catch (const std::exception& error) {
        return refusal(500, error.what());
      }
    });
  }

  template <class F>
  void get(const char* path, F f) {
    add_route("GET", path, f);
  }
  template <class F>
  void post(const char* path, F f) {
    add_route("POST", path,
              [f](const HttpRequest& request) { return f(json_body(request.header("Content-Type"), request.body())); });
  }

  Json page_document() const { return {{"key", key_}, {"file", options_.file}, {"folder", folder_.root().string()}}; }

  void add_routes() {
    methods_["/"] = "GET";
    server_->add_route("GET", "/", [this](const HttpRequest&) -> HttpAnswer {
      const std::string nonce = random_key();
      return {200,
              with_nonce(page_text(page_document(), Page::view), nonce),
              page_type,
              {{"Content-Security-Policy", security_policy(nonce)}}};
    });
    get("/api/files", [this](const HttpRequest&) {
      const ServedFolder::Listing found = folder_.models();
      return dumped({{"files", found.names}, {"complete", found.complete}});
    });
    get("/api/file", [this](const HttpRequest& request) {
      const auto file = folder_.read(request.parameter("name"));
      return dumped({{"text", bytes_as_utf8(file.text)}, {"stamp", file.stamp}});
    });
    get("/api/format", [](const HttpRequest&) { return dumped(format_json()); });
    get("/api/state", [this](const HttpRequest& request) { return state(request); });
    get("/api/result", [this](const HttpRequest& request) {
      return result(request.parameter("page"), number_of(request.parameter("run")), {});
    });
    post("/api/run", [this](const Json& body) { return run(body); });
    post("/api/compute", [this](const Json& body) { return compute(body); });
    post("/api/stop", [this](const Json& body) {
      runs_.stop(text_in(body, "page"));
      return std::string("{}");
    });
    post("/api/drop", [this](const Json& body) {
      const DroppedFile file = dropped_file(text_in(body, "name"), utf8_as_bytes(text_in(body, "text")), folder_);
      return dumped({{"name", file.name},
                     {"text", bytes_as_utf8(file.text)},
                     {"format", file.format},
                     {"loops", file.loops},
                     {"not_taken", file.not_taken}});
    });
    post("/api/save", [this](const Json& body) {
      const std::string stamp =
          folder_.write(text_in(body, "name"), utf8_as_bytes(text_in(body, "text")), text_in(body, "stamp"));
      return dumped({{"stamp", stamp}});
    });
  }

  // How far a page's run is, and whether its file has changed.
  std::string state(const HttpRequest& request) {
    const RunQueue::State state = runs_.state(request.parameter("page"));
    return dumped({{"running", state.running},
                   {"waiting", state.waiting},
                   {"t", state.t},
                   {"end", state.end},
                   {"stamp", folder_.stamp(request.parameter("name"))}});
  }

  LiveRequest request_in(const Json& body) const {
    LiveRequest request{text_in(body, "name"), utf8_as_bytes(text_in(body, "text")), edits_in(body)};
    folder_.place(request.name);
    return request;
  }
  // A run that takes long has its text at once: until the page has it, nobody can save it.
  std::string run(const Json& body) {
    const LiveRequest asked = request_in(body);
    const auto work = [this, asked](const LiveProgress& progress) {
      const auto began = std::chrono::steady_clock::now();
      Json reply = live_run(asked, folder_, progress);
      reply["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      return dumped(reply);
    };
    return begin(text_in(body, "page"), work, [&] { return Json{{"text", bytes_as_utf8(edited_text(asked))}}; });
  }
  // Beside the runs of the page, under a name of its own.
  std::string compute(const Json& body) {
    return begin(text_in(body, "page"), [this, request = request_in(body)](const LiveProgress& progress) {
      return dumped(live_compute(request, folder_, progress));
    });
  }

  // Begins a run; its answer, where it comes within a moment, else its number and what is known before.
  std::string begin(
      const std::string& page, RunQueue::Run work,
      const std::function<Json()>& before = [] { return Json::object(); }) {
    const auto number = runs_.begin(page, std::move(work));
    if (!number) throw FolderError(429, "too many pages are open: close some of them");
    const std::string reply =
        result(page, *number, ++waiting_ <= most_waiting ? moment : std::chrono::milliseconds{}, before);
    --waiting_;
    return reply;
  }

  std::string result(
      const std::string& page, long number, std::chrono::milliseconds wait,
      const std::function<Json()>& before = [] { return Json::object(); }) {
    const RunQueue::Answer answer = runs_.answer(page, number, wait);
    if (answer.text) return *answer.text;
    Json reply{{"status", answer.superseded ? "superseded" : "running"}, {"run", number}};
    if (!answer.superseded) reply.update(before());
    return dumped(reply);
  }

  const ServedFolder& folder_;
  LiveOptions options_;
  std::string key_;
  std::unique_ptr<HttpServer> server_;
  int port_;
  Guard guard_;
  std::map<std::string, std::string> methods_;  // by path
  std::atomic<bool> ending_ = false, listening_ = false;
  std::atomic<int> waiting_ = 0;  // requests that wait for a run
  RunQueue runs_;                 // goes first: runs use the others
};

LiveServer::LiveServer(const ServedFolder& folder, const LiveOptions& options)
    : impl_(std::make_unique<Impl>(folder, options)) {}
LiveServer::~LiveServer() = default;

int LiveServer::port() const { return impl_->port(); }
std::string LiveServer::key() const { return impl_->key(); }

std::string LiveServer::address() const {
  const std::string& host = impl_->options().host;
  const std::string shown = host == "0.0.0.0" || host == "::"     ? "127.0.0.1"
                            : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                  : host;
  return fmt::format("http://{}:{}/?key={}", shown, port(), key());
}

void LiveServer::listen() { impl_->listen(); }
void LiveServer::stop() { impl_->stop(); }

}  // namespace armature::internal
