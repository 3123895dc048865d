// The matrices as a function in C or Python. Names of the model are variables in it, and give way to those of the function's own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "expression/c_code.hpp"
#include "inspect/code_text.hpp"
#include "inspect/equations.hpp"

namespace armature::internal {

namespace {

struct Matrix {
  const char* name;
  const std::vector<PrintingSum>* entries;
  std::size_t columns;
};

std::vector<Matrix> matrices(const PrintedEquations& e) {
  const std::size_t n = e.rates.size();
  std::vector<Matrix> list;
  for (const Matrix& matrix : {Matrix{"M", &e.M, n},
                               {"C", &e.C, n},
                               {"D", &e.D, n},
                               {"K", &e.K, n},
                               {"g", &e.g, 1},
                               {"B", &e.B, e.inputs.size()},
                               {"Q", &e.Q, 1},
                               {"phi", &e.phi, 1},
                               {"Phi", &e.Phi, n},
                               {"gamma", &e.gamma, 1}})
    if (!matrix.entries->empty()) list.push_back(matrix);
  return list;
}

constexpr const char* form = "M v' + C v + D v + K q + g = B u + Q - Phi' lambda,  phi = 0,  Phi v' = gamma";

// Currents and the like, which are states of their own, inputs, and what is held.
std::vector<std::string> further_names(const PrintedEquations& e) {
  std::vector<std::string> names;
  for (const auto* list : {&e.states, &e.inputs, &e.held})
    for (const std::string& name : *list)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

// Names of the model in the code, where those of the function, its arguments and what it calls are taken.
PrintingNames identifiers_of(const PrintedEquations& e) {
  std::vector<std::string> names = e.coordinates;
  names.insert(names.end(), e.rates.begin(), e.rates.end());
  for (const auto& [name, value] : e.parameters) names.push_back(name);
  for (const std::string& name : further_names(e)) names.push_back(name);
  std::set<std::string> reserved{"t", "pow", "look_up", "bisect_right"};
  for (const auto& [number, table] : e.algebra.tables()) reserved.insert(fmt::format("table{}_data", number));
  for (const Matrix& matrix : matrices(e)) reserved.insert(fmt::format("{}_out", matrix.name));
  std::vector<std::string> times;
  for (int k = 0; k < e.algebra.size(); ++k) {
    const PrintingSymbol& symbol = e.algebra[k];
    if (symbol.kind == PrintingSymbol::Kind::call)
      for (const PrintingStyle style : {PrintingStyle::c, PrintingStyle::python})
        reserved.insert(called_name(symbol.name, style));
    else
      (symbol.kind == PrintingSymbol::Kind::time ? times : names).push_back(symbol.name);
  }
  PrintingNames result = code_names(names, reserved);
  for (const std::string& time : times) result[time] = "t";
  return result;
}

// A look-up of a table, or of one of its derivatives: table0''(x).
struct TableCall {
  int table, derivative;
  std::string name;
};

std::vector<TableCall> table_calls(const PrintedEquations& e) {
  std::map<std::string, TableCall> calls;  // a symbol for every argument
  for (int k = 0; k < e.algebra.size(); ++k) {
    const PrintingSymbol& symbol = e.algebra[k];
    if (symbol.kind != PrintingSymbol::Kind::call) continue;
    for (const auto& [number, table] : e.algebra.tables()) {
      const std::string name = fmt::format("table{}", number),
                        end = symbol.name.substr(std::min(name.size(), symbol.name.size()));
      if (symbol.name.starts_with(name) && end.find_first_not_of('\'') == std::string::npos)
        calls[symbol.name] = {number, static_cast<int>(end.size()), called_name(symbol.name, PrintingStyle::c)};
    }
  }
  std::vector<TableCall> list;
  for (const auto& [name, call] : calls) list.push_back(call);
  return list;
}

std::string c_tables(const PrintedEquations& e) {
  std::string text;
  for (const auto& [number, table] : e.algebra.tables())
    text += c_table(*table, fmt::format("table{}_data", number)) + "\n";
  for (const TableCall& call : table_calls(e))
    text += fmt::format("static double {}(double x) {{ return armature_table(&table{}_data, {}, x); }}\n\n", call.name,
                        call.table, call.derivative);
  return c_code_preamble(text) + text;
}

constexpr std::string_view python_look_up = R"(def look_up(knots, pieces, ends, derivative, x):
    """piecewise polynomial: on [knots[i], knots[i+1]] the sum of pieces[i][k] (x - knots[i])**k"""
    first, last = knots[0], knots[-1]
    if ends == "repeat":
        x = min(max(x - floor((x - first) / (last - first)) * (last - first), first), last)
    elif ends == "hold" and not first <= x <= last:
        if derivative > 0:
            return 0.0
        x = min(max(x, first), last)
    i = min(max(bisect_right(knots, x) - 1, 0), len(pieces) - 1)
    coefficients = pieces[i]
    for _ in range(derivative):
        coefficients = [k * coefficients[k] for k in range(1, len(coefficients))]
    value = 0.0
    for coefficient in reversed(coefficients):
        value = value * (x - knots[i]) + coefficient
    return value


)";

std::string python_tables(const PrintedEquations& e) {
  if (e.algebra.tables().empty()) return "";
  std::string text(python_look_up);
  for (const auto& [number, table] : e.algebra.tables()) {
    text += fmt::format("table{}_data = (\n    [{:.17g}],\n    [\n", number, fmt::join(table->knots, ", "));
    for (const auto& piece : table->coefficients) text += fmt::format("        [{:.17g}],\n", fmt::join(piece, ", "));
    text += fmt::format("    ],\n    \"{}\",\n)\n\n\n", table->repeat ? "repeat" : table->hold ? "hold" : "go on");
  }
  for (const TableCall& call : table_calls(e))
    text += fmt::format("def {}(x):\n    return look_up(*table{}_data, {}, x)\n\n\n", call.name, call.table,
                        call.derivative);
  return text;
}

std::string c_function(const PrintedEquations& e) {
  const PrintingNames known = identifiers_of(e);
  std::string text = fmt::format("/* {}: {} */\n#include <math.h>\n\n", c_comment_text(e.name), form) + c_tables(e);
  text += fmt::format(
      "void equations(double t, const double *positions, const double *rates, const "
      "double *inputs");
  for (const Matrix& matrix : matrices(e)) text += fmt::format(",\n               double *{}_out", matrix.name);
  text += ") {\n";
  for (const auto& [name, value] : e.parameters)
    text += fmt::format("  const double {} = {:.17g};\n", known.at(name), value);
  const auto unpack = [&](const std::vector<std::string>& names, const char* array) {
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("  const double {} = {}[{}];\n", known.at(names[i]), array, i);
  };
  unpack(e.coordinates, "positions");
  unpack(e.rates, "rates");
  unpack(further_names(e), "inputs");
  for (const Matrix& matrix : matrices(e)) {
    text += fmt::format("  /* {}: {} x {}, row by row */\n", matrix.name, matrix.entries->size() / matrix.columns,
                        matrix.columns);
    for (std::size_t i = 0; i < matrix.entries->size(); ++i)
      text += fmt::format("  {}_out[{}] = {};\n", matrix.name, i,
                          printed((*matrix.entries)[i], e.algebra, PrintingStyle::c, known));
  }
  return text + "}\n";
}

std::string python_function(const PrintedEquations& e) {
  const PrintingNames known = identifiers_of(e);
  std::string text = "from math import *\n";
  if (!e.algebra.tables().empty()) text += "from bisect import bisect_right\n";
  text += "\n\n" + python_tables(e);
  text += fmt::format("def equations(t, positions, rates, inputs=()):\n    \"\"\"{}: {}\"\"\"\n",
                      python_string_text(e.name), form);
  for (const auto& [name, value] : e.parameters) text += fmt::format("    {} = {:.17g}\n", known.at(name), value);
  const auto unpack = [&](const std::vector<std::string>& names, const char* array) {
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("    {} = {}[{}]\n", known.at(names[i]), array, i);
  };
  unpack(e.coordinates, "positions");
  unpack(e.rates, "rates");
  unpack(further_names(e), "inputs");
  text += "    result = {}\n";
  for (const Matrix& matrix : matrices(e)) {
    text += fmt::format("    result[\"{}\"] = [\n", matrix.name);
    for (std::size_t i = 0; i < matrix.entries->size(); ++i) {
      const bool first = matrix.columns > 1 && i % matrix.columns == 0,
                 last = matrix.columns > 1 && (i + 1) % matrix.columns == 0;
      text += fmt::format("        {}{}{},\n", first ? "[" : " ",
                          printed((*matrix.entries)[i], e.algebra, PrintingStyle::python, known), last ? "]" : "");
    }
    text += "    ]\n";
  }
  return text + "    return result\n";
}

}  // namespace

std::string equations_code(const PrintedEquations& equations, PrintingStyle language) {
  return language == PrintingStyle::python ? python_function(equations) : c_function(equations);
}

}  // namespace armature::internal
