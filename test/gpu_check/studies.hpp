// Maps and sweeps on the card against those of the processor.
#pragma once

#include "gpu_check/check.hpp"
#include "model/model.hpp"
#include "study/study_card.hpp"
#include "study/variables.hpp"

namespace armature::internal::gpu_check {

struct StudyCase {
  const char *model, *integrator;
  double end, rtol, step;  // s; rtol, step: 0: of the model
  std::vector<Axis> over;
  const char *classify, *result;      // one of them
  int grid = 0;                       // 0: as asked for
  const char *name = "", *more = "";  // of a model with sections behind those of the file

  std::string title() const;
};
const std::vector<StudyCase>& study_cases();

Model model_of(const StudyCase& c, const std::filesystem::path& models);

struct Studied {
  std::vector<double> numbers;  // of all cells
  CardShares shares;
  double seconds = 0;
};
Studied studied(const StudyCase& c, const Model& model, int grid, const Cards& cards);

long compare_studies(Check& check);  // numbers that differ

}  // namespace armature::internal::gpu_check
