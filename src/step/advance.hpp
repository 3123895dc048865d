// The loop around the step: what follows from a step of W motions, in every host: a run, eight lanes, a page, a motion on a GPU. Hosts
// differ in what they watch, and in what they do with a motion in which something rare happens.
//
//   stop -> attempt -> hidden? -> first change -> watch -> move -> follow -> settle -> go on, or begin steps anew
//
// Host, of W motions; each phase is given lanes, and returns those that go on with the next one:
//   attempt(lanes)         one attempt of a step, never beyond the next sample, the next edge of a table, the end
//   show_all(lanes)        lanes whose step hides no hump of a table and no narrow force; the others take theirs again, to a nearer stop
//   find_changes(lanes)    the first change inside the step: of a comparison, a contact, an event (change.hpp)
//   watch(lanes)           rows, results, gains: the motion up to there is seen
//   move(lanes)            the state is there, on its constraints
//   follow(lanes)          values that follow steps: whole turns of cut joints
//   settle(lanes)          what changes there: outcomes, contacts; then samples that are due. Steps begin anew with either.
#pragma once

#include "step/one_step.hpp"

namespace armature::step {

// Lanes in neither set of the result try again, or have left: their host knows.
template <int W, class Host>
ARMATURE_STEP Tried<W> advance(Host& host, Mask<W> lanes) {
  Tried<W> tried = host.attempt(lanes);
  // a step that hides something is none: error control saw nothing of it
  if (tried.stepped) tried.stepped = host.show_all(tried.stepped);
  // between two changes the right-hand side is smooth; what lies behind the first one is another motion
  if (tried.stepped) tried.stepped = host.find_changes(tried.stepped);
  // dense output is that of the step: whoever looks inside does so before the state moves on
  if (tried.stepped) tried.stepped = host.watch(tried.stepped);
  if (tried.stepped) tried.stepped = host.move(tried.stepped);
  if (tried.stepped) tried.stepped = host.follow(tried.stepped);
  if (tried.stepped) tried.stepped = host.settle(tried.stepped);
  return tried;
}

}  // namespace armature::step
