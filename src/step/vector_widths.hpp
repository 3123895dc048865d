// One version of a function for every vector width of the machine, of which the loader picks the best.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ARMATURE_VECTOR_WIDTHS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define ARMATURE_VECTOR_WIDTHS
#endif
