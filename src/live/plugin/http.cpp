// The server of cpp-httplib.
#include "live/http.hpp"

#include <utility>

#include "live/plugin/patient_server.hpp"
#include "plugin/plugin.hpp"

namespace armature::internal {
namespace {

class Received final : public HttpRequest {
 public:
  explicit Received(const httplib::Request& request) : request_(request) {}
  const std::string& method() const override { return request_.method; }
  const std::string& path() const override { return request_.path; }
  const std::string& body() const override { return request_.body; }
  bool has_header(const char* name) const override { return request_.has_header(name); }
  std::string header(const char* name) const override { return request_.get_header_value(name); }
  std::string parameter(const char* name) const override { return request_.get_param_value(name); }

 private:
  const httplib::Request& request_;
};

void write(const HttpAnswer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content(answer.text, answer.type);
  for (const auto& [name, value] : answer.headers) response.set_header(name, value);
}

class Server final : public HttpServer {
 public:
  explicit Server(const HttpOptions& options) {
    server_.set_payload_max_length(options.largest_body);
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_timeout(1);  // s that a connection may delay the end
    server_.new_task_queue = [threads = options.threads] { return new httplib::ThreadPool(threads); };
    server_.set_default_headers({options.headers.begin(), options.headers.end()});
    server_.set_pre_routing_handler([first = options.answers_first](const auto& request, auto& response) {
      HttpAnswer answer;
      if (!first(Received(request), answer)) return httplib::Server::HandlerResponse::Unhandled;
      write(answer, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([failure = options.failure](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) write(failure(response.status), response);
    });
    // Without SO_REUSEPORT: a port that is taken is taken. Connections of a server that has ended do not take it.
    server_.set_socket_options([](auto socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
  }

  void add_route(const std::string& method, const std::string& path, Route route) override {
    const auto handler = [route = std::move(route)](const httplib::Request& request, httplib::Response& response) {
      write(route(Received(request)), response);
    };
    method == "GET" ? server_.Get(path, handler) : server_.Post(path, handler);
  }
  bool take_port(const std::string& host, int port) override { return server_.bind_to_port(host, port); }
  int take_any_port(const std::string& host) override { return server_.bind_to_any_port(host); }
  void listen() override { server_.listen_after_bind(); }
  bool is_listening() const override { return server_.is_running(); }
  void stop() override { server_.stop(); }

 private:
  PatientServer server_;
};

}  // namespace

class Httplib final : public HttpLibrary {
 public:
  std::unique_ptr<HttpServer> make_server(const HttpOptions& options) const override {
    return std::make_unique<Server>(options);
  }
};

}  // namespace armature::internal

ARMATURE_PLUGIN(http, HttpLibrary, Httplib);
