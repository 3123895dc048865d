// The integrators as plain data (methods.def). The table is in this folder because both the reader of model files, which checks
// names and steps, and integrate/, which makes the integrators, see it; neither sees the other.
#pragma once

#include <string_view>

#include "step/dop853.hpp"
#include "step/tableaus.hpp"

namespace armature::step {

struct Method {
  std::string_view name;  // as in the file
  // Explicit Runge-Kutta methods; null for others. They run in lanes, and can be tuned for a fixed step.
  const Tableau& (*tableau)() = nullptr;
  std::string_view tableau_name = "";  // of that function
  bool own_dae =
      false;      // solves the index-2 equations, with the rows independent at the start; cannot hold what sticks
  int order = 0;  // the highest, where it varies
  bool controlled = false;  // chooses its steps by their error; else all have one length, and events are not located
  bool implicit = false;    // solves for the end of a step: the model compiles df/dx
  bool symplectic = false;  // the rule of semi-implicit Euler
  std::string_view verified_by = "";         // the method that errs most unlike it, for --verify
  std::string_view or_where_it_sticks = "";  // if given: that one cannot hold what sticks
  std::string_view what = "";                // in a few words

  constexpr bool lanes() const { return tableau != nullptr; }
};

inline constexpr Method methods[] = {
#define RUNGE_KUTTA(word, function, ...) \
  Method{.name = #word, .tableau = function, .tableau_name = #function, __VA_ARGS__},
#define METHOD(word, ...) Method{.name = #word, __VA_ARGS__},
#define DAE_METHOD(word, ...) Method{.name = #word, .own_dae = true, __VA_ARGS__},
#include "step/methods.def"
#undef RUNGE_KUTTA
#undef METHOD
#undef DAE_METHOD
};

// Null: there is no such method.
constexpr const Method* find_method(std::string_view name) {
  for (const Method& method : methods)
    if (method.name == name) return &method;
  return nullptr;
}

// The same for assertions: under sanitizers GCC 12 takes no comparison of a pointer for a constant.
constexpr bool has_method(std::string_view name) {
  for (const Method& method : methods)
    if (method.name == name) return true;
  return false;
}

// What messages suggest.
inline constexpr std::string_view usual_method = "dopri5", accurate_method = "dop853", stiff_method = "cvode_bdf",
                                  switching_method = "auto", real_time_method = "rk4";
static_assert(has_method(usual_method) && has_method(accurate_method) && has_method(stiff_method) &&
              has_method(switching_method) && has_method(real_time_method));
static_assert([] {
  for (const Method& method : methods)
    if (!has_method(method.verified_by) ||
        (!method.or_where_it_sticks.empty() && !has_method(method.or_where_it_sticks)))
      return false;
  return true;
}());

}  // namespace armature::step
