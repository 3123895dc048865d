#include "report/page_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "dynamics/motion_parts.hpp"
#include "dynamics/projection.hpp"
#include "events/contacts.hpp"
#include "expression/program_inputs.hpp"
#include "integrate/integrator.hpp"
#include "mechanics/changing_rows.hpp"
#include "mechanics/energy_ledger.hpp"
#include "run/hidden_forces.hpp"
#include "step/page_table.hpp"
#include "system/table_stops.hpp"

namespace armature::internal {

namespace {

using namespace step;

int method_number(const step::Method& method) {
  if (method.symplectic) return page_euler;
  const std::pair<std::string_view, int> numbers[] = {{"euler", page_euler},
                                                      {"midpoint", page_midpoint},
                                                      {"classical", page_classical},
                                                      {"dormand_prince_54", page_dormand_prince_54},
                                                      {"dormand_prince_853", page_dormand_prince_853}};
  for (const auto& [name, number] : numbers)
    if (method.tableau && method.tableau_name == name) return number;
  return -1;
}

class VariantWriter {
 public:
  VariantWriter(const Prepared& prepared, const PageMethodChoice& method, const Scene& scene, WasmModule& module,
                bool moves)
      : prepared_(prepared),
        options_(prepared.options),
        system_(*prepared.system),
        e_(system_.equations()),
        n_(system_.layout()),
        kernels_(system_.kernels()),
        method_(method),
        scene_(scene),
        module_(module),
        moves_(moves),
        parts_(system_) {}

  PageVariant write() {
    add_functions();
    configuration_ = parts_.sizes().configuration;
    add_clocks();
    add_root_entries();
    add_energies();
    add_frame_inputs();
    add_integers();
    add_numbers();
    return std::move(variant_);
  }

 private:
  void place(const char* name, int value) { variant_.places.emplace_back(name, value); }
  bool pulled() const { return options_.alpha != 0 || options_.beta != 0; }
  bool projects() const { return (options_.projection || options_.post_adjust) && kernels_.rows() > 0; }
  bool controlled() const { return method_.method >= page_dormand_prince_54; }

  bool is_called(Kernel kind) const {
    if (!moves_) return false;
    switch (kind) {
      case Kernel::acceleration: return !pulled();
      case Kernel::acceleration_baumgarte: return pulled();
      case Kernel::correct_position:
      case Kernel::correct_velocity:
      case Kernel::correct_motion: return kernels_.rows() > 0;
      case Kernel::correct_velocity_and_errors: return kernels_.rows() > 0 && projects() && controlled();
      case Kernel::step_end: return projects() && controlled() && !pulled();
      case Kernel::roots: return n_.nw > 0;
      case Kernel::root_rates: return n_.nw > 0 && controlled();
      case Kernel::discrete: return n_.nd > 0;
      case Kernel::next_stop: return controlled() && has_table_stops(e_);
      case Kernel::reactions: return !e_.reactions.empty();
      case Kernel::acceleration_open: return !e_.contacts.empty() && controlled();
      case Kernel::acceleration_sliding:
        return std::ranges::any_of(e_.contacts, &RigidContact::has_friction) && controlled();
      case Kernel::contact_gaps:
      case Kernel::contact_motion:
      case Kernel::contact_rows:
      case Kernel::contact_response: return !e_.contacts.empty() && controlled();
      case Kernel::energy:
      case Kernel::observables: return true;
      default: return false;
    }
  }
  void add_functions() {
    for (const KernelEntry& entry : kernel_table()) {
      const bool called = is_called(entry.kernel) && kernels_.program(entry.kernel);
      slots_.push_back(called ? module_.add(*kernels_.program(entry.kernel)) : -1);
    }
    slots_.push_back(scene_.frame_size() > 0 ? module_.add(*scene_.program()) : -1);
  }

  void add_clocks() {
    for (const Discrete& value : e_.discrete) {
      const std::pair clock(value.period, value.offset);
      if (value.period > 0 && !std::ranges::count(clocks_, clock)) clocks_.push_back(clock);
      const auto place = std::ranges::find(clocks_, clock) - clocks_.begin();
      clock_of_.push_back(value.period > 0 ? static_cast<int>(place) : value.follows_steps() ? -1 : -2);
    }
  }
  void add_root_entries() {
    if (n_.nw == 0 || !moves_) return;
    const std::vector<bool> read = inputs_read(*kernels_.program(Kernel::roots));
    for (int i = 0; i < n_.nx(); ++i)
      if (read[static_cast<std::size_t>(n_.q() + i)]) root_entries_.push_back(i);
  }
  void add_energies() {
    for (int i = 0; i < n_.nz; ++i) {
      if (e_.others[i].kind == Coordinate::Kind::work) received_.push_back(n_.nq + n_.nv + i);
      if (e_.others[i].kind == Coordinate::Kind::heat) lost_.push_back(n_.nq + n_.nv + i);
    }
  }
  void add_frame_inputs() {
    for (const std::string& name : scene_.inputs()) frame_inputs_.push_back(input_named(name));
  }
  int input_named(const std::string& name) const {
    const auto in = [&](const auto& list, int first) {
      const auto found = std::ranges::find(list, name, &Coordinate::name);
      return found == list.end() ? -1 : first + static_cast<int>(found - list.begin());
    };
    if (name == "t") return n_.t();
    if (const int place = in(e_.positions, n_.q()); place >= 0) return place;
    if (const int place = in(e_.velocities, n_.v()); place >= 0) return place;
    const auto parameter = std::ranges::find(e_.p_name, name) - e_.p_name.begin();
    return n_.p() + static_cast<int>(parameter);
  }

  void add_integers() {
    std::vector<int>& list = variant_.integers;
    list.resize(page_integers);
    const std::pair<PageInteger, int> entries[] = {
        {page_nq, n_.nq},
        {page_nv, n_.nv},
        {page_nz, n_.nz},
        {page_nd, n_.nd},
        {page_nw, n_.nw},
        {page_np, n_.np},
        {page_rows, kernels_.rows()},
        {page_all_rows, n_.m},
        {page_work, e_.stabilization_work},
        {page_quantities, static_cast<int>(e_.quantities.size())},
        {page_wrenches, kernels_.sizes().wrenches},
        {page_events, kernels_.sizes().events},
        {page_contacts, kernels_.sizes().contacts},
        {page_contact_softness, e_.contact_softness},
        {page_impact_work, ImpactWork(e_).state().value_or(-1)},
        {page_sequential_impacts, options_.sequential_impacts},
        {page_method, method_.method},
        {page_symplectic, method_.symplectic},
        {page_projects, projects()            ? 1
                        : options_.projection ? 2
                                              : 0},
        {page_pulled, pulled()},
        {page_nesting, n_.nw > 0 ? system_.comparison_nesting() : 0},
        {page_follows, std::ranges::any_of(e_.discrete, &Discrete::follows_steps)},
        {page_plain, configuration_.plain_count},
        {page_quaternions, configuration_.quaternion_count},
        {page_clocks, static_cast<int>(clocks_.size())},
        {page_root_entries, static_cast<int>(root_entries_.size())},
        {page_received, static_cast<int>(received_.size())},
        {page_lost, static_cast<int>(lost_.size())},
        {page_frame_inputs, static_cast<int>(frame_inputs_.size())},
        {page_frame_outputs, scene_.program() ? scene_.program()->output_count() : 0},
        {page_lookups, controlled() ? static_cast<int>(e_.lookups.size()) : 0}};
    static_assert(std::size(entries) == page_integers);
    for (const auto& [entry, value] : entries) list[entry] = value;

    const auto append = [&](const std::vector<int>& more) { list.insert(list.end(), more.begin(), more.end()); };
    place("slots", page_integers), place("slot_count", page_slots);
    place("discrete", page_integers + static_cast<int>(Kernel::discrete)), place("frame", page_integers + page_frame);
    append(slots_);
    place("pairs", static_cast<int>(list.size()));
    for (int i = 0; i < configuration_.plain_count; ++i) append({configuration_.plain[i].q, configuration_.plain[i].v});
    for (int i = 0; i < configuration_.quaternion_count; ++i)
      append({configuration_.quaternions[i].q, configuration_.quaternions[i].v});
    append(clock_of_);
    for (const Graph::Comparison& comparison : e_.graph->comparisons())
      list.push_back(static_cast<int>(comparison.kind));
    append(root_entries_), append(received_), append(lost_);
    for (const step::ContactPlaces& at : contact_places(e_))
      append({at.closed, at.sticks, at.direction, at.across, at.slow, at.is_length});
    place("frame_inputs", static_cast<int>(list.size())), place("frame_outputs", list[page_frame_outputs]);
    append(frame_inputs_);
    place("nq", n_.nq), place("nv", n_.nv), place("nx", n_.nx()), place("nd", n_.nd), place("nw", n_.nw),
        place("np", n_.np);
    place("plain", configuration_.plain_count), place("quaternions", configuration_.quaternion_count);
  }

  void add_numbers() {
    std::vector<double>& list = variant_.numbers;
    list.resize(page_numbers);
    const State& start = prepared_.start;
    list[page_t] = start.t, list[page_end] = options_.end, list[page_record] = options_.record;
    list[page_step] = method_.step, list[page_max_step] = options_.max_step, list[page_rtol] = options_.rtol;
    list[page_rate] = options_.rate, list[page_machine_length] = machine_length();
    list[page_alpha_gain] = options_.alpha, list[page_beta_gain] = options_.beta;
    place("t", page_t), place("end", page_end), place("record", page_record), place("rtol", page_rtol);
    const auto append = [&](const auto& values) { list.insert(list.end(), values.begin(), values.end()); };
    const auto append_at = [&](const char* name, const auto& values) {
      place(name, static_cast<int>(list.size()));
      append(values);
    };
    append_at("x", start.x), append_at("d", start.d), append(start.w);
    append_at("parameters", prepared_.parameters), append_at("atol", options_.atol);
    append_sizes();
    for (const auto& [period, offset] : clocks_) list.push_back(period), list.push_back(offset);
    for (const Graph::Comparison& comparison : e_.graph->comparisons()) list.push_back(comparison.breakaway);
  }

  // As FullEngine::machine_size() takes it, where the run begins; contacts alone ask for it.
  double machine_length() const {
    if (e_.contacts.empty()) return 0;
    SystemEvaluator evaluator(prepared_.system);
    evaluator.set_parameters(prepared_.parameters);
    evaluator.set(prepared_.start);
    Eigen::VectorXd x = prepared_.start.x;
    Configuration(e_).normalize(x.data());
    evaluator.set(prepared_.start.t, x.data());
    SparseTerms terms = evaluator.make_sparse_terms();
    evaluator.position(terms);
    return MachineSize(e_, terms, x.data()).length();
  }
  // What projection measures by, taken where the run begins.
  void append_sizes() {
    SystemEvaluator evaluator(prepared_.system);
    evaluator.set_parameters(prepared_.parameters);
    evaluator.set(prepared_.start);
    Projection projection(evaluator);
    if (projects()) projection.begin(prepared_.start.t, prepared_.start.x.data());
    const MachineSizes sizes = projection.sizes();
    const auto append = [&](const double* values, int count) {
      for (int i = 0; i < count; ++i) variant_.numbers.push_back(values ? values[i] : 1);
    };
    append(sizes.rows, kernels_.rows()), append(sizes.positions, n_.nq);
    place("per_velocity", static_cast<int>(variant_.numbers.size()));
    append(sizes.velocities, n_.nv);
  }

  const Prepared& prepared_;
  const RunOptions& options_;
  const System& system_;
  const Equations& e_;
  const Layout& n_;
  const Kernels& kernels_;
  const PageMethodChoice& method_;
  const Scene& scene_;
  WasmModule& module_;
  bool moves_;
  MotionParts parts_;
  step::Configuration configuration_;
  std::vector<int> slots_, clock_of_, root_entries_, received_, lost_, frame_inputs_;
  std::vector<std::pair<double, double>> clocks_;  // period and offset, s
  PageVariant variant_;
};

}  // namespace

// A page locates changes of comparisons without knowing ranges of their roots, so that their times differ in the last digits. Impacts of prescribed
// motions are left to fixed steps, which take comparisons as they are at every stage.
PageMethodChoice choose_page_method(const Prepared& prepared, long steps) {
  const RunOptions& options = prepared.options;
  const step::Method& method = method_of(options.integrator);
  const bool compares = prepared.system->layout().nw > 0;
  PageMethodChoice choice{method_number(method), method.symplectic, options.step, options.integrator, ""};
  if (compares && method.controlled && !changing_rows(prepared.system->equations()).empty()) {
    constexpr double shorter = 4, fewest = 2000, most = 100'000;
    choice = {page_classical, false,
              (options.end - prepared.start.t) / std::clamp(shorter * static_cast<double>(steps), fewest, most), "rk4",
              ""};
    choice.note = fmt::format(
        "the page takes rk4 steps of {:.3g} s and does not locate the times at which prescribed motions change their "
        "law; the run used {}",
        choice.step, options.integrator);
  } else if (choice.method < 0 ||
             (choice.method < page_dormand_prince_54 && !prepared.system->equations().contacts.empty())) {
    choice = {page_dormand_prince_54, false, options.step, "dopri5", ""};
    choice.note = fmt::format("the page takes steps of dopri5; the run used {}", options.integrator);
  }
  const bool touches = !prepared.system->equations().contacts.empty();
  if ((compares || touches) && choice.method >= page_dormand_prince_54 && choice.note.empty())
    choice.note =
        "the times of sticking, slipping and reaching a limit differ from those of the run in their last digits";
  const auto add = [&](const std::string& sentence) { choice.note += (choice.note.empty() ? "" : "; ") + sentence; };
  if (options.formulation != "auto")
    add(fmt::format("the page uses the formulation auto instead of {}", options.formulation));
  if (options.post_adjust) add("the page uses projection instead of post_adjust");
  if (options.finds_short_forces && choice.method >= page_dormand_prince_54 &&
      WatchedTerms(*prepared.system).program != nullptr)
    add("the page does not look for forces that act for less than a step");
  return choice;
}

PageVariant page_variant(const Prepared& prepared, const PageMethodChoice& method, const Scene& scene,
                         WasmModule& module, bool moves) {
  return VariantWriter(prepared, method, scene, module, moves).write();
}

}  // namespace armature::internal
