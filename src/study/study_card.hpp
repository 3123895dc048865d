// The motions of a map or a sweep on a card (study_motion.hpp): the unit that it compiles, and what a motion is given and gives.
#pragma once

#include <memory>
#include <string>

#include "study/card_cells.hpp"
#include "study/design.hpp"
#include "study/study.hpp"
#include "study/study_cells.hpp"

namespace armature::internal {

// Throws RequestError, with a sentence, where a card cannot compute the motions of a study with the bits of the processor.
// What it does not do then, in words; empty: nothing.
std::string require_card_for(Study& study, Arithmetic arithmetic);

// Lets cards compute the cells of a job that study_cells() made from the same; without any the processor does. The returned object, then
// null, knows how many motions left them.
std::shared_ptr<CardCells> put_on_cards(CellJob& job, const Cards& cards, const Study& study, const Classes* classes,
                                        const Points& points, const MotionNumbers& numbers);

// What a card compiles, for tests.
std::string study_card_unit(const Study& study, const Classes* classes, Arithmetic arithmetic = Arithmetic::exact);

}  // namespace armature::internal
