// A function that stays one: it is large, and called from several places. Compiled once, device code is smaller and compiles sooner.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define ARMATURE_CALLED __host__ __device__ __noinline__
#else
#define ARMATURE_CALLED __attribute__((noinline))
#endif
