// Where the rows of a run go. A row is one value a channel; the channels are named once, when a run begins.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace armature::internal {

struct Channel {
  std::string name;  // "theta1", "platform.P1.x"
  std::string unit;  // "rad", "m/s"; empty: a pure number
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const std::vector<Channel>& channels) = 0;
  virtual void row(std::span<const double> values) = 0;  // as many as channels
};

// Keeps the rows in memory, one after the other.
class MemoryRecorder : public Recorder {
 public:
  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;

  const std::vector<Channel>& channels() const { return channels_; }
  int rows() const;
  std::span<const double> row_at(int row) const;
  std::vector<double> column(const std::string& name) const;  // empty: there is no such channel

 private:
  std::vector<Channel> channels_;
  std::vector<double> values_;
};

}  // namespace armature::internal
