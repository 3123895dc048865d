// The server of `armature view`: the page, the model files of one folder, and runs of their texts.
#pragma once

#include <memory>
#include <string>

#include "live/served_folder.hpp"

namespace armature::internal {

struct LiveOptions {
  std::string host = "127.0.0.1";
  int port = 0;      // 0: any that is free
  std::string file;  // that is opened first
};

class LiveServer {
 public:
  // Takes the port. Throws std::runtime_error with a sentence.
  LiveServer(const ServedFolder& folder, const LiveOptions& options);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const;
  std::string key() const;
  std::string address() const;  // to open, with the key

  void listen();  // until stop()
  void stop();    // ends runs, too; from any thread

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace armature::internal
