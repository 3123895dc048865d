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

// Throws RequestError, with a sentence, where there is none. The card may still be starting; whoever loads a program waits for it.
std::shared_ptr<MotionDevice> open_card(int ordinal = 0);
MotionDevices open_cards();  // all of them

// Starts the driver, which takes a tenth of a second, while the caller goes on. For a process that is Armature's alone: it also asks for one
// channel to the card in place of eight, with which a card is ready in half the time.
void start_driver();

}  // namespace armature::internal
