// A model's motions as one translation unit: the step kernel's headers as text, the model's programs, and what a thread does. NVRTC
// compiles it for a card; a C++ compiler compiles the same text for the processor, for tests. No header of a library is needed on a card.
//
// All arithmetic is written out and none is contracted, so that a card has the processor's bits. Where the processor asks the C library
// (sin of 1e6, …), a motion leaves.
#pragma once

#include <string>
#include <string_view>

#include "gpu/motion_device.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

inline constexpr int motion_block = 64;  // threads of a block
inline constexpr int motion_blocks =
    4;  // of a multiprocessor at once: 255 registers a thread, where the compiler would take 32 for a large model

struct MotionCode {
  std::string_view headers;  // text of the header that defines `motion`, with all that it includes
  std::string motion;        // its class template, over a Plant: "TuningMotion"
  std::string programs;      // further programs, with MODEL_KERNEL before each
  std::string members;       // further members of the Plant
};

// A unit from its parts. model: programs, with MODEL_KERNEL before each, and what else the plant needs. plant: the struct from which
// UnitPlant derives; members: of UnitPlant. inlined: programs become part of their callers, which is faster where each is called in one place.
std::string device_unit(const MotionCode& code, const std::string& model, const std::string& plant,
                        const std::string& members, bool inlined, Arithmetic arithmetic);

// Why no motions of a model can run on a card with the bits of the processor, in a sentence; empty: some can.
std::string motion_refusal(const Prepared& prepared);
// Why motions with steps of one length cannot run on a card with the bits of the processor, in a sentence; empty: they can.
std::string device_refusal(const Prepared& prepared);

// Throws RequestError, with a sentence, for models that call functions of which a card has other bits, unless those will do.
std::string device_code(const Prepared& prepared, const MotionCode& code, Arithmetic arithmetic);
// How a model is refused that calls such a function, or whose errors or formulas do. what: "the model's equations".
std::string foreign_refusal(const std::string& what, const std::string& function);

}  // namespace armature::internal
