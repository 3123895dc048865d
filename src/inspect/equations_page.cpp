// Pages of text and LaTeX.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "inspect/code_text.hpp"
#include "inspect/equations.hpp"

namespace armature::internal {

namespace {

bool all_zero(const std::vector<PrintingSum>& entries) {
  return std::all_of(entries.begin(), entries.end(), [](const PrintingSum& entry) { return entry.empty(); });
}

// Tables as the polynomials of their pieces, by lines that begin with `margin`.
std::string table_lines(const PrintingAlgebra& algebra, const std::string& margin) {
  std::string text;
  for (const auto& [number, table] : algebra.tables()) {
    const std::string beyond = table->repeat ? "repeats itself" : table->hold ? "keeps its end values" : "goes on";
    text += fmt::format("\n{}table{}(x) {} beyond {:.9g} and {:.9g}; between,\n", margin, number, beyond,
                        table->knots.front(), table->knots.back());
    for (std::size_t i = 0; i < table->coefficients.size(); ++i) {
      std::string sum;
      for (std::size_t k = 0; k < table->coefficients[i].size(); ++k)
        if (const double c = table->coefficients[i][k]; c != 0)
          sum += fmt::format("{}{:.9g}{}", sum.empty() ? "" : " + ", c,
                             k == 0   ? ""
                             : k == 1 ? "*s"
                                      : fmt::format("*s^{}", k));
      text += fmt::format("{}  from {:.9g}: {} with s = x - {:.9g}\n", margin, table->knots[i], sum.empty() ? "0" : sum,
                          table->knots[i]);
    }
  }
  return text;
}

// Entries that are not zero, one per line; a symmetric matrix by its lower triangle.
class TextPage {
 public:
  explicit TextPage(const PrintedEquations& equations) : e_(equations), n_(equations.rates.size()) {}

  std::string page() {
    text_ = fmt::format("{}\n\n  {}\n\n", e_.name, form());
    list("q", e_.coordinates);
    list("v", e_.rates);
    if (!e_.inputs.empty()) list("u", e_.inputs);
    matrix("M", e_.M, n_, true);
    matrix("C", e_.C, n_, false);
    matrix("D", e_.D, n_, true);
    matrix("K", e_.K, n_, true);
    matrix("g", e_.g, 1, false);
    matrix("B", e_.B, e_.inputs.size(), false);
    matrix("Q", e_.Q, 1, false);
    matrix("phi", e_.phi, 1, false);
    matrix("Phi", e_.Phi, n_, false);
    matrix("gamma", e_.gamma, 1, false);
    text_ += table_lines(e_.algebra, "");
    if (!e_.zdot.empty()) text_ += "\n";
    for (std::size_t i = 0; i < e_.zdot.size(); ++i)
      text_ += fmt::format("{}' = {}\n", e_.states[i], printed(e_.zdot[i], e_.algebra, PrintingStyle::text));
    return text_;
  }

 private:
  std::string form() const {
    std::string left = "M v'";
    for (const auto& [name, entries] :
         {std::pair{" + C v", &e_.C}, {" + D v", &e_.D}, {" + K q", &e_.K}, {" + g", &e_.g}})
      if (!all_zero(*entries)) left += name;
    std::string right = all_zero(e_.B) ? "" : "B u";
    if (!all_zero(e_.Q)) right += right.empty() ? "Q" : " + Q";
    if (!e_.rows.empty())
      right +=
          right.empty() ? "-Phi' lambda,   phi = 0,   Phi v' = gamma" : " - Phi' lambda,   phi = 0,   Phi v' = gamma";
    return left + " = " + (right.empty() ? "0" : right);
  }

  void list(const std::string& name, const std::vector<std::string>& names) {
    text_ += fmt::format("{} = [{}]\n", name, fmt::join(names, ", "));
  }

  void matrix(const std::string& name, const std::vector<PrintingSum>& entries, std::size_t columns, bool symmetric) {
    if (entries.empty()) return;
    if (all_zero(entries)) {
      text_ += fmt::format("\n{} = 0\n", name);
      return;
    }
    text_ += "\n";
    const std::size_t rows = entries.size() / columns;
    symmetric = symmetric && is_symmetric(entries, columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < (symmetric ? i + 1 : columns); ++j) {
        const PrintingSum& entry = entries[i * columns + j];
        if (entry.empty()) continue;
        const std::string value = printed(entry, e_.algebra, PrintingStyle::text);
        if (columns == 1)
          text_ += fmt::format("{}[{}] = {}\n", name, i + 1, value);
        else if (symmetric && i != j)
          text_ += fmt::format("{0}[{1},{2}] = {0}[{2},{1}] = {3}\n", name, j + 1, i + 1, value);
        else
          text_ += fmt::format("{}[{},{}] = {}\n", name, i + 1, j + 1, value);
      }
  }

  static bool is_symmetric(const std::vector<PrintingSum>& entries, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!(entries[i * n + j] == entries[j * n + i])) return false;
    return true;
  }

  const PrintedEquations& e_;
  std::size_t n_;
  std::string text_;
};

std::string latex_matrix(const std::string& name, const std::vector<PrintingSum>& entries, std::size_t columns,
                         const PrintingAlgebra& algebra) {
  if (entries.empty()) return "";
  if (all_zero(entries)) return fmt::format("{} &= \\mathbf{{0}} \\\\\n", name);
  std::string text = fmt::format("{} &= \\begin{{bmatrix}}\n", name);
  for (std::size_t i = 0; i < entries.size(); ++i)
    text += printed(entries[i], algebra, PrintingStyle::latex) + ((i + 1) % columns == 0 ? " \\\\\n" : " & ");
  return text + "\\end{bmatrix} \\\\\n";
}

std::string latex_names(const std::string& name, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : " & ") + printed_name(each, PrintingStyle::latex);
  return names.empty() ? "" : fmt::format("{} &= \\begin{{bmatrix}} {} \\end{{bmatrix}}^T \\\\\n", name, text);
}

}  // namespace

std::string equations_text(const PrintedEquations& equations) { return TextPage(equations).page(); }

std::string equations_latex(const PrintedEquations& e) {
  const std::size_t n = e.rates.size();
  std::string text = fmt::format(
      "% {}\n% M v' + C v + D v + K q + g = B u + Q - Phi^T lambda,  phi = 0,  Phi v' = gamma\n\\begin{{align*}}\n",
      one_line(e.name));
  text += latex_names("\\mathbf{q}", e.coordinates) + latex_names("\\mathbf{u}", e.inputs);
  const auto matrix = [&](const char* name, const std::vector<PrintingSum>& entries, std::size_t columns) {
    text += latex_matrix(name, entries, columns, e.algebra);
  };
  matrix("\\mathbf{M}", e.M, n);
  matrix("\\mathbf{C}", e.C, n);
  matrix("\\mathbf{D}", e.D, n);
  matrix("\\mathbf{K}", e.K, n);
  matrix("\\mathbf{g}", e.g, 1);
  matrix("\\mathbf{B}", e.B, e.inputs.size());
  if (!all_zero(e.Q)) matrix("\\mathbf{Q}", e.Q, 1);
  matrix("\\boldsymbol{\\phi}", e.phi, 1);
  matrix("\\boldsymbol{\\Phi}", e.Phi, n);
  matrix("\\boldsymbol{\\gamma}", e.gamma, 1);
  for (std::size_t i = 0; i < e.zdot.size(); ++i)
    text += fmt::format("{} &= {} \\\\\n", printed_name(e.states[i] + "'", PrintingStyle::latex),
                        printed(e.zdot[i], e.algebra, PrintingStyle::latex));
  return text + "\\end{align*}\n" + table_lines(e.algebra, "% ");
}

}  // namespace armature::internal
