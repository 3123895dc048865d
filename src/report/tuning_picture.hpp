// What tuning found, as a picture: errors over the gains, the boundary of stability, the gains to take.
#pragma once

#include "report/study_document.hpp"
#include "tuning/tuning.hpp"

namespace armature::internal {

StudyDocument tuning_picture(const Tuning& tuning);

}  // namespace armature::internal
