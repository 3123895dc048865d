#include "report/identification_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "identify/combination_words.hpp"
#include "report/markup.hpp"

namespace armature::internal {

namespace {

// Light or dark as the reader's screen; pictures stay on white paper. What is wider than a phone scrolls by itself.
constexpr const char* identification_style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 "
    "1rem;color:#1b1b1b;background:#fff;"
    "color-scheme:light dark;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}"
    "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #8886;overflow-wrap:normal}"
    "th:first-child,td:first-child{text-align:left}.figure{overflow-x:auto;background:#fff;border-radius:6px}"
    ".figure svg{display:block;width:100%;min-width:32rem;height:auto}h2{margin-top:2rem}li.warning{color:#9a3b00}"
    "@media screen and (prefers-color-scheme:dark){body{color:#e4e8ec;background:#14181c}li.warning{color:#ff8a3d}}";

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string table_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return row + "</tr>\n";
}

std::string estimates_table(const IdentifyResult& result) {
  std::string table = "<table>\n" + table_row({"unknown", "initial value", "estimate", "± (95 %)"}, "th");
  for (const Estimate& estimate : result.estimates)
    table +=
        table_row({with_unit(words_of(estimate), estimate.unit), fmt::format("{:.6g}", estimate.first),
                   fmt::format("{:.6g}", estimate.value),
                   std::isfinite(estimate.half_width) ? fmt::format("{:.2g}", estimate.half_width) : "not determined"},
                  "td");
  return table + "</table>\n";
}

std::string residuals_table(const IdentifyResult& result) {
  std::string table =
      "<table>\n" +
      table_row({"column", "values", "RMS of the residuals", "neighbors correlate by", "peak [Hz]"}, "th");
  for (const IdentifyResult::Column& column : result.columns) {
    const ResidualAnalysis& r = column.residuals;
    const std::string record = result.experiments.size() > 1 ? fmt::format(" (record {})", column.experiment + 1) : "";
    table += table_row(
        {with_unit(column.name + record, column.unit), fmt::format("{}", r.count), fmt::format("{:.4g}", r.rms),
         fmt::format("{:.3f}{}", r.neighbor_correlation, r.is_white() ? "" : " (not noise)"),
         fmt::format("{:.3g}", r.peak_frequency)},
        "td");
  }
  return table + "</table>\n";
}

std::string sentences_list(const IdentifyResult& result) {
  std::string list;
  for (const std::string& warning : result.warnings)
    list += fmt::format("<li class=\"warning\">{}</li>\n", escaped(warning));
  for (const std::string& note : result.notes) list += fmt::format("<li>{}</li>\n", escaped(note));
  return list.empty() ? "" : "<ul>\n" + list + "</ul>\n";
}

}  // namespace

plot::Figure identification_figure(const IdentifyResult& result, int experiment) {
  plot::Figure figure;
  figure.x_label = "t [s]";
  figure.width = 640, figure.panel_height = 120;
  const std::vector<double>& t = result.experiments[static_cast<std::size_t>(experiment)].t;
  for (const IdentifyResult::Column& column : result.columns) {
    if (column.experiment != experiment) continue;
    plot::Panel panel;
    panel.label = with_unit(column.name, column.unit);
    panel.curves.push_back({"measured", t, column.measured, 0, 0});
    panel.curves.push_back({"simulated", t, column.simulated, 1, 1});
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

std::string identification_page(const IdentifyResult& result, const Model& model) {
  std::string body = fmt::format("<h1>{}: identify</h1>\n<p>{}</p>\n", escaped(model.name), escaped(result.sentence));
  body += sentences_list(result) + "<h2>Estimates</h2>\n" + estimates_table(result) + "<h2>Residuals</h2>\n" +
          residuals_table(result);
  for (std::size_t k = 0; k < result.experiments.size(); ++k) {
    const plot::Figure figure = identification_figure(result, static_cast<int>(k));
    if (!figure.panels.empty())
      body += fmt::format(
          "<h2>{0}</h2>\n<div class=\"figure\" role=\"img\" aria-label=\"measured and simulated columns of "
          "{0}\">{1}</div>\n",
          escaped(result.experiments[k].file), to_svg(drawing_of(figure)));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>{}: identify – "
      "Armature</title>\n<style>{}</style></head>\n"
      "<body>\n{}</body></html>\n",
      escaped(model.name), identification_style, body);
}

}  // namespace armature::internal
