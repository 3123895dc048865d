#include <algorithm>
#include <cctype>
#include <set>

#include "inspect/printing_style.hpp"

namespace armature::internal {

namespace {

const std::set<std::string> greek{"alpha", "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",   "theta",
                                  "kappa", "lambda", "mu",    "nu",    "xi",      "rho",   "sigma", "tau",
                                  "phi",   "chi",    "psi",   "omega", "Gamma",   "Delta", "Theta", "Lambda",
                                  "Xi",    "Sigma",  "Phi",   "Psi",   "Omega"};

// Words of C and Python that a model may use as a name, and arguments of the functions written.
const std::set<std::string> keywords{
    "lambda",   "in",     "is",       "if",        "for",      "as",       "not",    "and",    "or",      "while",
    "int",      "long",   "short",    "double",    "float",    "char",     "const",  "break",  "default", "switch",
    "case",     "do",     "else",     "pass",      "from",     "import",   "with",   "def",    "class",   "del",
    "register", "static", "void",     "positions", "rates",    "inputs",   "result", "sin",    "cos",     "sqrt",
    "auto",     "enum",   "goto",     "extern",    "inline",   "restrict", "return", "signed", "sizeof",  "struct",
    "typedef",  "union",  "unsigned", "volatile",  "continue", "None",     "True",   "False",  "assert",  "async",
    "await",    "elif",   "except",   "finally",   "global",   "nonlocal", "raise",  "try",    "yield",   "equations"};

std::string latex_letter(const std::string& word) {
  if (greek.contains(word)) return "\\" + word;
  return word.size() == 1 ? word : "\\mathrm{" + word + "}";
}

// theta1 -> \theta_{1}, Km -> K_{m}, rod_angle -> \mathrm{rod}_{\mathrm{angle}}
std::string latex_name(std::string name) {
  std::string dots;
  while (!name.empty() && name.back() == '\'') {
    dots += 'd';
    name.pop_back();
  }
  std::replace(name.begin(), name.end(), '.', '_');
  std::size_t split = name.find('_');
  std::size_t next = split + 1;
  if (split == std::string::npos) {
    split = name.find_last_not_of("0123456789") + 1;
    if (split == name.size() && name.size() == 2) split = 1;  // Km, mt
    next = split;
  }
  std::string base = name.substr(0, std::min(split, name.size()));
  std::string index = next < name.size() ? name.substr(next) : "";
  std::replace(index.begin(), index.end(), '_', ',');
  base = latex_letter(base);
  if (!dots.empty()) base = "\\" + dots + "ot{" + base + "}";
  const bool digits = std::all_of(index.begin(), index.end(), [](unsigned char c) { return std::isdigit(c); });
  if (index.empty()) return base;
  return base + "_{" + (digits || index.size() == 1 ? index : "\\mathrm{" + index + "}") + "}";
}

std::string identifier(std::string name) {
  std::string rates;
  while (!name.empty() && name.back() == '\'') {
    rates += "rate_of_";
    name.pop_back();
  }
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) || c == '_' || c > 127; };
  std::ranges::replace_if(
      name, [&](char c) { return !is_letter(static_cast<unsigned char>(c)); }, '_');
  return rates + name;
}

}  // namespace

std::string printed_name(const std::string& name, PrintingStyle style) {
  return style == PrintingStyle::latex ? latex_name(name) : name;
}

std::string called_name(const std::string& function, PrintingStyle style) {
  if (style != PrintingStyle::c && style != PrintingStyle::python) return function;
  if (style == PrintingStyle::c && (function == "max" || function == "min")) return "f" + function;
  const std::size_t end = std::min(function.find('\''), function.size());
  return function.substr(0, end) + (end == function.size() ? "" : "_" + std::to_string(function.size() - end));
}

// Names that are identifiers already keep their spelling; the others get underscores until they are free.
PrintingNames code_names(const std::vector<std::string>& names, const std::set<std::string>& reserved) {
  std::set<std::string> taken = keywords;
  taken.insert(reserved.begin(), reserved.end());
  PrintingNames result;
  for (const std::string& name : names)
    if (identifier(name) == name && taken.insert(name).second) result[name] = name;
  for (const std::string& name : names) {
    if (result.contains(name)) continue;
    std::string free = identifier(name);
    while (!taken.insert(free).second) free += "_";
    result[name] = free;
  }
  return result;
}

}  // namespace armature::internal
