// Many motions on a card, one a thread. A thread that has ended a motion takes the next one that waits, so that warps stay full; after
// some steps all of them return, and what they have begun stays in their slots until the next call. Freestanding: the same text is
// compiled for the card, and by the tests for the processor.
//
//   host: inputs of motions that wait ──► call of so many steps ──► results of those that have ended, and again
//
// Motion, what a thread runs:
//   inputs, results                        how many numbers a motion takes and gives
//   Progress begin(common, input, number)  its start; common: what all motions share
//   Progress advance(common)               one step, or what is rare
//   bool is_rare_next() const              the latter
//   void result(common, numbers)           of a motion that has ended
//   is_large                               it does not fit into the registers of a thread
#pragma once

#include "step/row.hpp"

namespace armature::step {

// leaves: something rare, for which the processor has its full engine; it computes the whole motion.
enum class Progress { goes_on, ended, leaves };

// Of one call. Pointers are those of the card.
struct MotionCall {
  const double* common;
  const double* inputs;      // of the motions that wait, Motion::inputs numbers each; both in rings of so many places
  const long long* waiting;  // their numbers
  long long capacity, first_waiting, waiting_count;
  unsigned long long* taken;  // counts those that threads have taken; beyond waiting_count where more asked
  double* results;            // of motions that have ended, Motion::results numbers each
  long long* ended;           // their numbers; of those that leave: -1 - number
  unsigned long long* ended_count;
  void* slots;      // one a thread
  long long steps;  // that a thread takes at most
};

template <class Motion>
struct MotionSlot {
  long long number;  // 0: no motion; else one more than its number, so that empty memory has no motions
  Motion motion;
};

// What is rare (the begin of a motion, a change of its equations) takes as long as a step. The threads of a warp wait for each other: with one
// in ten at it, all of them would take twice as long. So it is done every so many turns, together.
inline constexpr int turns_of_rare = 8;

// A large motion is copied by a loop: member by member, that would be a tenth of its program.
template <class Slot>
ARMATURE_STEP void copy_slot(const Slot& from, Slot& to, bool is_large) {
  static_assert(sizeof(Slot) % 8 == 0);
  if (!is_large) {
    to = from;
    return;
  }
  for (unsigned i = 0; i < sizeof(Slot); i += 8)
    __builtin_memcpy(reinterpret_cast<char*>(&to) + i, reinterpret_cast<const char*>(&from) + i, 8);
}

// add_one: adds one to a counter of the card, returns what it was. meet: all threads of a warp go on from there together.
template <class Motion, class AddOne, class Meet>
ARMATURE_STEP void run_motions(const MotionCall& call, long long thread, const AddOne& add_one, const Meet& meet) {
  MotionSlot<Motion>& kept = static_cast<MotionSlot<Motion>*>(call.slots)[thread];
  MotionSlot<Motion> mine;
  copy_slot(kept, mine, Motion::is_large);
  for (long long step = 0; step < call.steps; ++step) {
    Progress progress;
    meet();
    if ((mine.number == 0 || mine.motion.is_rare_next()) && step % turns_of_rare != 0) continue;
    if (mine.number == 0) {
      const long long next = static_cast<long long>(add_one(call.taken));
      if (next >= call.waiting_count) break;
      const long long place = (call.first_waiting + next) % call.capacity;
      mine.number = call.waiting[place] + 1;
      progress = mine.motion.begin(call.common, call.inputs + place * Motion::inputs, call.waiting[place]);
    } else {
      progress = mine.motion.advance(call.common);
    }
    if (progress == Progress::goes_on) continue;
    const long long place = static_cast<long long>(add_one(call.ended_count));
    call.ended[place] = progress == Progress::ended ? mine.number - 1 : -mine.number;
    if (progress == Progress::ended) mine.motion.result(call.common, call.results + place * Motion::results);
    mine.number = 0;
  }
  copy_slot(mine, kept, Motion::is_large);
}

}  // namespace armature::step
