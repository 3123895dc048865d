#include "tuning/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "model/request_error.hpp"
#include "study/cells.hpp"
#include "tuning/tuning_card.hpp"
#include "tuning/tuning_lanes.hpp"
#include "tuning/tuning_run.hpp"

namespace armature::internal {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr int default_count = 40;

std::vector<double> up_to(double end, int count) {
  std::vector<double> values;
  for (int k = 1; k <= count; ++k) values.push_back(end * k / count);
  return values;
}

// Five times finer than `axis`, as far as the neighbors of `center` on it, but not beyond the ends of `range`.
std::vector<double> around(const std::vector<double>& axis, double center, const std::vector<double>& range) {
  if (axis.size() < 2) return axis;
  const double spacing = (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
  const auto [least, most] = std::minmax(range.front(), range.back());
  const double round_off = 1e-9 * std::abs(spacing);
  std::vector<double> values;
  for (int k = -5; k <= 5; ++k) {
    const double value = center + 0.2 * k * spacing;
    if (value >= least - round_off && value <= most + round_off) values.push_back(std::clamp(value, least, most));
  }
  return values;
}

class Tuner {
 public:
  Tuner(std::shared_ptr<const TuningMachine> machine, const TuningOptions& options)
      : options_(options), machine_(std::move(machine)) {
    const RunOptions& run = machine_->prepared.options;
    result_.integrator = run.integrator, result_.of = options.of;
    result_.step = run.step, result_.end = run.end;
    result_.preview = options.cards.arithmetic == Arithmetic::single;
    result_.region = stability_region(run.integrator);
    if (!options_.cards.empty())
      if (const std::string refusal = tuning_card_refusal(*machine_, options_.cards.arithmetic); !refusal.empty())
        throw RequestError("gpu", refusal + "; without this option the processor computes it");
    choose_grid();
    result_.runs = 2 + static_cast<long>(options_.alpha.size() * options_.beta.size());
  }

  Tuning run() {
    add_others();
    const auto began = std::chrono::steady_clock::now();
    if (result_.complete) add_grid(options_.alpha, options_.beta);
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    for (int level = 0; level < options_.refine && result_.found && result_.complete; ++level) {
      const TuningGrid& last = result_.grids.back();
      add_grid(around(last.alpha, result_.best.alpha, options_.alpha),
               around(last.beta, result_.best.beta, options_.beta));
    }
    return std::move(result_);
  }

 private:
  void choose_grid() {
    if (!options_.alpha.empty() && !options_.beta.empty()) return;
    if (!result_.region)
      throw RequestError(
          "alpha, beta",
          fmt::format("{} has no stability region from which to choose a range of gains; give both ranges",
                      result_.integrator));
    const double h = result_.step;
    if (options_.alpha.empty()) options_.alpha = up_to(result_.region->rightmost.x() / h, default_count);
    if (options_.beta.empty()) options_.beta = up_to(result_.region->highest.y() / (h * h), default_count);
  }

  TuningCell make_cell(double alpha, double beta, double lost, double E1, double E2) const {
    const double h = result_.step;
    return {alpha,
            beta,
            result_.region && result_.region->contains(alpha * h, beta * h * h),
            lost,
            E1,
            E2,
            std::sqrt(options_.c * E1 * E1 + options_.d * E2 * E2)};
  }

  static void note(const TuningErrors& errors, std::span<double> out) {
    out[0] = errors.lost, out[1] = errors.position, out[2] = errors.velocity;
  }

  // The next cells of the tuning, all of them numbered one after the other.
  CellTable compute(const CellJob& job) {
    const CellTable table = options_.cells ? options_.cells(job, next_) : run_cells(job, {.threads = options_.threads});
    next_ += table.count();
    result_.runs = std::max(result_.runs, next_);
    result_.complete = table.missing() == 0;
    return table;
  }

  // Without stabilization, and with projection.
  void add_others() {
    const CellTable table = compute({2, tuning_width, [&](const StopFlag&) -> CellFunction {
                                       return [&](long index, std::span<double> out) {
                                         TuningRun run(machine_, options_.speed_limit, index == 1);
                                         note(run.run(0, 0), out);
                                         return true;
                                       };
                                     }});
    result_.none = make_cell(0, 0, table.row(0)[0], table.row(0)[1], table.row(0)[2]);
    result_.projection = make_cell(0, 0, table.row(1)[0], table.row(1)[1], table.row(1)[2]);
  }

  void add_grid(const std::vector<double>& alpha, const std::vector<double>& beta) {
    const auto columns = static_cast<long>(alpha.size()), count = columns * static_cast<long>(beta.size());
    CellJob job{count, tuning_width, [&](const StopFlag&) -> CellFunction {
                  auto run = std::make_shared<TuningRun>(machine_, options_.speed_limit, false);
                  return [run, &alpha, &beta, columns](long index, std::span<double> out) {
                    note(run->run(alpha[index % columns], beta[index / columns]), out);
                    return true;
                  };
                }};
    if (options_.lanes > 1 && TuningLanes::possible(*machine_))
      job.lanes = [&](CellFeed& feed, const StopFlag&) {
        TuningLanes(machine_, options_.speed_limit).run(alpha, beta, options_.lanes, feed);
      };
    std::optional<CardCells> card;
    if (!options_.cards.empty()) {
      CardJob there = tuning_card_job(*machine_, options_.speed_limit, alpha, beta, options_.cards.arithmetic);
      there.lanes = job.lanes;
      card.emplace(options_.cards, std::move(there));
      job.lanes = [&](CellFeed& feed, const StopFlag& stop) { card->work(feed, stop, job.worker); };
    }
    const CellTable table = compute(job);
    if (card) result_.shares.add(card->shares());
    TuningGrid grid{alpha, beta, {}};
    for (long k = 0; k < count; ++k) {
      const auto row = table.row(k);
      grid.cells.push_back(make_cell(alpha[k % columns], beta[k / columns], row[0], row[1], row[2]));
    }
    result_.grids.push_back(std::move(grid));
    take_best();
  }

  void take_best() {
    const TuningGrid& grid = result_.grids.back();
    const TuningCell* best = grid.least(&TuningCell::e);
    if (!best || (result_.found && !(best->e < result_.best.e))) return;
    result_.found = true;
    result_.best = *best;
    const auto at_end = [](double value, const std::vector<double>& axis) {
      return axis.size() > 1 && (value == axis.front() || value == axis.back());
    };
    result_.on_border = at_end(best->alpha, options_.alpha) || at_end(best->beta, options_.beta);
  }

  TuningOptions options_;
  std::shared_ptr<const TuningMachine> machine_;
  long next_ = 0;  // run
  Tuning result_;
};

}  // namespace

bool TuningCell::selectable() const { return std::isnan(lost) && std::isfinite(E1) && std::isfinite(E2); }

const TuningCell* TuningGrid::least(double TuningCell::*what) const {
  const TuningCell* best = nullptr;
  for (const TuningCell& cell : cells)
    if (cell.selectable() && (!best || cell.*what < best->*what)) best = &cell;
  return best;
}

long TuningGrid::selectable() const {
  return std::count_if(cells.begin(), cells.end(), [](const TuningCell& cell) { return cell.selectable(); });
}

Tuning tune(const Model& model, const TuningOptions& options) {
  return tune(tuning_machine(model, options.of), options);
}
Tuning tune(std::shared_ptr<const TuningMachine> machine, const TuningOptions& options) {
  return Tuner(std::move(machine), options).run();
}

namespace {

std::string compared(const TuningCell& other, const char* name, double e) {
  if (!other.selectable()) return fmt::format("{} diverges at {:.4g} s", name, other.lost);
  if (std::abs(other.e - e) <= 5e-3 * e) return fmt::format("{} has the same e", name);
  if (other.e < 1e-9 * e) return fmt::format("{} is better (e is round-off)", name);
  if (other.e < e) return fmt::format("{} is better (e = {:.4g}, {:.3g} times less)", name, other.e, e / other.e);
  return fmt::format("{} has e = {:.4g}, {:.3g} times more", name, other.e, other.e / e);
}

}  // namespace

std::string recommendation(const Tuning& t) {
  const TuningGrid& grid = t.grids.front();
  const std::string pairs = fmt::format("{} {}", grid.cells.size(), grid.cells.size() == 1 ? "pair" : "pairs");
  const auto refined = t.grids.size() - 1;
  if (!t.found)
    return fmt::format(
        "none of the {} of gains keeps the motion for {:g} s with {} and a step of {:g} s: use a smaller step, another "
        "integrator, or projection",
        pairs, t.end, t.integrator, t.step);
  std::string text = fmt::format(
      "alpha = {:.6g} 1/s, beta = {:.6g} 1/s^2 has the least e = {:.4g}{} of the {} selectable among {}{} ({} "
      "and "
      "a step of {:g} s over {:g} s). ",
      t.best.alpha, t.best.beta, t.best.e, refined > 0 ? ": the best" : "", grid.selectable(), pairs,
      refined > 0 ? fmt::format(", refined {} around it", refined == 1 ? "once" : fmt::format("{} times", refined))
                  : "",
      t.integrator, t.step, t.end);
  if (t.on_border) text += "It lies on the border of the grid: a wider range may be better. ";
  if (t.region && !t.best.stable)
    text += "It lies outside the region of linear stability, so a longer run may diverge. ";
  const std::string none = compared(t.none, "no stabilization", t.best.e),
                    projection = compared(t.projection, "projection", t.best.e);
  text += fmt::format("{}{}; {}.", char(std::toupper(none[0])), none.substr(1), projection);
  if (t.preview) text += " This is a preview: the errors of the pairs are in single precision.";
  return text;
}

}  // namespace armature::internal
