#include "live/server.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "live/guard.hpp"
#include "live/live_run.hpp"
#include "report/page.hpp"

namespace armature {
namespace {

using Json = nlohmann::ordered_json;

// The library compresses types that it knows by name, which would take longer than everything else; it does not know these.
constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* page_type = "Text/html; charset=utf-8";

constexpr std::size_t largest_request = 8 << 20;

void answer(httplib::Response& response, const Json& json, int status = 200) {
  response.status = status;
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace), json_type);
}

void refuse(httplib::Response& response, int status, const std::string& sentence) {
  answer(response, {{"sentence", sentence}}, status);
}

// What a request is about, or a sentence why it is about nothing.
Json body_of(const httplib::Request& request) {
  if (!request.get_header_value("Content-Type").starts_with("application/json"))
    throw FolderError(415, "the request is not JSON");
  const Json body = Json::parse(request.body, nullptr, false);
  if (body.is_discarded() || !body.is_object()) throw FolderError(400, "the request is not an object of JSON");
  return body;
}

std::string text_in(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_string())
    throw FolderError(400, fmt::format("'{}' is missing in the request", key));
  return *found;
}

std::vector<LiveEdit> edits_in(const Json& body) {
  std::vector<LiveEdit> edits;
  try {
    for (const Json& edit : body.value("edits", Json::array()))
      edits.push_back({edit.at("path").get<KeyPath>(), edit.at("value").get<std::string>()});
  } catch (const Json::exception&) {
    throw FolderError(400, "'edits' is not a list of {path, value}");
  }
  return edits;
}

// Runs of one page: a newer one ends those before it.
struct Turns {
  std::atomic<long> latest = 0;
  std::atomic<long> stopped = 0;  // runs up to this one are asked to stop, and keep what they have
  std::atomic<double> t = 0, end = 0;
  std::atomic<int> running = 0;
};

}  // namespace

class LiveServer::Impl {
 public:
  Impl(const ServedFolder& folder, const LiveOptions& options)
      : folder_(folder), options_(options), key_(random_key()), port_(take_port()), guard_(options.host, port_, key_) {
    server_.set_payload_max_length(largest_request);
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_timeout(1);  // s that a connection may delay the end
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"X-Frame-Options", "DENY"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const auto& request, auto& response) { return admit(request, response); });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) refuse(response, response.status, "there is nothing here");
    });
    add_routes();
  }

  int port() const { return port_; }
  const std::string& key() const { return key_; }
  const LiveOptions& options() const { return options_; }
  void listen() {
    listening_ = true;
    if (!ending_) server_.listen_after_bind();
    listening_ = false;
  }
  // The library ignores a stop that comes before it listens.
  void stop() {
    ending_ = true;
    for (; listening_; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
      if (server_.is_running()) server_.stop();
  }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  int take_port() {
    server_.set_socket_options([](auto) {});  // without SO_REUSEPORT: a port that is taken is taken
    const int port = options_.port == 0                                   ? server_.bind_to_any_port(options_.host)
                     : server_.bind_to_port(options_.host, options_.port) ? options_.port
                                                                          : -1;
    if (port <= 0)
      throw std::runtime_error(options_.port == 0
                                   ? fmt::format("--host {}: cannot be listened at", options_.host)
                                   : fmt::format("port {} of {} is taken, or may not be used; try another --port",
                                                 options_.port, options_.host));
    return port;
  }

  httplib::Server::HandlerResponse admit(const Request& request, Response& response) {
    using enum httplib::Server::HandlerResponse;
    const auto header = [&](const char* name) { return request.get_header_value(name); };
    if (const auto why = guard_.refuses(header)) {
      refuse(response, 403, *why);
      return Handled;
    }
    const bool keyed =
        request.path == "/" ? guard_.has_key(request.get_param_value("key")) : guard_.has_key(header("X-Armature-Key"));
    if (keyed) return Unhandled;
    refuse(response, 403, "open the address that the program has printed: the key at its end is missing or wrong");
    return Handled;
  }

  // Routes whose sentences become answers.
  template <class F>
  httplib::Server::Handler answering(F f) {
    return [f](const Request& request, Response& response) {
      try {
        answer(response, f(request));
      } catch (const FolderError& error) {
        refuse(response, error.status, error.what());
      } catch (const std::exception& error) {
        refuse(response, 500, error.what());
      }
    };
  }

  void add_routes() {
    server_.Get("/", [this](const Request&, Response& response) {
      response.set_content(page_text({{"key", key_}, {"file", options_.file}}, Page::view), page_type);
    });
    server_.Get("/api/files", answering([this](const Request&) { return Json{{"files", folder_.models()}}; }));
    server_.Get("/api/file", answering([this](const Request& request) {
                  const auto file = folder_.read(request.get_param_value("name"));
                  return Json{{"text", file.text}, {"stamp", file.stamp}};
                }));
    server_.Get("/api/state", answering([this](const Request& request) { return state(request); }));
    server_.Post("/api/run", answering([this](const Request& request) { return run(body_of(request)); }));
    server_.Post("/api/stop", answering([this](const Request& request) {
                   Turns& turns = turns_of(text_in(body_of(request), "page"));
                   turns.stopped = turns.latest.load();
                   return Json::object();
                 }));
    server_.Post(
        "/api/save", answering([this](const Request& request) {
          const Json body = body_of(request);
          return Json{{"stamp", folder_.write(text_in(body, "name"), text_in(body, "text"), text_in(body, "stamp"))}};
        }));
  }

  // How far a page's run is, and whether its file has changed.
  Json state(const Request& request) {
    const Turns& turns = turns_of(request.get_param_value("page"));
    return {{"running", turns.running > 0},
            {"t", turns.t.load()},
            {"end", turns.end.load()},
            {"stamp", folder_.stamp(request.get_param_value("name"))}};
  }

  Json run(const Json& body) {
    Turns& turns = turns_of(text_in(body, "page"));
    const long turn = ++turns.latest;
    const LiveRequest request{text_in(body, "name"), text_in(body, "text"), edits_in(body)};
    folder_.place(request.name);
    const auto superseded = [&] { return turns.latest != turn || ending_; };
    if (superseded()) return {{"status", "superseded"}};
    ++turns.running;
    const auto began = std::chrono::steady_clock::now();
    Json reply = live_run(request, folder_, [&](double t, double end) {
      turns.t = t, turns.end = end;
      return !superseded() && turns.stopped < turn;
    });
    --turns.running;
    if (superseded()) return {{"status", "superseded"}};
    reply["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return reply;
  }

  Turns& turns_of(const std::string& page) {
    const std::lock_guard lock(mutex_);
    if (turns_.size() > 1000) throw FolderError(429, "too many pages are open");
    return turns_[page];
  }

  const ServedFolder& folder_;
  LiveOptions options_;
  std::string key_;
  httplib::Server server_;
  int port_;
  Guard guard_;
  std::mutex mutex_;
  std::map<std::string, Turns> turns_;
  std::atomic<bool> ending_ = false, listening_ = false;
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

}  // namespace armature
