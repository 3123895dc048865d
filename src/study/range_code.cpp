#include "study/range_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "expression/batch.hpp"
#include "expression/c_code.hpp"
#include "expression/program_inputs.hpp"

namespace armature::internal {

namespace {

// The member of EnclosureSlots.
std::string name_of_operation(Op op) {
  switch (op) {
    case Op::add: return "add";
    case Op::sub: return "sub";
    case Op::mul: return "mul";
    case Op::div: return "div";
    case Op::neg: return "neg";
    case Op::kept_above: return "kept_above";
    case Op::kept_below: return "kept_below";
    case Op::select: return "select";
    default: return std::string(function_name(op));
  }
}

// Slots that nothing uses get no number: most inputs are of no interest to a program.
class RangeWriter {
 public:
  RangeWriter(const Program& program, const Layout& layout) : program_(program), layout_(layout) { number_slots(); }

  std::string text(const std::string& name) const {
    std::vector<std::string> entries, held, constants, outputs;
    int time = -1;
    const std::vector<bool> read = inputs_read(program_);
    for (int i = 0; i < static_cast<int>(read.size()); ++i) {
      if (!read[static_cast<std::size_t>(i)]) continue;
      if (i == layout_.t())
        time = number_.at(i);
      else
        (i < layout_.d() ? entries : held).push_back(fmt::format("{{{}, {}}}", i, number_.at(i)));
    }
    const auto add_constant = [&](int slot, double value) {
      if (number_.contains(slot)) constants.push_back(fmt::format("{{{}, {}}}", number_.at(slot), c_number(value)));
    };
    int slot = program_.input_count();
    for (const double value : program_.constants()) add_constant(slot++, value);
    for (const auto& [place, value] : program_.output_constants()) add_constant(place, value);
    for (const int output : program_.output_slots()) outputs.push_back(std::to_string(number_.at(output)));
    std::string code = fmt::format("  struct {} {{\n", name);
    code += fmt::format(
        "    static constexpr int slots = {}, entry_count = {}, held_count = {}, constant_count = {}, time = {};\n",
        number_.size(), entries.size(), held.size(), constants.size(), time);
    code += list("RangePlace", "entries", entries, "{0, 0}") + list("RangePlace", "held", held, "{0, 0}");
    code += list("RangeConstant", "constants", constants, "{0, 0}") + list("int", "output_slots", outputs, "0");
    return code + "    template <class Slots>\n    static void run(Slots& s) {\n      (void)s;\n" + operations() +
           "    }\n  };\n";
  }

 private:
  void number_slots() {
    const auto use = [&](int slot) { number_.try_emplace(slot, static_cast<int>(number_.size())); };
    for_each_operation([&](Op op, const Program::Operation& o) {
      const int operands[] = {o.a, o.b, o.c};
      for (int i = 0; i < operand_count(op); ++i) use(operands[i]);
      use(o.result);
    });
    for (const int output : program_.output_slots()) use(output);
  }

  template <class Action>
  void for_each_operation(const Action& action) const {
    std::size_t at = 0;
    for (const Program::Run& run : program_.runs())
      for (int k = 0; k < run.count; ++k) action(run.op, program_.operations()[at++]);
  }

  std::string operations() const {
    std::string text;
    for_each_operation([&](Op op, const Program::Operation& o) {
      text += fmt::format("      s.{}({}", name_of_operation(op), number_.at(o.result));
      const int operands[] = {o.a, o.b, o.c};
      for (int i = 0; i < operand_count(op); ++i) text += fmt::format(", {}", number_.at(operands[i]));
      text += ");\n";
    });
    return text;
  }

  // Never empty.
  static std::string list(const char* type, const char* name, std::vector<std::string> entries, const char* nothing) {
    if (entries.empty()) entries.emplace_back(nothing);
    return fmt::format("    static constexpr {} {}[] = {{{}}};\n", type, name, fmt::join(entries, ", "));
  }

  const Program& program_;
  const Layout& layout_;
  std::map<int, int> number_;  // of a slot
};

}  // namespace

std::string range_code_refusal(const Program& program) {
  for (const Program::Run& run : program.runs())
    if (run.op == Op::table) return "a table, whose ranges the processor alone follows";
  const std::string foreign = foreign_function(program);
  return foreign.empty() ? "" : foreign + "(), of which a card has other bits than the processor";
}

std::string range_code(const Program& program, const Layout& layout, const std::string& name) {
  return RangeWriter(program, layout).text(name);
}

std::vector<int> entries_read(const Program& program, const Layout& layout) {
  const std::vector<bool> read = inputs_read(program);
  std::vector<int> entries;
  for (int i = layout.q(); i < layout.d(); ++i)
    if (read[static_cast<std::size_t>(i)]) entries.push_back(i - layout.q());
  return entries;
}

}  // namespace armature::internal
