// What compiling costs as a mechanism grows, counted in nodes, operations and allocations: seconds would depend on the machine.
#include <gmock/gmock.h>

#include <ctime>

#include "expression/interruption.hpp"
#include "read/reader.hpp"
#include "support/allocation_counter.hpp"
#include "system/build_model.hpp"
#include "system/system.hpp"

namespace armature::internal {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // allocations are not counted, and everything takes longer
#else
constexpr bool sanitized = false;
#endif

const std::string head = "armature: 1\ngravity: [0, -9.81, 0]\nplane: xy\n";

// Every joint moves all links behind it: the lower half of M has n (n + 1) / 2 entries, and none is zero.
std::string chain_of(int n) {
  const std::string last = std::to_string(n);
  return head + "bodies:\n  \"b{i}\": {for: {i: 1.." + last +
         "}, mass: 1, center: [0.05, 0, 0], inertia: {rod: 0.1}, points: {tip: [0.1, 0, 0]}}\n"
         "joints:\n  j1: {type: revolute, between: [ground, b1]}\n"
         "  \"j{i}\": {for: {i: 2.." +
         last + "}, type: revolute, between: [\"b{i-1}.tip\", \"b{i}\"]}\n";
}

// Each on the ground by itself: M is diagonal.
std::string pendulums(int n) {
  const std::string last = std::to_string(n);
  return head + "bodies: {\"b{i}\": {for: {i: 1.." + last +
         "}, mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}}\n"
         "joints: {\"j{i}\": {for: {i: 1.." +
         last + "}, type: revolute, between: [ground, \"b{i}\"]}}\n";
}

struct Cost {
  double nodes = 0, operations = 0, allocations = 0;
};

Cost cost_of(const std::string& text) {
  const Model model = read_model_text(text, "m.yaml");
  const AllocationCounter counter;
  const std::shared_ptr<const Equations> equations = build_model(model);
  const System system(equations);
  return {static_cast<double>(equations->graph->size()), static_cast<double>(system.operation_count()),
          static_cast<double>(counter.count())};
}

// For a chain of twice the length, four times the entries of M: each costs the same as before. Memory is asked for in large pieces:
// once for a link, not for an entry or a node (that made 1.9 GB of 800 joints).
TEST(CompileGrowth, OfAChainIsThatOfTheEntriesOfItsMassMatrix) {
  const Cost one = cost_of(chain_of(100)), two = cost_of(chain_of(200));
  EXPECT_LT(two.nodes, 4.0 * one.nodes);
  EXPECT_LT(two.operations, 4.0 * one.operations);
  if (!sanitized) {
    EXPECT_LT(two.allocations, 2.2 * one.allocations);
  }
}

TEST(CompileGrowth, OfSeparateLinksIsTheirNumber) {
  const Cost one = cost_of(pendulums(500)), two = cost_of(pendulums(1000));
  EXPECT_LT(two.nodes, 2.01 * one.nodes);
  EXPECT_LT(two.operations, 2.01 * one.operations);
  if (!sanitized) {
    EXPECT_LT(two.allocations, 2.1 * one.allocations);
  }
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Whoever stops a compilation waits until it asks again, 0.2 s at most: a chain of 800 joints has four times the entries of this one.
// The longest wait was 0.16 s before.
TEST(CompileGrowth, NeverKeepsWhoStopsItWaiting) {
  double longest = 0, last = thread_seconds();
  int asked = 0;
  const Interruption interruption([&] {
    const double now = thread_seconds();
    longest = std::max(longest, now - std::exchange(last, now));
    ++asked;
    return false;
  });
  const Abandonable abandonable;
  const System system(build_model(read_model_text(chain_of(400), "m.yaml")));
  EXPECT_GT(asked, 1000);
  if (!sanitized) {
    EXPECT_LT(longest, 0.05);  // s
  }
}

}  // namespace
}  // namespace armature::internal
