// Between the public types and those behind them; exceptions included.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "armature/armature.hpp"
#include "observe/outcome.hpp"
#include "record/recorder.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

// Throws the exception that is being handled as an Error. For catch (...).
[[noreturn]] void rethrow_as_error();

// f(), with its exceptions as Error.
template <class F>
auto translated(const F& f) {
  try {
    return f();
  } catch (...) {
    rethrow_as_error();
  }
}

std::vector<double> numbers(const Eigen::VectorXd& x);
std::vector<double> by_rows(const Eigen::MatrixXd& matrix);
State to_public(const internal::State& state, const internal::Layout& layout);
internal::State to_internal(const State& state, const internal::System& system);  // throws Error: sizes that do not fit
Outcome to_public(const internal::Outcome& outcome);
std::vector<Channel> to_public(const std::vector<internal::Channel>& channels);

// The place of a name; throws Error with the nearest one.
int place_of(const std::string& name, const std::vector<std::string>& names, const std::string& kind);

}  // namespace armature
