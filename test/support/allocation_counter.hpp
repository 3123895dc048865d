// Counts allocations of the whole program: malloc and its kin pass through here before they reach the C library, so that
// operator new and Eigen's own allocations are seen too. Under a sanitizer, which needs malloc for itself, it counts none.
//
//   const AllocationCounter counter;
//   ... the hot loop ...
//   EXPECT_EQ(counter.count(), 0);
#pragma once

#include <atomic>
#include <cstddef>

namespace armature::internal {

inline std::atomic<long> allocations{0};

class AllocationCounter {
 public:
  AllocationCounter() : before_(allocations) {}
  long count() const { return allocations - before_; }

 private:
  long before_;
};

}  // namespace armature::internal

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Weak, since several files of one test program may include this header.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

__attribute__((weak)) void* malloc(std::size_t size) {
  ++armature::internal::allocations;
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t count, std::size_t size) {
  ++armature::internal::allocations;
  return __libc_calloc(count, size);
}
__attribute__((weak)) void* realloc(void* pointer, std::size_t size) {
  ++armature::internal::allocations;
  return __libc_realloc(pointer, size);
}
__attribute__((weak)) void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++armature::internal::allocations;
  return __libc_memalign(alignment, size);
}
}
#endif
