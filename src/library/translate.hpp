// Between the public types and those behind them; exceptions included.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "armature/armature.hpp"
#include "expression/own_arithmetic.hpp"
#include "observe/outcome.hpp"
#include "record/recorder.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

// Around what a caller's function has thrown: it leaves the library unchanged.
struct PassedOn {
  std::exception_ptr thrown;
};

// Throws the exception that is being handled as an Error. For catch (...).
[[noreturn]] void rethrow_as_error();

// f(), with its exceptions as Error.
template <class F>
auto translated(const F& f) {
  const internal::OwnArithmetic own;
  try {
    return f();
  } catch (...) {
    rethrow_as_error();
  }
}

// f(progress), where the caller's progress may throw: what it throws stops the work and is passed on unchanged.
template <class F, class... Arguments>
auto translated(const std::function<bool(Arguments...)>& progress, const F& f) {
  const internal::OwnArithmetic own;
  std::exception_ptr thrown;
  std::function<bool(Arguments...)> guarded;
  if (progress)
    guarded = [&](Arguments... arguments) {
      try {
        return progress(arguments...);
      } catch (...) {
        thrown = std::current_exception();
        return false;
      }
    };
  try {
    auto result = f(guarded);
    if (thrown) std::rethrow_exception(thrown);
    return result;
  } catch (...) {
    if (thrown) std::rethrow_exception(thrown);
    rethrow_as_error();
  }
}

std::vector<double> numbers(const Eigen::VectorXd& x);
std::vector<double> by_rows(const Eigen::MatrixXd& matrix);
State to_public(const internal::State& state, const internal::Layout& layout);
// Throws Error: sizes that do not fit. The evaluator, with the inputs set, decides comparisons that the state leaves out.
internal::State to_internal(const State& state, internal::SystemEvaluator& evaluator);
Outcome to_public(const internal::Outcome& outcome);
std::vector<Channel> to_public(const std::vector<internal::Channel>& channels);

// A sentence for callers of functions: it names arguments (over, method) where the program's has options (--over, --method).
std::string without_options(std::string sentence);

// The model, for a computation that couples no FMUs. Throws Error where it has some.
const internal::Model& without_fmus(const Model& model);

// The place of a name; throws Error with the nearest one.
int place_of(const std::string& name, const std::vector<std::string>& names, const std::string& kind);

}  // namespace armature
