#include "events/path_ranges.hpp"

#include "expression/program_inputs.hpp"

namespace armature::internal {

PathRanges::PathRanges(const Layout& layout, const Program& program) : evaluator_(program) {
  const std::vector<bool> read = inputs_read(program);
  for (int i = 0; i < static_cast<int>(read.size()); ++i) {
    if (!read[static_cast<std::size_t>(i)]) continue;
    if (i == layout.t())
      reads_time_ = true;
    else if (i < layout.d())
      entries_.push_back(i - layout.q());
    else
      held_.push_back(i);
  }
}

bool PathRanges::begin(const Step& step, const double* held) {
  for (const int i : held_) evaluator_.input(i) = Enclosure::point(held[i]);
  if (!entries_.empty()) return step.path(entries_, path_);
  path_.begin(step.previous_t(), step.t(), 0, 0);
  return true;
}

void PathRanges::enclose(std::size_t entry, double u, double r) {
  StepPath::Polynomial p = path_[entry];
  if (u != 0) path_.shift(p, u);
  evaluator_.input(entries_[entry] + 1) = step::enclosed_polynomial(p.data(), path_.order(), r);
}

void PathRanges::find(double from, double to) {
  const double h = path_.length(), u = (0.5 * (from + to) - path_.middle()) / h, r = 0.5 * (to - from) / h;
  if (reads_time_) evaluator_.input(0) = {0.5 * (from + to), {from, to}, Range::point(h)};
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) enclose(entry, u, r);
  evaluator_.run(r);
  ++evaluations_;
}

}  // namespace armature::internal
