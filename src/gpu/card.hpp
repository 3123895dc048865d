// An NVIDIA GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/motion_device.hpp"

namespace armature::internal {

struct CardDescription {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  double memory = 0;  // bytes
  std::string architecture() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
};

std::vector<CardDescription> cards();  // none where there is no driver
std::string cards_in_words();          // for `armature doctor`: what was found, or what is missing

// Throws RequestError, with a sentence, where there is none.
std::shared_ptr<MotionDevice> open_card(int ordinal = 0);
MotionDevices open_cards();  // all of them

}  // namespace armature::internal
