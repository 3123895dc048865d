#include "expression/wasm_code.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>

#include "expression/batch.hpp"
#include "expression/straight_line.hpp"

namespace armature::internal {

namespace {

// ---- the binary format

enum Code : unsigned char {
  if_f64 = 0x04,  // followed by the type of its result
  else_ = 0x05,
  end = 0x0b,
  call = 0x10,
  select_ = 0x1b,
  local_get = 0x20,
  local_set = 0x21,
  local_tee = 0x22,
  global_get = 0x23,
  f64_load = 0x2b,
  f64_store = 0x39,
  i32_const = 0x41,
  f64_const = 0x44,
  f64_eq = 0x61,
  f64_lt = 0x63,
  f64_gt = 0x64,
  i32_add = 0x6a,
  f64_neg = 0x9a,
  f64_sqrt = 0x9f,
  f64_add = 0xa0,
  f64_sub = 0xa1,
  f64_mul = 0xa2,
  f64_div = 0xa3,
};
constexpr char type_i32 = 0x7f, type_f64 = 0x7c;

void append_unsigned(std::string& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
void append_signed(std::string& out, std::int32_t value) {
  for (; value < -64 || value > 63; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value & 0x7f);
}
void append_number(std::string& out, double value) {
  char bytes[sizeof value];  // little-endian, as this machine
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}
void append_name(std::string& out, const std::string& name) {
  append_unsigned(out, static_cast<std::uint32_t>(name.size()));
  out += name;
}
void append_section(std::string& out, char id, const std::string& content) {
  out += id;
  append_unsigned(out, static_cast<std::uint32_t>(content.size()));
  out += content;
}

// ---- what the module imports: functions by number, before its own

struct Import {
  const char *module, *name;
  int type;
};
enum Type { kernel_function, to_memory, of_one, of_two, of_table };
constexpr std::array imports = {
    Import{"kernel", "sin_cos", to_memory}, Import{"kernel", "exp", of_one}, Import{"kernel", "atan2", of_two},
    Import{"kernel", "table", of_table},    Import{"math", "tan", of_one},   Import{"math", "asin", of_one},
    Import{"math", "acos", of_one},         Import{"math", "atan", of_one},  Import{"math", "sinh", of_one},
    Import{"math", "cosh", of_one},         Import{"math", "tanh", of_one},  Import{"math", "log", of_one},
    Import{"math", "pow", of_two},
};

int import_of(Op op) {
  const std::string name = op == Op::sin || op == Op::cos ? "sin_cos" : function_name(op);
  for (std::size_t k = 0; k < imports.size(); ++k)
    if (name == imports[k].name) return static_cast<int>(k);
  return -1;
}

// ---- one function

// A value that is used once is written where it is used; all others go into locals, which are taken again after their last use.
class FunctionWriter {
 public:
  FunctionWriter(const Program& program, const std::vector<int>& tables)
      : line_(program),
        tables_(tables),
        uses_(line_.values.size()),
        kept_(line_.values.size()),
        depth_(line_.values.size()),
        defined_(line_.values.size()) {
    count_uses();
    for_each_value([&](int value) {
      if (kept_[value] || uses_[value] > 1) write_definition(value);
    });
    for (std::size_t k = 0; k < line_.outputs.size(); ++k) {
      add(local_get, out_argument);
      use(line_.outputs[k]);
      add_memory(f64_store, 8 * static_cast<int>(k));
    }
    add(end);
  }

  std::string body() const {
    std::string code;
    const int locals = assign_locals(code);
    std::string text;
    append_unsigned(text, 1);  // one group of locals
    append_unsigned(text, static_cast<std::uint32_t>(locals));
    text += type_f64;
    text += code;
    std::string sized;
    append_unsigned(sized, static_cast<std::uint32_t>(text.size()));
    return sized + text;
  }

 private:
  static constexpr int in_argument = 0, out_argument = 1, arguments = 2;
  static constexpr int deepest = 100;  // of what is written within one expression
  static constexpr int many_uses = 3;  // of a constant, which takes nine bytes

  // Bytes as they are, or a value's local: read, set, or set and read.
  struct Piece {
    enum Kind { bytes, get, set, tee } kind;
    std::string text;
    int value = -1;
  };

  void count_uses() {
    for_each_value([&](int value) {
      const Op op = line_.values[value].op;
      line_.for_operands(value, [&](int operand) { ++uses_[operand]; });
      if (names_operands(op)) line_.for_operands(value, [&](int operand) { kept_[operand] = true; });
      if (StraightLine::is_call(op)) kept_[value] = true;
      if (op == Op::sin || op == Op::cos) turns_[line_.values[value].a].push_back(value);
    });
    for (const int output : line_.outputs) ++uses_[output];
    for_each_value([&](int value) {
      line_.for_operands(value, [&](int operand) {
        if (!kept_[operand] && uses_[operand] == 1) depth_[value] = std::max(depth_[value], depth_[operand] + 1);
      });
      if (depth_[value] > deepest) kept_[value] = true;
    });
  }
  template <class Visit>
  void for_each_value(const Visit& visit) const {  // in the order of computation
    for (const StraightLine::Block& block : line_.blocks)
      for (const auto* values : {&block.calls, &block.arithmetic})
        for (const int value : *values) visit(value);
  }
  // Operations that use an operand twice.
  static bool names_operands(Op op) { return op == Op::kept_above || op == Op::kept_below || op == Op::select; }

  void add(Code code) { bytes().push_back(static_cast<char>(code)); }
  void add(Code code, int number) {
    add(code);
    append_unsigned(bytes(), static_cast<std::uint32_t>(number));
  }
  void add_memory(Code code, int offset) {
    add(code);
    bytes() += '\3';  // aligned to eight bytes
    append_unsigned(bytes(), static_cast<std::uint32_t>(offset));
  }
  void add_constant(double number) {
    add(f64_const);
    append_number(bytes(), number);
  }
  void add_address(int offset) {
    add(global_get, 0);
    if (offset == 0) return;
    add(i32_const);
    append_signed(bytes(), offset);
    add(i32_add);
  }
  void add_if() {
    add(if_f64);
    bytes() += type_f64;
  }
  std::string& bytes() {
    if (pieces_.empty() || pieces_.back().kind != Piece::bytes) pieces_.push_back({Piece::bytes, {}, -1});
    return pieces_.back().text;
  }
  void add_local(Piece::Kind kind, int value) { pieces_.push_back({kind, {}, value}); }

  // Leaves a value on the stack.
  void use(int value) {
    const StraightLine::Value& v = line_.values[value];
    if (defined_[value]) return add_local(Piece::get, value);
    if (v.op == Op::constant && !kept_[value] && uses_[value] < many_uses) return add_constant(v.number);
    if (v.op == Op::constant || v.op == Op::input) {
      write_leaf(v);
      if (uses_[value] < 2 && !kept_[value]) return;
      defined_[value] = true;
      return add_local(Piece::tee, value);
    }
    write_operation(value);
  }
  void write_leaf(const StraightLine::Value& v) {
    if (v.op == Op::constant) return add_constant(v.number);
    add(local_get, in_argument);
    add_memory(f64_load, 8 * v.a);
  }

  void write_definition(int value) {
    const Op op = line_.values[value].op;
    if (op == Op::sin || op == Op::cos) return write_turn(value);
    write_operation(value);
    define(value);
  }
  void define(int value) {
    defined_[value] = true;
    add_local(Piece::set, value);
  }
  // Operands that are named more than once are in locals before.
  void write_operands_first(int value) {
    line_.for_operands(value, [&](int operand) {
      if (defined_[operand]) return;
      use(operand);
      if (defined_[operand]) return drop_tee();
      define(operand);
    });
  }
  void drop_tee() { pieces_.back().kind = Piece::set; }

  // sin and cos of one angle come from one call.
  void write_turn(int value) {
    if (defined_[value]) return;
    const int angle = line_.values[value].a;
    use(angle);
    add_address(0);
    add(call, import_of(Op::sin));
    for (const int other : turns_.at(angle)) {
      add_address(0);
      add_memory(f64_load, line_.values[other].op == Op::sin ? 0 : 8);
      define(other);
    }
  }

  void write_operation(int value) {
    const StraightLine::Value& v = line_.values[value];
    if (names_operands(v.op)) write_operands_first(value);
    // What WebAssembly has is an instruction; all else is a function of the host.
    switch (v.op) {
      case Op::add: return write_pair(v, f64_add);
      case Op::sub: return write_pair(v, f64_sub);
      case Op::mul: return write_pair(v, f64_mul);
      case Op::div: return write_pair(v, f64_div);
      case Op::neg: return use(v.a), add(f64_neg);
      case Op::sqrt: return use(v.a), add(f64_sqrt);
      case Op::kept_above: return write_kept(v, f64_gt);
      case Op::kept_below: return write_kept(v, f64_lt);
      case Op::select: return write_select(v);
      case Op::table:
        add_address(tables_[v.b]);
        add(i32_const);
        append_signed(bytes(), v.c);
        use(v.a);
        return add(call, import_of(v.op));
      default:
        use(v.a);
        if (operand_count(v.op) == 2) use(v.b);
        add(call, import_of(v.op));
    }
  }
  void write_pair(const StraightLine::Value& v, Code code) {
    use(v.a);
    use(v.b);
    add(code);
  }
  void write_kept(const StraightLine::Value& v, Code compare) {
    use(v.a), use(v.b);
    use(v.a), use(v.b), add(compare);
    add(select_);
  }
  // a where w is 1, b where it is 0, w a + (1 - w) b between
  void write_select(const StraightLine::Value& v) {
    use(v.a), add_constant(1), add(f64_eq), add_if();
    use(v.b);
    add(else_);
    use(v.a), add_constant(0), add(f64_eq), add_if();
    use(v.c);
    add(else_);
    use(v.a), use(v.b), add(f64_mul);
    add_constant(1), use(v.a), add(f64_sub), use(v.c), add(f64_mul), add(f64_add);
    add(end), add(end);
  }

  // The text, with locals in place of values; how many there are.
  int assign_locals(std::string& code) const {
    // The last use of each value.
    std::vector<std::size_t> last(line_.values.size());
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      if (pieces_[k].value >= 0) last[pieces_[k].value] = k;
    std::vector<int> local(line_.values.size(), -1), free;
    int count = 0;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const Piece& piece = pieces_[k];
      if (piece.kind == Piece::bytes) {
        code += piece.text;
        continue;
      }
      int& mine = local[piece.value];
      // A value takes a free local when it is made, and gives it back at its last use.
      if (piece.kind != Piece::get) {
        if (free.empty()) free.push_back(count++);
        mine = free.back();
        free.pop_back();
      }
      code += static_cast<char>(piece.kind == Piece::get   ? local_get
                                : piece.kind == Piece::set ? local_set
                                                           : local_tee);
      append_unsigned(code, static_cast<std::uint32_t>(arguments + mine));
      if (last[piece.value] == k) free.push_back(mine);
    }
    return count;
  }

  StraightLine line_;
  const std::vector<int>& tables_;
  std::vector<int> uses_;
  std::vector<bool> kept_;                 // in a local, however often it is used
  std::vector<int> depth_;                 // of what is written within a value's expression
  std::map<int, std::vector<int>> turns_;  // sin and cos of a value
  std::vector<bool> defined_;              // a local has it
  std::vector<Piece> pieces_;
};

std::string type_section() {
  const std::string i(1, type_i32), f(1, type_f64);
  const std::string types[] = {"\x60\2" + i + i + std::string(1, '\0'), "\x60\2" + f + i + std::string(1, '\0'),
                               "\x60\1" + f + "\1" + f, "\x60\2" + f + f + "\1" + f, "\x60\3" + i + i + f + "\1" + f};
  std::string text;
  append_unsigned(text, std::size(types));
  for (const std::string& type : types) text += type;
  return text;
}

std::string import_section() {
  std::string text;
  append_unsigned(text, imports.size() + 2);
  for (const Import& import : imports) {
    append_name(text, import.module);
    append_name(text, import.name);
    text += '\0';
    append_unsigned(text, static_cast<std::uint32_t>(import.type));
  }
  append_name(text, "kernel");
  append_name(text, "memory");
  text += std::string("\2\0\1", 3);  // a memory of one page at least
  append_name(text, "kernel");
  append_name(text, "base");
  text += '\3';
  text += type_i32;
  return text += '\0';  // a global that does not change
}

}  // namespace

int WasmModule::add(const Program& program) {
  std::vector<int> tables;
  for (const auto& table : program.tables()) tables.push_back(place_of(table));
  bodies_.push_back(FunctionWriter(program, tables).body());
  for (const Program::Run& run : program.runs())
    if (const int import = StraightLine::is_call(run.op) ? import_of(run.op) : -1;
        import >= 0 && std::string_view(imports[static_cast<std::size_t>(import)].module) == "math")
      foreign_.insert(imports[static_cast<std::size_t>(import)].name);
  return static_cast<int>(bodies_.size()) - 1;
}

// How many knots, what is beyond them (1: the values at the ends, 2: the table again, 0: the last pieces), knots, four coefficients a piece.
int WasmModule::place_of(const std::shared_ptr<const Table>& table) {
  for (const auto& [known, place] : tables_)
    if (known == table) return place;
  const int place = data_size();
  append_number(data_, static_cast<double>(table->knots.size()));
  append_number(data_, table->repeat ? 2 : table->hold ? 1 : 0);
  for (const double knot : table->knots) append_number(data_, knot);
  for (const auto& piece : table->coefficients)
    for (const double coefficient : piece) append_number(data_, coefficient);
  tables_.emplace_back(table, place);
  return place;
}

std::size_t WasmModule::code_size() const {
  std::size_t size = 0;
  for (const std::string& body : bodies_) size += body.size();
  return size;
}

std::string WasmModule::bytes() const {
  std::string functions, exports, code, data;
  append_unsigned(functions, static_cast<std::uint32_t>(bodies_.size()));
  append_unsigned(exports, static_cast<std::uint32_t>(bodies_.size()));
  append_unsigned(code, static_cast<std::uint32_t>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    append_unsigned(functions, kernel_function);
    append_name(exports, std::to_string(k));
    exports += '\0';
    append_unsigned(exports, static_cast<std::uint32_t>(imports.size() + k));
    code += bodies_[k];
  }
  append_unsigned(data, 1);
  data += '\0';  // into memory, at the base
  data += static_cast<char>(global_get);
  data += '\0';
  data += static_cast<char>(end);
  append_name(data, data_);

  std::string module("\0asm\1\0\0\0", 8);
  append_section(module, 1, type_section());
  append_section(module, 2, import_section());
  append_section(module, 3, functions);
  append_section(module, 7, exports);
  append_section(module, 10, code);
  append_section(module, 11, data);
  return module;
}

}  // namespace armature::internal
