// Modules for pages give the interpreter's bits: for every operation, for special numbers, and for programs with many values at once. Node runs
// them, with the kernel of pages as it was built.
#include "expression/wasm_code.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "expression/derivative.hpp"
#include "support/paths.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

// kernel module in out inputs outputs: evaluates function 0 for every row of inputs.
const char* const wasm_runner = R"(
import { readFileSync, writeFileSync } from "node:fs";
const [kernel, module, input, output, ni, no, data] = process.argv.slice(2);
const k = (await WebAssembly.instantiate(readFileSync(kernel), { math: Math })).instance.exports;
const base = new WebAssembly.Global({ value: "i32", mutable: false }, k.reserve(Number(data)));
const m = (await WebAssembly.instantiate(readFileSync(module), { kernel: { ...k, base }, math: Math })).instance.exports;
const given = readFileSync(input);
const rows = new Float64Array(given.buffer.slice(given.byteOffset, given.byteOffset + given.length));
const count = rows.length / Number(ni);
const all = new Float64Array(count * Number(no));
const at = k.reserve(8 * Number(ni)), to = k.reserve(8 * Number(no));
for (let r = 0; r < count; ++r) {
  new Float64Array(k.memory.buffer, at, Number(ni)).set(rows.subarray(r * ni, (r + 1) * ni));
  m["0"](at, to);
  all.set(new Float64Array(k.memory.buffer, to, Number(no)), r * no);
}
writeFileSync(output, new Uint8Array(all.buffer));
)";

class Wasm : public testing::Test {
 protected:
  void SetUp() override {
    kernel_ = std::filesystem::path(program_path).parent_path().parent_path().parent_path() / "viewer" / "kernel.wasm";
    std::error_code none;
    if (std::system("node --version > /dev/null 2>&1") != 0 || std::filesystem::file_size(kernel_, none) < 8 || none)
      GTEST_SKIP() << "needs Node, and clang and lld when the program was built";
  }

  // rows: input_count() numbers each. ulps: that may differ.
  void expect_agreement(const Program& program, const std::vector<double>& rows, std::uint64_t ulps = 0) {
    const std::vector<double> got = evaluated(program, rows);
    std::vector<double> expected(static_cast<std::size_t>(program.output_count())),
        work(static_cast<std::size_t>(program.work_size()));
    program.prepare(work.data());
    const std::size_t ni = static_cast<std::size_t>(program.input_count()), no = expected.size();
    ASSERT_EQ(got.size(), rows.size() / ni * no);
    for (std::size_t r = 0; r * ni < rows.size(); ++r) {
      program.evaluate(rows.data() + r * ni, expected.data(), work.data());
      for (std::size_t i = 0; i < no; ++i)
        expect_near(expected[i], got[r * no + i], ulps, fmt_place(i, rows.data() + r * ni, ni));
    }
  }

 private:
  static std::string fmt_place(std::size_t output, const double* in, std::size_t count) {
    std::string text = "output " + std::to_string(output) + " at";
    for (std::size_t i = 0; i < count; ++i) text += " " + std::to_string(in[i]);
    return text;
  }
  static void expect_near(double expected, double got, std::uint64_t ulps, const std::string& where) {
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got)) << where;
      return;
    }
    const auto a = std::bit_cast<std::int64_t>(expected), b = std::bit_cast<std::int64_t>(got);
    EXPECT_LE(static_cast<std::uint64_t>(a > b ? a - b : b - a), ulps)
        << where << ": " << got << " is not " << expected;
  }

  std::vector<double> evaluated(const Program& program, const std::vector<double>& rows) {
    WasmModule module;
    module.add(program);
    const auto file = [&](const char* name) { return (folder_.path() / name).string(); };
    std::ofstream(file("run.mjs")) << wasm_runner;
    std::ofstream(file("module.wasm"), std::ios::binary) << module.bytes();
    std::ofstream(file("in"), std::ios::binary)
        .write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size() * sizeof(double)));
    const std::string command = "node " + file("run.mjs") + " " + kernel_.string() + " " + file("module.wasm") + " " +
                                file("in") + " " + file("out") + " " + std::to_string(program.input_count()) + " " +
                                std::to_string(program.output_count()) + " " + std::to_string(module.data_size());
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream out(file("out"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(out), {});
    std::vector<double> numbers(bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
    return numbers;
  }

  TemporaryFolder folder_;
  std::filesystem::path kernel_;
};

// Rows of three numbers: random ones, and all pairs of special ones. None for which the interpreter asks the C library.
std::vector<double> wasm_inputs() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-3, 3);
  std::vector<double> rows;
  for (int k = 0; k < 3000; ++k) rows.push_back(number(random));
  constexpr double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double special[] = {0.0, -0.0, 1, -1, 0.5, 2, -2, 1e-5, -300, infinite, -infinite, nan};
  for (const double x : special)
    for (const double y : special)
      for (const double w : {0.0, 1.0, 0.3}) rows.insert(rows.end(), {x, y, w});
  return rows;
}

TEST_F(Wasm, EveryOperationOfOurOwn) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), w = graph.input("w");
  const auto spline = std::make_shared<Table>(Table::spline({-2, -1, 0, 1, 2}, {0, 1, -1, 2, 0}));
  const auto turns = std::make_shared<Table>(Table::periodic_spline({-1, 0, 0.5, 1}, {0, 1, -1, 0}));
  auto open = std::make_shared<Table>(Table::linear({-1, 0, 2}, {0, 1, -1}));
  open->hold = false;
  const auto bounded = [](const Expression& a) { return kept_below(kept_above(a, -9.0), 9.0); };
  std::vector<Expression> outputs{x + y,
                                  x - y,
                                  x * y,
                                  x / y,
                                  -x,
                                  sqrt(x),
                                  sin(x),
                                  cos(x),
                                  exp(x),
                                  atan2(bounded(x), bounded(y)),
                                  x,
                                  2.5,
                                  w,
                                  kept_above(x, y),
                                  kept_below(x, y),
                                  select(w, x, y),
                                  select(w, sqrt(x), x / y),
                                  sin(y) * cos(y)};
  for (const auto& table : {spline, turns, open}) {
    outputs.push_back(graph.lookup(table, x));
    const Expression rate = Derivative(LeafMap{{x.id(), 1.0}})(graph.lookup(table, x));
    outputs.push_back(rate);
    outputs.push_back(Derivative(LeafMap{{x.id(), 1.0}})(rate));
  }
  const std::vector<Expression> inputs{x, y, w};
  expect_agreement(Program(inputs, outputs), wasm_inputs());
}

TEST_F(Wasm, FunctionsOfTheBrowserDifferInTheLastDigits) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), w = graph.input("w");
  const std::vector<Expression> inputs{x, y, w},
      outputs{tan(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x), log(x), pow(x * x, y)};
  const Program program(inputs, outputs);
  WasmModule module;
  module.add(program);
  EXPECT_EQ(module.foreign(),
            (std::set<std::string>{"acos", "asin", "atan", "cosh", "log", "pow", "sinh", "tan", "tanh"}));
  std::vector<double> rows = wasm_inputs();
  rows.resize(3000);
  expect_agreement(program, rows, 4);
}

// More values alive than any function has locals of one byte, chains longer than the depth of an expression.
TEST_F(Wasm, LargePrograms) {
  Graph graph;
  std::vector<Expression> pool{graph.input("x"), graph.input("y"), graph.input("w")};
  const std::vector<Expression> inputs = pool;
  std::mt19937 random(11);
  const auto any = [&] { return pool[random() % pool.size()]; };
  for (int k = 0; k < 4000; ++k) switch (random() % 8) {
      case 0: pool.push_back(sin(any())); break;
      case 1: pool.push_back(cos(any())); break;
      case 2: pool.push_back(0.5 * (any() - any())); break;
      case 3: pool.push_back(any() / (2.0 + square(any()))); break;
      case 4: pool.push_back(select(inputs[2], any(), any())); break;
      case 5: pool.push_back(kept_above(any(), 0.1 * any())); break;
      case 6: pool.push_back(0.125 * any() * sin(any())); break;
      default: pool.push_back(0.5 * (any() + any())); break;
    }
  Expression sum = 0.0, product = 1.0;
  for (const Expression& x : pool) sum += x, product = 0.5 * (x + product);
  std::vector<Expression> outputs(pool.end() - 300, pool.end());
  outputs.push_back(sum), outputs.push_back(product);
  expect_agreement(Program(inputs, outputs), wasm_inputs());
}

}  // namespace
}  // namespace armature::internal
