// What a model may ask for. Whatever costs time, memory or disk is counted before it is spent; `armature format sizes`
// prints these numbers, and docs/trust.md lists them.
#pragma once

#include <cstddef>

namespace armature::internal::limits {

constexpr std::size_t depth = 60;                  // of maps and lists within one another
constexpr std::size_t values = 1'000'000;          // of a file, with what its aliases stand for
constexpr std::size_t made_values = 2'000'000;     // by uses and loops of a file
constexpr long turns = 10'000;                     // of one loop
constexpr long all_turns = 200'000;                // of all loops of a file: a loop in a loop makes products of them
constexpr double rows = 1e8;                       // of trajectory.csv
constexpr double steps = 1e10;                     // that the file itself prescribes: hours of any computer
constexpr double held_samples = 10'000;            // of a controller with a delay
constexpr long mass_matrix_entries = 2'500'000;    // different from zero, of its lower half: a chain of 2200 joints
constexpr int dense_unknowns = 500;                // velocities and constraint rows, of formulations other than auto
constexpr std::size_t fmu_description = 64 << 20;  // bytes of modelDescription.xml: 200 000 variables
constexpr std::size_t messages = 100;              // about one file: nobody reads more before mending some of them
constexpr std::size_t message_length = 1000;       // bytes

}  // namespace armature::internal::limits
