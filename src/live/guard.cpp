#include "live/guard.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace armature::internal {
namespace {

bool is_number(const std::string& host) {
  unsigned char bytes[16];
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return brackets ? inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), bytes) == 1
                  : inet_pton(AF_INET, host.c_str(), bytes) == 1;
}

}  // namespace

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || (is_number(host) && host.starts_with("127."));
}

// The address the program was told to listen at; numbers besides, where it listens at all of them: a number cannot be
// made to lead elsewhere.
bool Guard::is_own(const std::string& address) const {
  const std::string port = fmt::format(":{}", port_);
  const std::string host = address.ends_with(port) ? address.substr(0, address.size() - port.size())
                           : port_ == 80           ? address
                                                   : "";
  if (host.empty()) return false;
  if (host == host_ || host == "[" + host_ + "]" || is_loopback(host)) return true;
  return !is_loopback(host_) && is_number(host);
}

std::optional<std::string> Guard::refuses(const std::function<std::string(const char*)>& header) const {
  const std::string host = header("Host"), origin = header("Origin"), site = header("Sec-Fetch-Site");
  if (!is_own(host)) return fmt::format("requests to '{}' are not answered here", host);
  if (!origin.empty() && origin != "http://" + host) return "requests of other pages are not answered";
  if (!site.empty() && site != "same-origin" && site != "none") return "requests of other pages are not answered";
  return {};
}

bool Guard::has_key(const std::string& key) const {
  unsigned char difference = key.size() != key_.size();
  for (std::size_t k = 0; k < std::min(key.size(), key_.size()); ++k)
    difference |= static_cast<unsigned char>(key[k] ^ key_[k]);
  return difference == 0;
}

std::string random_key() {
  std::random_device device;
  std::string key;
  for (int k = 0; k < 4; ++k) key += fmt::format("{:08x}", device());
  return key;
}

}  // namespace armature::internal
