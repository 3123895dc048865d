#include "study_report.hpp"

#include <fmt/format.h>

#include "report_page.hpp"
#include "run_command.hpp"

namespace armature::internal::cli {

std::vector<StudyLevel> grid_levels(const std::vector<Axis>& axes, int finest) {
  std::vector<StudyLevel> levels;
  for (int level = 0; level <= finest; ++level) {
    StudyLevel size;
    for (const Axis& axis : axes) {
      size.origin.push_back(std::min(axis.from, axis.to));
      size.spacing.push_back(axis.count > 1 ? std::abs(axis.to - axis.from) / (axis.count - 1) / (1L << level) : 0);
    }
    levels.push_back(size);
  }
  return levels;
}

StudyCard method_card(const SimulateOptions& options, const Settings& settings) {
  StudyCard card{"Method", {}, {{"integrator", options.integrator}, {"formulation", options.formulation}}};
  if (options.alpha && options.beta)
    card.rows.push_back(
        {"stabilization", fmt::format("Baumgarte, alpha {:g}/s, beta {:g}/s²", *options.alpha, *options.beta)});
  else
    card.rows.push_back({"stabilization", options.projection    ? "projection"
                                          : options.post_adjust ? "post-adjusting"
                                                                : "none"});
  card.rows.push_back({"end", fmt::format("{:g} s", options.end)});
  if (options.step) card.rows.push_back({"step", fmt::format("{:g} s", *options.step)});
  if (options.rtol) card.rows.push_back({"relative tolerance", fmt::format("{:g}", *options.rtol)});
  for (const auto& [name, formula] : settings) card.rows.push_back({"--set " + name, formula});
  return card;
}

bool write_study_report(const std::filesystem::path& folder, const StudyArguments& arguments, const Model& model,
                        const nlohmann::ordered_json& result, const std::function<StudyDocument()>& document) {
  return !arguments.no_report && write_report(folder, Page::study, arguments.model.json, [&] {
    StudyDocument filled = document();
    filled.status = result["status"], filled.sentence = result["sentence"];
    std::vector<std::string> names;
    for (const StudyVariable& variable : filled.variables) names.push_back(variable.name);
    filled.command = shared_command(arguments, model, names);
    filled.cards.push_back(method_card(model.simulate, arguments.model.settings()));
    return to_json(filled, model);
  });
}

}  // namespace armature::internal::cli
