#include "run_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/study_document.hpp"

namespace armature::internal::cli {

std::string quoted_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_./=+-:").find(char(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string word = "'";
  for (char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shared_command(const StudyArguments& arguments, const Model& model, const std::vector<std::string>& names) {
  std::vector<std::string> varied;
  for (const std::string& name : names) varied.push_back(study_variable(model, name).setting);
  std::string command = (arguments.inverse ? "armature inverse " : "armature run ") + quoted_word(arguments.model.file);
  if (!arguments.model.root.empty()) command += " --root " + quoted_word(arguments.model.root);
  for (const auto& [name, formula] : arguments.model.settings())
    if (std::ranges::find(varied, name) == varied.end()) command += " --set " + quoted_word(name + "=" + formula);
  for (const auto& [option, value] : arguments.simulate.given())
    if (!arguments.inverse || option == "--end" || option == "--record")
      command += " " + option + " " + quoted_word(value);
  if (arguments.simulate.accept_drift && !arguments.inverse) command += " --accept-drift";
  return command;
}

std::string result_option(const std::string& name_and_formula) { return " --result " + quoted_word(name_and_formula); }

std::string point_settings(const Model& model, const std::vector<std::string>& names,
                           const std::vector<double>& point) {
  std::string line;
  for (std::size_t d = 0; d < names.size(); ++d)
    line += fmt::format("{}--set {}", d > 0 ? " " : "",
                        quoted_word(fmt::format("{}={}", study_variable(model, names[d]).setting, point[d])));
  return line;
}

std::string command_pattern(const StudyArguments& arguments, const Model& model,
                            const std::vector<std::string>& names) {
  std::string command = shared_command(arguments, model, names);
  for (const std::string& name : names) {
    const std::string setting = study_variable(model, name).setting;
    const char* quote =
        setting.find('[') != std::string::npos ? "'" : "";  // a shell would take [1] for a pattern of files
    command += fmt::format(" --set {}{}={{{}}}{}", quote, setting, name, quote);
  }
  return command;
}

}  // namespace armature::internal::cli
