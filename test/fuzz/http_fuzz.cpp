// Any bytes as a request to the server of `armature view`: an answer of HTTP, or none, and the server goes on. In the bytes KEY
// stands for the key and PORT for the port, so that requests get past the guard.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

#include "fuzz/fuzz.hpp"
#include "live/server.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace armature::internal;

struct Served {
  TemporaryFolder temporary;
  std::optional<ServedFolder> folder;
  std::optional<LiveServer> server;
  std::thread listening;

  Served() {
    std::ofstream(temporary / "p.yaml")
        << "armature: 1\ngravity: [0, -9.81, 0]\nbodies: {bob: {mass: 1, center: [1, 0, 0], inertia: "
           "none}}\njoints: {theta: {type: revolute, axis: z, between: [ground, bob]}}\n"
           "simulate: {end: 0.1}\n";
    folder.emplace(temporary.path());
    server.emplace(*folder, LiveOptions{"127.0.0.1", 0, "p.yaml"});
    listening = std::thread([this] { server->listen(); });
  }
  ~Served() {
    server->stop();
    listening.join();
  }
};

void replace(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
}

int connected(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return socket;
    ::usleep(5000);
  }
  ::close(socket);
  return -1;
}

std::string answer_to(const std::string& request, int port) {
  const int socket = connected(port);
  require(socket >= 0, "the server does not take connections any more");
  const timeval patience{15, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
  ::shutdown(socket, SHUT_WR);
  std::string answer;
  char buffer[4096];
  for (ssize_t count; (count = ::recv(socket, buffer, sizeof buffer, 0)) > 0;)
    if (answer.size() < 100) answer.append(buffer, static_cast<std::size_t>(count));
  ::close(socket);
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Served served;
  std::string request = text_of(data, std::min<std::size_t>(size, 20000));
  replace(request, "KEY", served.server->key());
  replace(request, "PORT", std::to_string(served.server->port()));
  const std::string answer = answer_to(request, served.server->port());
  require(answer.empty() || answer.starts_with("HTTP/1.1 "), "an answer that is not one of HTTP");
  return 0;
}
