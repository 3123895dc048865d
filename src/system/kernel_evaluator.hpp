// One thread's access to the kernels of a System, for W states at once: one, or the eight of lanes.hpp. Both give a state the
// same bits. Allocates only when made.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <vector>

#include "step/lanes.hpp"
#include "system/kernel.hpp"

namespace armature::internal {

class System;

template <int W>
class KernelEvaluator {
 public:
  using Row = step::Row<W>;
  // On several lanes only what stepping uses: nobody records lanes.
  explicit KernelEvaluator(std::shared_ptr<const System> system);
  const System& system() const { return *system_; }

  // Inputs; x is q, v, z one after the other. All stay until set again.
  void set(const Row& t, const Row* x) {
    in_[0] = t;
    copy(x, layout().nx(), in_.data() + 1);
  }
  // In one lane: discrete values, outcomes and parameters.
  void hold(int lane, const double* d, const double* w, const double* p);
  void hold_discrete(int lane, const double* d);
  void set_gains(int lane, double alpha, double beta) {
    (*input(Input::alpha))[lane] = alpha, (*input(Input::beta))[lane] = beta;
  }
  const Row* inputs() const { return in_.data(); }  // in the order of Layout
  Row* discrete_values() { return in_.data() + layout().d(); }
  Row* weights() { return in_.data() + layout().w(); }  // outcomes of comparisons
  Row* parameters() { return in_.data() + layout().p(); }
  Row* input(Input input) { return in_.data() + kernels_->input(input); }

  // Each runs a kernel at the inputs that are set. What it writes stands where it is until the next of them runs.
  using Outputs = step::KernelOutputs<W>;
  const Outputs& run(Kernel kernel) {
    evaluator(kernel)(in_.data()->lane, out_.rows.data()->lane);
    return out_.outputs[static_cast<std::size_t>(kernel)];
  }
  const Outputs& acceleration() { return run(acceleration_kernel()); }
  const Outputs& acceleration_baumgarte() {
    return run(Kernel::acceleration_baumgarte);
  }  // with the gains that are set
  const Outputs& correct_position() { return run(Kernel::correct_position); }
  const Outputs& correct_velocity() { return run(Kernel::correct_velocity); }
  const Outputs& correct_velocity_and_errors(const Row* position_error, const Row* velocity_error) {
    set_errors(position_error, velocity_error);
    return run(Kernel::correct_velocity_and_errors);
  }
  const Outputs& correct_motion() { return run(Kernel::correct_motion); }
  const Outputs& step_end(const Row* position_error, const Row* velocity_error, const Row& weight) {
    set_errors(position_error, velocity_error);
    *input(Input::weight) = weight;
    return run(Kernel::step_end);
  }
  const Row* roots() { return run(Kernel::roots).roots; }
  const Row* root_rates(const Row* vdot) {  // the outputs of other kernels stay
    copy(vdot, layout().nv, input(Input::vdot));
    evaluator(Kernel::root_rates)(in_.data()->lane, root_rates_.data()->lane);
    return root_rates_.data();
  }
  const Row* discrete() { return run(Kernel::discrete).discrete; }  // values that all discrete ones would take
  const Row* events() { return run(Kernel::events).events; }
  const Outputs& observables() { return run(Kernel::observables); }
  const Row* reactions(const Row* vdot, const Row* lambda) {
    copy(vdot, layout().nv, input(Input::vdot));
    copy(lambda, layout().m, input(Input::lambda));
    return run(Kernel::reactions).wrenches;
  }
  const Row& energy() {  // the outputs of other kernels stay
    evaluator(Kernel::energy)(in_.data()->lane, energy_.lane);
    return energy_;
  }
  const Row* next_stop() {  // and lookups behind it; the same
    evaluator(Kernel::next_stop)(in_.data()->lane, next_stop_.data()->lane);
    return next_stop_.data();
  }

  const Row* written() const { return out_.rows.data(); }  // all of the kernel that ran last

  // Any other program of these inputs, on W lanes. The outputs of kernels stay.
  const Row* run(Evaluator& evaluator) {
    make_room(evaluator.program().output_count());
    evaluator(in_.data()->lane, others_.data()->lane);
    return others_.data();
  }
  void make_room(int outputs) { others_.resize(std::max(others_.size(), static_cast<std::size_t>(outputs))); }
  Evaluator& evaluator(Kernel kernel) {
    assert(kernels_->program(kernel));
    return evaluators_[static_cast<std::size_t>(kernel)];
  }

 private:
  // The one with fewest operations that holds in all lanes.
  Kernel acceleration_kernel() const {
    if (!has_contacts_) return Kernel::acceleration;
    return !closed_                    ? Kernel::acceleration_open
           : has_friction_ && !sticks_ ? Kernel::acceleration_sliding
                                       : Kernel::acceleration;
  }
  const Layout& layout() const { return kernels_->layout(); }
  void set_errors(const Row* position_error, const Row* velocity_error) {
    copy(position_error, layout().nv, input(Input::position_error));
    copy(velocity_error, layout().nv, input(Input::velocity_error));
  }
  // Eigen copies a few numbers in line, where the library's copy is a call.
  static void copy(const Row* from, int count, Row* to) {
    if constexpr (W == 1)
      Eigen::Map<Eigen::VectorXd>(reinterpret_cast<double*>(to), count) =
          Eigen::Map<const Eigen::VectorXd>(reinterpret_cast<const double*>(from), count);
    else
      std::copy_n(from, count, to);
  }

  std::shared_ptr<const System> system_;
  const Kernels* kernels_;
  // Where kernels write, and where each of them leaves what. There is room for one row at least, so that there is an address when a
  // kernel writes nothing.
  struct Written {
    explicit Written(const Kernels& written_by) : kernels(&written_by) {}
    Written(const Written& other) : kernels(other.kernels), rows(other.rows) { place(); }
    Written& operator=(const Written& other) {
      kernels = other.kernels, rows = other.rows;
      place();
      return *this;
    }
    void place();

    const Kernels* kernels;
    std::vector<Row> rows{1};
    std::array<Outputs, kernel_count> outputs;
  };
  std::vector<Row> in_;
  Written out_;
  std::vector<Row> root_rates_{1}, next_stop_{1}, others_{1};
  Row energy_{};
  bool has_contacts_, has_friction_;  // rigid contacts, and one of them has
  unsigned closed_ = 0;               // the lanes in which a rigid contact is closed
  unsigned sticks_ = 0;               // those in which one sticks, or forces are undetermined
  std::array<Evaluator, kernel_count> evaluators_;
};

using SystemLanes = KernelEvaluator<lane_count>;

}  // namespace armature::internal
