// Who may talk to the page's server. Any page of the web can make a browser send requests to this machine, and a name that
// first leads elsewhere can be made to lead here (DNS rebinding): so the name a request was sent to, the page that sent it,
// and a key that only the opened address holds are all looked at.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace armature::internal {

class Guard {
 public:
  Guard(std::string host, int port, std::string key) : host_(std::move(host)), port_(port), key_(std::move(key)) {}

  // Why a request is refused; nothing: it may pass. `header` gives a header's value, empty where it is missing.
  std::optional<std::string> refuses(const std::function<std::string(const char*)>& header) const;
  bool has_key(const std::string& key) const;  // compared in constant time

 private:
  bool is_own(const std::string& address) const;  // "127.0.0.1:8700"

  std::string host_;
  int port_;
  std::string key_;
};

bool is_loopback(const std::string& host);

std::string random_key();  // 32 hexadecimal digits

}  // namespace armature::internal
