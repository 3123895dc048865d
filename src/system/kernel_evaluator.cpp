#include "system/kernel_evaluator.hpp"

#include "system/system.hpp"

namespace armature::internal {

template <int W>
KernelEvaluator<W>::KernelEvaluator(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      kernels_(&system_->kernels()),
      in_(static_cast<std::size_t>(kernels_->input_count())),
      out_(*kernels_),
      has_contacts_(!system_->equations().contacts.empty()),
      has_friction_(std::ranges::any_of(system_->equations().contacts, &RigidContact::has_friction)) {
  for (const KernelEntry& entry : kernel_table()) {
    const std::shared_ptr<const Program>& program = kernels_->program(entry.kernel);
    if (!program || (W > 1 && entry.use != KernelEntry::Use::stepping)) continue;
    evaluators_[static_cast<std::size_t>(entry.kernel)] = Evaluator(program, W);
    out_.rows.resize(std::max(out_.rows.size(), static_cast<std::size_t>(program->output_count())));
    if (entry.kernel == Kernel::root_rates) root_rates_.resize(std::max(1, program->output_count()));
    if (entry.kernel == Kernel::next_stop) next_stop_.resize(std::max(1, program->output_count()));
  }
  out_.place();
  const std::vector<double>& values = system_->equations().p_value;
  for (int lane = 0; lane < W; ++lane)
    for (std::size_t i = 0; i < values.size(); ++i) parameters()[i][lane] = values[i];
}

template <int W>
void KernelEvaluator<W>::Written::place() {
  for (std::size_t k = 0; k < outputs.size(); ++k)
    step::find_outputs(static_cast<Kernel>(k), rows.data(), kernels->outputs(static_cast<Kernel>(k)), outputs[k]);
}

template <int W>
void KernelEvaluator<W>::hold(int lane, const double* d, const double* w, const double* p) {
  const Layout& n = layout();
  hold_discrete(lane, d);
  for (int i = 0; i < n.nw; ++i) weights()[i][lane] = w[i];
  for (int i = 0; i < n.np; ++i) parameters()[i][lane] = p[i];
}

template <int W>
void KernelEvaluator<W>::hold_discrete(int lane, const double* d) {
  for (int i = 0; i < layout().nd; ++i) discrete_values()[i][lane] = d[i];
  if (!has_contacts_) return;
  const Equations& e = system_->equations();
  const auto closed = [&](const RigidContact& contact) { return d[contact.closed] != 0; };
  const auto sticks = [&](const RigidContact& contact) { return contact.sticks >= 0 && d[contact.sticks] != 0; };
  const auto mark = [bit = 1u << lane](unsigned& lanes, bool on) { lanes = on ? lanes | bit : lanes & ~bit; };
  mark(closed_, std::ranges::any_of(e.contacts, closed));
  mark(sticks_, d[e.contact_softness] != 0 || std::ranges::any_of(e.contacts, sticks));
}

template class KernelEvaluator<1>;
template class KernelEvaluator<lane_count>;

}  // namespace armature::internal
