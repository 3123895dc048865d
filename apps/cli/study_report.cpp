#include "study_report.hpp"

#include <nlohmann/json.hpp>

#include "report/study_picture.hpp"
#include "report_page.hpp"
#include "run_command.hpp"

namespace armature::internal::cli {

bool write_study_report(const std::filesystem::path& folder, const StudyArguments& arguments, const Model& model,
                        const nlohmann::ordered_json& result, const std::function<StudyDocument()>& document) {
  return !arguments.no_report && write_report(folder, Page::study, arguments.model.json, [&] {
    StudyDocument filled = document();
    filled.status = result["status"], filled.sentence = result["sentence"];
    std::vector<std::string> names;
    for (const StudyVariable& variable : filled.variables) names.push_back(variable.name);
    for (const StudyVariable& variable : filled.design) names.push_back(variable.name);
    filled.command = filled.has_command ? shared_command(arguments, model, names) + filled.command : "";
    filled.cards.push_back(method_card(model.simulate, arguments.model.settings()));
    return to_json(filled, model);
  });
}

}  // namespace armature::internal::cli
