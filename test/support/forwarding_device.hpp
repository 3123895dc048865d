// A device of gpu/motion_device.hpp that hands all calls on to another one, for tests that watch, count or spoil some of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gpu/motion_device.hpp"

namespace armature::internal {

class ForwardingProgram : public MotionProgram {
 public:
  explicit ForwardingProgram(std::unique_ptr<MotionProgram> program) : program_(std::move(program)) {}
  long threads() const override { return program_->threads(); }
  std::size_t slot_size() const override { return program_->slot_size(); }
  void* allocate(std::size_t bytes) override { return program_->allocate(bytes); }
  void free_all() override { program_->free_all(); }
  void put(void* to, const void* from, std::size_t bytes) override { program_->put(to, from, bytes); }
  void get(void* to, const void* from, std::size_t bytes) override { program_->get(to, from, bytes); }
  void start(const step::MotionCall& call) override {
    results_ = call.results;
    program_->start(call);
  }
  void wait() override { program_->wait(); }

 protected:
  // Whether the last call has written its results there.
  bool are_results(const void* from) const { return from == results_; }

 private:
  std::unique_ptr<MotionProgram> program_;
  const void* results_ = nullptr;
};

class ForwardingDevice final : public MotionDevice {
 public:
  using Wrap = std::function<std::unique_ptr<MotionProgram>(std::unique_ptr<MotionProgram>)>;
  // wrap: puts each program that the device loads into a ForwardingProgram.
  ForwardingDevice(std::shared_ptr<MotionDevice> device, Wrap wrap)
      : device_(std::move(device)), wrap_(std::move(wrap)) {}
  std::string name() const override { return device_->name(); }
  std::unique_ptr<MotionProgram> load(const std::string& unit, const LoadOptions& options) override {
    return wrap_(device_->load(unit, options));
  }

 private:
  std::shared_ptr<MotionDevice> device_;
  Wrap wrap_;
};

}  // namespace armature::internal
