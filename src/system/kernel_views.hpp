// What the kernels put out, by name. A view points into the memory of an evaluator, W lanes a row; the numbers stand there until
// the evaluator's next kernel runs.
#pragma once

#include <array>

#include "step/row.hpp"
#include "system/kernel.hpp"

namespace armature::internal {

// All outputs of a kernel; an output that it does not have is not to be asked for.
template <int W>
struct KernelOutputs {
  const step::Row<W>* rows;
  const std::array<int, output_kinds>& first;
  const step::Row<W>* operator[](Output output) const { return rows + first[static_cast<std::size_t>(output)]; }
};

template <int W>
struct PivotsView {
  const step::Row<W>*mass_pivots, *pivots, *scales;
  static PivotsView of(const KernelOutputs<W>& out) {
    return {out[Output::mass_pivots], out[Output::pivots], out[Output::scales]};
  }
};

template <int W>
struct RatesView {
  const step::Row<W>*vdot, *lambda, *qdot, *zdot;
  static RatesView of(const KernelOutputs<W>& out) {
    return {out[Output::vdot], out[Output::lambda], out[Output::qdot], out[Output::zdot]};
  }
};

// The projection onto the constraints, and their residuals before it.
template <int W>
struct ProjectionView {
  const step::Row<W>*dq, *dv, *work, *phi, *phidot;
  static ProjectionView of(const KernelOutputs<W>& out) {
    return {out[Output::dq], out[Output::dv], out[Output::work], out[Output::phi], out[Output::phidot]};
  }
};

// acceleration, acceleration_baumgarte
template <int W>
struct AccelerationView : RatesView<W>, PivotsView<W> {
  static AccelerationView of(const KernelOutputs<W>& out) { return {RatesView<W>::of(out), PivotsView<W>::of(out)}; }
};

// correct_position
template <int W>
struct PositionCorrectionView : PivotsView<W> {
  const step::Row<W>*dq, *phi;
  static PositionCorrectionView of(const KernelOutputs<W>& out) {
    return {PivotsView<W>::of(out), out[Output::dq], out[Output::phi]};
  }
};

// correct_velocity
template <int W>
struct VelocityCorrectionView : PivotsView<W> {
  const step::Row<W>*dv, *phidot;
  static VelocityCorrectionView of(const KernelOutputs<W>& out) {
    return {PivotsView<W>::of(out), out[Output::dv], out[Output::phidot]};
  }
};

// correct_velocity_and_errors
template <int W>
struct ErrorCorrectionView : VelocityCorrectionView<W> {
  const step::Row<W>*d_position_error, *d_velocity_error;
  static ErrorCorrectionView of(const KernelOutputs<W>& out) {
    return {VelocityCorrectionView<W>::of(out), out[Output::d_position_error], out[Output::d_velocity_error]};
  }
};

// correct_motion
template <int W>
struct MotionCorrectionView : ProjectionView<W>, PivotsView<W> {
  static MotionCorrectionView of(const KernelOutputs<W>& out) {
    return {ProjectionView<W>::of(out), PivotsView<W>::of(out)};
  }
};

// step_end
template <int W>
struct StepEndView : RatesView<W>, ProjectionView<W>, PivotsView<W> {
  const step::Row<W>*position_error, *velocity_error;
  static StepEndView of(const KernelOutputs<W>& out) {
    return {RatesView<W>::of(out), ProjectionView<W>::of(out), PivotsView<W>::of(out), out[Output::position_error],
            out[Output::velocity_error]};
  }
};

// observables
template <int W>
struct ObservablesView {
  const step::Row<W>*quantities, *kinetic, *potential, *elastic, *magnetic;
  static ObservablesView of(const KernelOutputs<W>& out) {
    return {out[Output::quantities], out[Output::kinetic], out[Output::potential], out[Output::elastic],
            out[Output::magnetic]};
  }
};

}  // namespace armature::internal
