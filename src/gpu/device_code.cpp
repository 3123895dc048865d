#include "gpu/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/c_code.hpp"
#include "expression/program_inputs.hpp"
#include "gpu/single_precision.hpp"
#include "inspect/export_c.hpp"
#include "integrate/integrator.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

// What the compilers call differently. The functions have versions for double and for single precision.
constexpr std::string_view unit_begin = R"(#ifdef __CUDACC_RTC__
#define __builtin_fabs fabs
#define __builtin_sqrt sqrt
#define __builtin_floor floor
#define __builtin_memcpy memcpy
#ifdef ARMATURE_SINGLE
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#else
#define INFINITY __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define NAN __builtin_bit_cast(double, 0x7ff8000000000000LL)
#endif
#define __builtin_huge_val() INFINITY
#define BITS(x) ((Bits)__double_as_longlong(x))
#define NUMBERS(x) __longlong_as_double((long long)(x))
#define FORMULA inline
#define ARMATURE_ROLLED _Pragma("unroll 1")
#define MODEL_INLINED static __forceinline__
#define MODEL_CALLED static __noinline__
inline bool& missed() {
  __shared__ bool flags[MOTION_BLOCK];
  return flags[threadIdx.x];
}
#else
#include <math.h>
#ifdef ARMATURE_SINGLE
#define __builtin_fabs __builtin_fabsf
#define __builtin_sqrt __builtin_sqrtf
#define __builtin_floor __builtin_floorf
#define __builtin_huge_val __builtin_huge_valf
#endif
#define ARMATURE_SCALAR
#define BITS(x) __builtin_bit_cast(Bits, x)
#define NUMBERS(x) __builtin_bit_cast(double, x)
#define FORMULA static inline __attribute__((unused))
#define ARMATURE_ROLLED
#define MODEL_INLINED static inline
#define MODEL_CALLED static __attribute__((noinline))
static bool& missed() {
  static thread_local bool flag;
  return flag;
}
#endif
#define NOT_A_NUMBER NAN
/* the processor would ask the C library here: the motion leaves */
inline void out_of_reach() { missed() = true; }

)";

constexpr std::string_view unit_end = R"(
#ifdef __CUDACC_RTC__
extern "C" __device__ const unsigned long long armature_slot_size = sizeof(MotionSlot<UnitMotion>);
extern "C" __global__ void __launch_bounds__(MOTION_BLOCK, MOTION_BLOCKS) armature_motions(MotionCall call) {
  UnitPlant::take_out_of_reach();
  run_motions<UnitMotion>(call, blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x,
                          [](unsigned long long* counter) { return atomicAdd(counter, 1ULL); }, [] { __syncwarp(); });
}
#else
extern "C" const unsigned long long armature_slot_size = sizeof(MotionSlot<UnitMotion>);
extern "C" void armature_motions(const MotionCall* call, long long thread) {
  UnitPlant::take_out_of_reach();
  run_motions<UnitMotion>(*call, thread, [](unsigned long long* counter) { return (*counter)++; }, [] {});
}
#endif
)";

// Outcomes of comparisons between steps are those of the last evaluation, which a card does not keep.
bool follows_comparisons(const System& system) {
  const Layout& n = system.layout();
  if (n.nw == 0 || std::ranges::none_of(system.equations().discrete, &Discrete::follows_steps)) return false;
  const std::vector<bool> read = inputs_read(*system.program(Kernel::discrete));
  return std::any_of(read.begin() + n.w(), read.begin() + n.w() + n.nw, [](bool is_read) { return is_read; });
}

// Loops of the headers stay loops: the step of a study is long, and several times as long with all of them written out, which takes
// time to compile and to fetch.
std::string with_rolled_loops(std::string_view headers) {
  std::string text;
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find('\n') + 1);
    const std::size_t first = line.find_first_not_of(' ');
    const bool is_loop = first != line.npos && line.substr(first).starts_with("for (");
    text +=
        is_loop ? std::string(first, ' ') + "ARMATURE_ROLLED " + std::string(line.substr(first)) : std::string(line);
    headers.remove_prefix(line.empty() ? headers.size() : line.size());
  }
  return text;
}

}  // namespace

std::string motion_refusal(const Prepared& prepared) {
  const System& system = *prepared.system;
  const RunOptions& options = prepared.options;
  if (!system.options().traced_solve) return "the model is too large, or has no equations of motion that are traced";
  if (options.formulation != "auto")
    return fmt::format("formulation {} runs on the processor alone", options.formulation);
  if (!method_of(options.integrator).lanes())
    return fmt::format("{} is not an explicit Runge-Kutta method", options.integrator);
  if (options.post_adjust) return "post_adjust runs on the processor alone";
  if (follows_comparisons(system)) return "angles of cut joints depend on comparisons";
  return "";
}

std::string device_refusal(const Prepared& prepared) {
  if (const std::string refusal = motion_refusal(prepared); !refusal.empty()) return refusal;
  const System& system = *prepared.system;
  if (!system.equations().contacts.empty())
    return "the model has rigid contacts, whose impacts the processor alone computes";
  if (std::ranges::any_of(system.equations().discrete, [](const Discrete& value) { return value.period > 0; }))
    return "the model has sampled values";
  if (std::ranges::count(prepared.start.comparisons, ComparisonStatus::sliding) > 0)
    return "something sticks at the start";
  return "";
}

std::string foreign_refusal(const std::string& what, const std::string& function) {
  return fmt::format(
      "{} call {}(), of which a card has other bits than the processor; --gpu=fast (in Python gpu=\"fast\") takes them",
      what, function);
}

std::string device_code(const Prepared& prepared, const MotionCode& code, Arithmetic arithmetic) {
  const UnitCode model = export_unit(prepared);
  if (!model.foreign.empty() && arithmetic == Arithmetic::exact)
    throw RequestError("gpu", foreign_refusal("the model's equations", model.foreign) +
                                  ", and without this option the processor computes it");
  return device_unit(code, code.programs + model.text, "Plant",
                     fmt::format("  static constexpr int np = {};\n{}", prepared.system->layout().np, code.members),
                     true, arithmetic);
}

std::string device_unit(const MotionCode& code, const std::string& model, const std::string& plant,
                        const std::string& members, bool inlined, Arithmetic arithmetic) {
  const bool single = arithmetic == Arithmetic::single;
  std::string begin = fmt::format("#define MOTION_BLOCK {}\n#define MOTION_BLOCKS {}\n#define MODEL_KERNEL {}\n",
                                  motion_block, motion_blocks, inlined ? "MODEL_INLINED" : "MODEL_CALLED");
  if (single) begin += "#define ARMATURE_SINGLE\ntypedef double ARMATURE_WIDE;\n";
  begin += unit_begin;
  std::string unit = inlined ? std::string(code.headers) : with_rolled_loops(code.headers);
  unit += single ? single_code_preamble() : device_code_preamble();
  unit += model;
  unit += fmt::format(
      "\nnamespace {{\n\nstruct UnitPlant : {} {{\n{}"
      "  static bool take_out_of_reach() {{\n    const bool was = missed();\n    missed() = false;\n    return was;\n  "
      "}}\n}};\nusing UnitMotion = {}<UnitPlant>;\n\n}}  // namespace\n",
      plant, members, code.motion);
  unit += unit_end;
  return begin + (single ? in_single_precision(unit) : unit);
}

}  // namespace armature::internal
