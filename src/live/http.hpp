// A server of HTTP as the page's server needs it: what cpp-httplib does (live/plugin/http.cpp).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace armature::internal {

class HttpRequest {
 public:
  virtual ~HttpRequest() = default;
  virtual const std::string& method() const = 0;
  virtual const std::string& path() const = 0;
  virtual const std::string& body() const = 0;
  virtual bool has_header(const char* name) const = 0;
  virtual std::string header(const char* name) const = 0;     // empty: there is none
  virtual std::string parameter(const char* name) const = 0;  // of the address; empty: there is none
};

struct HttpAnswer {
  int status = 200;
  std::string text, type;
  std::map<std::string, std::string> headers = {};
};

struct HttpOptions {
  std::size_t largest_body;  // bytes
  std::size_t threads;
  std::map<std::string, std::string> headers;                          // of every answer
  std::function<bool(const HttpRequest&, HttpAnswer&)> answers_first;  // true: no route is asked
  std::function<HttpAnswer(int status)> failure;                       // where nothing else has answered
};

class HttpServer {
 public:
  using Route = std::function<HttpAnswer(const HttpRequest&)>;
  virtual ~HttpServer() = default;
  virtual void add_route(const std::string& method, const std::string& path, Route route) = 0;
  virtual bool take_port(const std::string& host, int port) = 0;
  virtual int take_any_port(const std::string& host) = 0;  // -1: it cannot listen there
  virtual void listen() = 0;                               // until stop()
  virtual bool is_listening() const = 0;
  virtual void stop() = 0;
};

class HttpLibrary {
 public:
  virtual ~HttpLibrary() = default;
  virtual std::unique_ptr<HttpServer> make_server(const HttpOptions& options) const = 0;
};

}  // namespace armature::internal
