#include "gpu_arguments.hpp"

#include <fmt/format.h>

#include "gpu/card.hpp"
#include "model/counted.hpp"
#include "terminal.hpp"

namespace armature::internal::cli {

// The driver starts as soon as the option is read.
void GpuArguments::add_to(CLI::App& verb) {
  verb.add_flag(
          "--gpu", mode_,
          "compute on NVIDIA GPUs, with results bit-identical to the CPU; --gpu=fast uses fused operations and "
          "the GPU's own functions, and the last digits differ; --gpu=preview computes in single precision, to about "
          "four digits")
      ->type_name("[=fast|preview]")
      ->check(CLI::Validator([](std::string& mode) { return checked(mode); }, ""));
}

std::string GpuArguments::checked(const std::string& mode) {
  if (mode != "true" && mode != "fast" && mode != "preview")
    return fmt::format("'{}' is unknown; write --gpu, --gpu=fast or --gpu=preview", mode);
  start_driver();
  return "";
}

Cards GpuArguments::cards() const {
  if (mode_.empty()) return {};
  return {open_cards(), mode_ == "fast"      ? Arithmetic::fast
                        : mode_ == "preview" ? Arithmetic::single
                                             : Arithmetic::exact};
}

void print_shares(const Cards& cards, const CardShares& shares, const char* what) {
  if (cards.empty()) return;
  std::string text = fmt::format("the GPU computed {}", counted(shares.computed, what));
  if (shares.helped > 0) text += fmt::format(", the processor {} beside it", shares.helped);
  if (shares.left > 0)
    text += fmt::format("; {} left the GPU and {} computed by the processor", shares.left,
                        shares.left == 1 ? "was" : "were");
  if (cards.arithmetic == Arithmetic::fast)
    text += "; with fused operations, so the last digits differ from those of the CPU";
  if (cards.arithmetic == Arithmetic::single)
    text += "; this is a preview in single precision, with about four correct digits";
  print_note(text);
}

}  // namespace armature::internal::cli
