#include "gpu_check/studies.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gpu_check/measures.hpp"
#include "gpu_check/models.hpp"
#include "study/map.hpp"
#include "study/sweep.hpp"

namespace armature::internal::gpu_check {
namespace {

constexpr int full_card = 180;  // motions, squared: as many as threads of an H200, which take as long as fewer would

const std::vector<StudyCase> cases = {
    {"press",
     "dopri5",
     40,
     1e-7,
     0,
     {{"phi0", 0, 6.283185307179586}, {"w0", -3, 3}},
     "turns: turns(phi) >= 1; rests",
     "",
     1000},
    {"four_bar",
     "dopri5",
     5,
     1e-7,
     0,
     {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}},
     "over: turns(crank_angle) >= 1; rests",
     ""},
    {"four_bar", "dop853", 5, 1e-10, 0, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"four_bar", "rk4", 2, 0, 1e-3, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"crane", "dopri5", 2, 1e-7, 0, {{"rope", 0.5, 1}, {"volts", 5, 15}}, "", "max(motor.current)"},
    {"rrr", "dopri5", 0.3, 1e-7, 0, {{"m2", 0.7, 0.8}, {"l2", 0.6, 0.64}}, "", "final(theta1)"},
    {"stewart", "rk4", 0.2, 0, 1e-3, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card},
    {"stewart", "dopri5", 0.2, 1e-7, 0, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card},
    {"stewart",
     "rk4",
     0.2,
     0,
     1e-3,
     {{"height", 1.2, 1.25}, {"base", 1, 1.02}},
     "",
     "final(leg1)",
     full_card,
     "stewart with motors",
     leg_motors},
    {"stewart",
     "dopri5",
     0.2,
     1e-7,
     0,
     {{"height", 1.2, 1.25}, {"base", 1, 1.02}},
     "",
     "final(leg1)",
     full_card,
     "stewart with motors",
     leg_motors},
};

// ---- previews: what differs

std::string other_classes(std::span<const double> a, std::span<const double> b) {
  double other = 0;
  for (std::size_t k = 0; k < a.size(); ++k) other += a[k] != b[k];
  return fmt::format("{:.2f} % other classes", 100 * other / static_cast<double>(a.size()));
}

// The median and the largest difference, over the largest of all.
std::string other_results(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  std::vector<double> differences;
  for (std::size_t k = 0; k < a.size(); ++k) differences.push_back(std::abs(a[k] - b[k]) / most);
  std::sort(differences.begin(), differences.end());
  return fmt::format("{:.0e} in the middle, {:.0e} at most", differences[differences.size() / 2], differences.back());
}

// The first numbers of a study are the classes or the results of its cells.
void add_preview(const StudyCase& c, std::size_t cells, const Studied& here, const Studied& card,
                 const Studied& preview, Page& page) {
  const std::span a = std::span(here.numbers).first(cells), b = std::span(preview.numbers).first(cells);
  page.add_preview(c.title(), card.seconds, preview.seconds, preview.shares.left,
                   *c.classify ? other_classes(a, b) : other_results(a, b));
}

// ---- the comparison

long compare(const StudyCase& c, Check& check) {
  const int grid = c.grid > 0 ? c.grid : check.grid;
  const Model model = model_of(c, check.models);
  const Cards by_card = alone(check.card, compilation_for(grid)),
              in_single = alone(check.card, compilation_for(grid), Arithmetic::single);
  const auto with = [&](const Cards& cards) { return studied(c, model, grid, cards); };
  const Studied here = with({}), first = with({{check.card}}), there = with(by_card), again = with(by_card),
                both = with({{check.card}});
  with(in_single);
  const Studied preview = with(in_single);

  long differ = 0;
  for (const auto& [run, other] :
       {std::pair{"first", &first}, {"alone", &there}, {"alone, again", &again}, {"both", &both}}) {
    const long some = differing_numbers(here.numbers, other->numbers);
    if (some > 0) fmt::print("{} numbers differ in run {}\n", some, run);
    differ += some;
  }
  const double cells = static_cast<double>(grid) * grid;
  add_preview(c, static_cast<std::size_t>(cells), here, again, preview, check.page);
  check.page.put("| {}, {:g} s | {:.0f} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {:.1f} | {:.0f} % | {:.2f} | {} | {} |\n",
                 c.title(), c.end, cells, here.seconds, again.seconds, here.seconds / again.seconds, both.seconds,
                 here.seconds / both.seconds, 100 * static_cast<double>(both.shares.computed) / cells, first.seconds,
                 count_in_words(again.shares.left), outcome_in_words(differ));
  return differ;
}

}  // namespace

const std::vector<StudyCase>& study_cases() { return cases; }

std::string StudyCase::title() const {
  return fmt::format("{} of {}, {}", *classify ? "map" : "sweep", *name ? name : model, integrator);
}

Model model_of(const StudyCase& c, const std::filesystem::path& models) {
  Model model = read_shipped(models, c.model, {}, c.more);
  model.simulate.integrator = c.integrator, model.simulate.end = c.end;
  if (c.rtol > 0) model.simulate.rtol = c.rtol;
  if (c.step > 0) model.simulate.step = c.step;
  return model;
}

Studied studied(const StudyCase& c, const Model& model, int grid, const Cards& cards) {
  std::vector<Axis> over = c.over;
  for (Axis& axis : over) axis.count = grid;
  CellSession session;
  Studied found;
  const auto append = [&](const auto& more) { found.numbers.insert(found.numbers.end(), more.begin(), more.end()); };
  found.seconds = seconds_of([&] {
    if (*c.classify) {
      const MapResult map = map_motions(model, {.over = over, .classify = c.classify, .cards = cards}, session);
      append(map.motion_class), append(map.decided), append(map.warning_bits);
      found.shares = map.shares;
    } else {
      const SweepResult sweep =
          sweep_motions(model, {.over = over, .results = {{"result", c.result}}, .cards = cards}, session);
      append(sweep.values[0]), append(sweep.warning_bits);
      found.shares = sweep.shares;
    }
  });
  return found;
}

long compare_studies(Check& check) {
  check.page.put(
      "\nBoth: GPU and processor together, as `--gpu` does it; share: of the GPU.\n\n| maps and sweeps | motions | "
      "processor, s | GPU, s | ratio | "
      "both, s | ratio | share | first, s | left | bits |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  return compare_cases(check, cases, compare);
}

}  // namespace armature::internal::gpu_check
