// The server's connections. The library waits for each byte of a request anew, so that a client which sends one now and then
// holds its thread as long as it likes. Here a request has to be complete within a few seconds. It also keeps lines of any length; here
// all lines of a request together may take 64 KiB.
//
// No public setting does that: set_read_timeout() is for each byte, a TaskQueue does not know the socket of its task, and handlers are
// called when the head has been read. So the connection is served as the library's own SSLServer serves its connections: by overriding
// process_and_close_socket(), which calls the protected process_request() with a stream of its own.
#pragma once

#include <arpa/inet.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

namespace armature::internal {

// Waits until something can be read or written, or until a time has come. False: it has come, or the connection is lost.
inline bool wait_for(int socket, short events, std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
  pollfd poll{socket, events, 0};
  return left > 0 && ::poll(&poll, 1, static_cast<int>(left)) > 0;
}

constexpr std::chrono::seconds patience{10};     // until a request has come: 8 MiB take less from anywhere near
constexpr std::chrono::milliseconds haste{250};  // until its head has come, where many connections are open
constexpr int many_connections = 32;
constexpr int longest_head = 64 << 10;                     // bytes before the body
constexpr std::chrono::seconds patience_with_readers{60};  // until an answer is read

// One request and its answer on a socket.
class RequestStream : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;
  RequestStream(socket_t socket, Clock::time_point until) : socket_(socket), until_(until) {}

  bool is_readable() const override { return wait_for(socket_, POLLIN, until_); }
  bool is_writable() const override { return wait_for(socket_, POLLOUT, until_); }
  ssize_t read(char* at, std::size_t size) override {
    if (size == 1 && ++letters_ > longest_head) return -1;  // lines are read letter by letter, bodies are not
    if (size > 1 && !has_head_) has_head_ = true, until_ = Clock::now() + patience;
    if (taken_ == held_) {
      if (!is_readable()) return -1;
      const ssize_t received = ::recv(socket_, buffer_, sizeof buffer_, 0);
      if (received <= 0) return received;
      taken_ = 0, held_ = static_cast<std::size_t>(received);
    }
    const std::size_t count = std::min(size, held_ - taken_);
    std::copy_n(buffer_ + taken_, count, at);
    taken_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* at, std::size_t size) override {
    if (!writes_) writes_ = true, until_ = Clock::now() + patience_with_readers;
    return is_writable() ? ::send(socket_, at, size, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return socket_; }
  void begin(Clock::time_point until) { until_ = until, writes_ = has_head_ = false, letters_ = 0; }
  bool has_more() const { return taken_ < held_; }

 private:
  socket_t socket_;
  Clock::time_point until_;
  bool writes_ = false, has_head_ = false;
  int letters_ = 0;
  char buffer_[4096];
  std::size_t taken_ = 0, held_ = 0;  // of the buffer
};

// Whoever opens many connections and says nothing must not keep others waiting: each of its connections holds a thread only for a moment.
class PatientServer : public httplib::Server {
 private:
  using Clock = RequestStream::Clock;

  class Counted {
   public:
    explicit Counted(std::atomic<int>& count) : count_(count) { ++count_; }
    ~Counted() { --count_; }

   private:
    std::atomic<int>& count_;
  };

  Clock::time_point until(Clock::duration usual) const {
    return Clock::now() + (connections_ > many_connections ? std::min<Clock::duration>(usual, haste) : usual);
  }

  bool process_and_close_socket(socket_t socket) override {
    const Counted counted(connections_);
    RequestStream stream(socket, until(patience));
    bool ok = true, closed = false;
    for (std::size_t left = keep_alive_max_count_; left > 0 && ok && !closed && is_running(); --left) {
      const auto next = until(std::chrono::seconds(keep_alive_timeout_sec_));
      if (!stream.has_more() && !wait_for(socket, POLLIN, next)) break;
      stream.begin(until(patience));
      ok = serve(*this, stream, left == 1, closed);
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return ok;
  }

  // Version 0.17 of the library began to pass the addresses of both ends, which nothing here reads.
  template <class Server>
  static bool serve(Server& server, RequestStream& stream, bool last, bool& closed) {
    if constexpr (requires { server.process_request(stream, last, closed, nullptr); })
      return server.process_request(stream, last, closed, nullptr);
    else
      return server.process_request(stream, "", 0, "", 0, last, closed, nullptr);
  }

  std::atomic<int> connections_ = 0;
};

}  // namespace armature::internal
