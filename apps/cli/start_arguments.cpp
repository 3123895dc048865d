#include "start_arguments.hpp"

#include "model_arguments.hpp"

namespace armature::internal::cli {

void StartArguments::add_to(CLI::App& verb, bool with_from) {
  auto* branch_option =
      verb.add_option("--branch", branch,
                      "start on this assembly branch, by its number in 'armature assemble FILE --all'")
          ->type_name("N")
          ->check(positive);
  if (with_from)
    verb.add_option("--from", from, "start from the last state of the run in this folder")
        ->type_name("RUN")
        ->excludes(branch_option);
}

}  // namespace armature::internal::cli
