#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "gpu/card.hpp"
#include "gpu/card_rollout.hpp"
#include "integrate/tableau.hpp"
#include "library/access.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "model/findings.hpp"
#include "prepare/prepare.hpp"
#include "run/rollout.hpp"

namespace armature {

namespace {

// Throws where the options do not make sense.
internal::Prepared prepared_for_rollout(const Machine& machine, const RolloutOptions& options) {
  if (!(std::isfinite(options.step) && options.step > 0))
    throw Error(Error::Kind::input, fmt::format("step is {}, but must be positive", options.step));
  if (!internal::find_tableau(options.integrator))
    throw Error(Error::Kind::input,
                fmt::format("'{}' is not an explicit one-step method: use rk4, rk2 or euler", options.integrator));
  internal::Prepared prepared = internal::Access::of(machine);
  internal::prepare_for_rollout(prepared, options.integrator, options.step);
  return prepared;
}

// Of motions that a card has computed: the first ones once more, for their findings.
void look_at_first(internal::Rollout& engine, internal::RolloutArrays arrays, const std::vector<double>& states,
                   long count) {
  std::vector<double> kept(states.size());
  std::vector<long> failed(static_cast<std::size_t>(arrays.motions));
  arrays.states = states.data(), arrays.every = 0;
  arrays.kept = kept.data();
  long* const told = arrays.failed;
  arrays.failed = failed.data();
  engine.run(0, arrays, count);
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    if (told[k] < 0) told[k] = failed[k];
}

// By code, in the order in which they come: "energy: 8 of 8 motions, the first (motion 0): the energy balance is off by …".
std::vector<std::string> in_words(const std::vector<internal::Findings>& findings, std::size_t looked_at) {
  struct Kind {
    internal::FindingCode code;
    std::string sentence;
    std::size_t first = 0, count = 0;
  };
  std::vector<Kind> kinds;
  for (std::size_t k = 0; k < findings.size(); ++k)
    for (const internal::Finding& finding : findings[k]) {
      auto kind = std::ranges::find(kinds, finding.code, &Kind::code);
      if (kind == kinds.end()) kind = kinds.insert(kind, {finding.code, finding.sentence, k});
      ++kind->count;
    }
  std::vector<std::string> sentences;
  for (const Kind& kind : kinds)
    sentences.push_back(fmt::format("{}: {} of {} motions, the first is motion {}: {}",
                                    internal::row_of(kind.code).code, kind.count, looked_at, kind.first,
                                    kind.sentence));
  return sentences;
}

}  // namespace

struct Rollout::Parts {
  Machine machine;
  internal::Prepared prepared;
  std::vector<Channel> channels;
  std::mutex mutex;
  std::vector<std::unique_ptr<internal::Rollout>> idle;  // engines of threads that have ended
  std::unique_ptr<internal::CardRollout> card;           // null: the processor computes all motions
  std::mutex card_mutex;

  Parts(const Machine& given, const RolloutOptions& options)
      : machine(given), prepared(prepared_for_rollout(given, options)) {
    if (options.gpu != Gpu::no)
      card = std::make_unique<internal::CardRollout>(prepared, internal::open_cards(), arithmetic_of(options.gpu));
    const internal::Equations& e = prepared.system->equations();
    for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
      for (const internal::Coordinate& coordinate : *coordinates)
        if (!coordinate.in_ledger()) channels.push_back({coordinate.name, coordinate.unit});
  }

  std::shared_ptr<internal::Rollout> engine() {
    std::unique_ptr<internal::Rollout> found;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) found = std::move(idle.back()), idle.pop_back();
    }
    if (!found) found = std::make_unique<internal::Rollout>(prepared);
    return {found.release(), [this](internal::Rollout* engine) {
              const std::lock_guard lock(mutex);
              idle.emplace_back(engine);
            }};
  }
};

Rollout::Rollout(const Machine& machine, const RolloutOptions& options)
    : parts_(translated([&] { return std::make_shared<Parts>(machine, options); })) {}

const std::vector<Channel>& Rollout::channels() const { return parts_->channels; }

std::vector<double> Rollout::row(const State& state) const {
  const internal::Equations& e = internal::Access::of(parts_->machine).system->equations();
  std::vector<double> row = state.q;
  row.insert(row.end(), state.v.begin(), state.v.end());
  for (std::size_t i = 0; i < e.others.size() && i < state.z.size(); ++i)
    if (!e.others[i].in_ledger()) row.push_back(state.z[i]);
  if (row.size() != parts_->channels.size())
    throw Error(Error::Kind::input, fmt::format("the state has {} numbers that count, but the machine has {}",
                                                row.size(), parts_->channels.size()));
  return row;
}

std::vector<std::string> Rollout::run(const Batch& batch, std::span<double> kept, std::span<long> failed,
                                      const StudyOptions& options) const {
  return translated([&] {
    const auto require = [](const char* what, std::size_t given, long wanted) {
      if (given != static_cast<std::size_t>(wanted))
        throw Error(Error::Kind::input, fmt::format("{} has {} numbers, but {} are needed", what, given, wanted));
    };
    const auto size = static_cast<long>(parts_->channels.size()),
               count = static_cast<long>(parts_->prepared.parameters.size());
    internal::RolloutArrays arrays;
    arrays.motions = static_cast<long>(failed.size()), arrays.steps = batch.steps, arrays.t = batch.t;
    arrays.every = batch.every;
    if (batch.steps < 1 || batch.every < 0 || batch.every > batch.steps)
      throw Error(Error::Kind::input, "steps must be positive, and every not more than steps");
    require("states", batch.states.size(), arrays.motions * size);
    require("kept", kept.size(), arrays.rows() * arrays.motions * size);
    arrays.inputs_change = batch.inputs.size() > static_cast<std::size_t>(arrays.motions * count);
    if (!batch.inputs.empty())
      require("inputs", batch.inputs.size(), arrays.motions * count * (arrays.inputs_change ? batch.steps : 1));
    arrays.states = batch.states.data(), arrays.inputs = batch.inputs.empty() ? nullptr : batch.inputs.data();
    arrays.kept = kept.data(), arrays.failed = failed.data();

    std::vector<internal::Findings> findings(failed.size());
    arrays.findings = findings.data();
    // a card keeps no ledger of energy: the processor looks at the first motions, with states of which `kept` may be the array
    const long group = internal::lane_count;
    const long looked_at = parts_->card ? std::min(group, arrays.motions) : arrays.motions;
    const std::vector<double> first_states(batch.states.begin(),
                                           batch.states.begin() + (parts_->card ? looked_at * size : 0));

    // the processor computes all motions in groups, or those that left the card
    Session session(options);
    std::vector<long> left;
    bool stopped = false;
    if (parts_->card) {
      const std::lock_guard lock(parts_->card_mutex);
      left = parts_->card->run(arrays, [&] { return stopped = stopped || !session.is_wanted(0, arrays.motions); });
    }
    const long count_here = parts_->card ? static_cast<long>(left.size()) : arrays.motions;
    const long groups = (count_here + group - 1) / group;
    internal::CellJob job{
        groups, 0, [&](const internal::StopFlag& stop) -> internal::CellFunction {
          return [&, engine = parts_->engine()](long index, std::span<double>) {
            const long first = index * group, some = std::min(group, count_here - first);
            if (stop) return false;
            if (parts_->card)
              engine->run(std::span(left).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(some)),
                          arrays);
            else
              engine->run(first, arrays, some);
            return true;
          };
        }};
    session.require_complete(!stopped && (groups == 0 || session.run(job)));
    if (parts_->card) look_at_first(*parts_->engine(), arrays, first_states, looked_at);
    return in_words(findings, static_cast<std::size_t>(std::max(looked_at, count_here)));
  });
}

}  // namespace armature
