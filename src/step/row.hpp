// W states at once. A row holds one number of each of them, lane by lane; W = 1 is one state, and its row is a number. A mask is
// a set of lanes: bit k is lane k, and at W = 1 it is a bool. What is done to a row is done to each lane with the same operations
// in the same order, so that a lane has the bits of a state that goes alone.
//
// The headers of this folder are freestanding: no library, no allocation, no exceptions. They compile for the processor, as
// device code of a GPU, and for WebAssembly.
#pragma once

// Before every function: where it runs. ARMATURE_INLINE ones become part of their callers, also of those that are compiled for
// several vector widths.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ARMATURE_STEP __host__ __device__ inline
#define ARMATURE_INLINE __host__ __device__ __forceinline__
#else
#define ARMATURE_STEP inline
#define ARMATURE_INLINE inline __attribute__((always_inline))
#endif

namespace armature::step {

template <int W>
struct alignas(sizeof(double) * W) Row {
  double lane[W];
  ARMATURE_INLINE double& operator[](int k) { return lane[k]; }
  ARMATURE_INLINE double operator[](int k) const { return lane[k]; }
};

template <int W>
struct MaskOf {
  using Type = unsigned;
};
template <>
struct MaskOf<1> {
  using Type = bool;
};
template <int W>
using Mask = typename MaskOf<W>::Type;

template <int W>
inline constexpr Mask<W> all_lanes = W == 1 ? 1 : static_cast<Mask<W>>((1u << (W - 1)) * 2 - 1);

template <int W>
ARMATURE_INLINE Mask<W> lane_bit(int k) {
  return static_cast<Mask<W>>(1u << k);
}
ARMATURE_INLINE bool has(bool lanes, int) { return lanes; }
ARMATURE_INLINE bool has(unsigned lanes, int k) { return lanes >> k & 1; }
ARMATURE_INLINE bool without(bool lanes, bool others) { return lanes && !others; }
ARMATURE_INLINE unsigned without(unsigned lanes, unsigned others) { return lanes & ~others; }

template <int W, class Action>
ARMATURE_INLINE void for_each(Mask<W> lanes, const Action& action) {
  if constexpr (W == 1) {
    if (lanes) action(0);
  } else {
    for (int k = 0; k < W; ++k)
      if (has(lanes, k)) action(k);
  }
}

// The lanes of a set in which something holds.
template <int W, class Condition>
ARMATURE_INLINE Mask<W> those(Mask<W> lanes, const Condition& holds) {
  Mask<W> result = 0;
  for_each<W>(lanes, [&](int k) {
    if (holds(k)) result |= lane_bit<W>(k);
  });
  return result;
}

}  // namespace armature::step
