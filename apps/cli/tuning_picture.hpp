// What tuning found, as a picture: errors over the gains, the boundary of stability, the gains to take.
#pragma once

#include "tuning/tuning.hpp"
#include "report/study_document.hpp"

namespace armature::cli {

StudyDocument tuning_picture(const Tuning& tuning);

}  // namespace armature::cli
