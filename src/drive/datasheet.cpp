// A sheet gives the voltage V and what the motor does with it: speed w0 and current i0 without load, torque T at rest. R is
// its resistance. With one constant K for torque and back-EMF, viscous friction d and dry friction c
//
//   without load   V = R i0 + K w0,   K i0 = c + d w0
//   at rest        T = K V/R - c
//
// c is the motor's coulomb_friction. V, w0, i0 and R give K and d; T is then redundant and must agree. Without R, T gives it:
//
//   R = V^2/((T + c) w0 + V i0)
#include "drive/datasheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal {
namespace {

namespace sheet_keys {
using namespace keys;
constexpr KeySpec table[] = {
    {"voltage", "nominal voltage", number, "V", "required", positive},
    {"no_load_speed", "no-load speed at this voltage", number, "rad/s", "required", positive},
    {"no_load_current", "no-load current at this voltage, which overcomes the friction", number, "A", "0",
     not_negative},
    {"stall_torque", "stall torque at this voltage", number, "N*m", "required without resistance", positive},
    {"resistance", "resistance of the winding", number, "Ohm", "from stall_torque", positive},
};
}  // namespace sheet_keys

// Sheets print three digits: each of w0, R and T is then off by up to 0.5 %, and i0, of which R i0 is small against V,
// adds less than that.
constexpr double rounding = 0.02;

struct Sheet {
  double V, w0, i0, c;
  std::optional<double> T, R;

  double resistance() const { return R ? *R : V * V / ((*T + c) * w0 + V * i0); }
  double constant() const { return (V - resistance() * i0) / w0; }
  double friction_without_load() const { return constant() * i0; }
  double stall_torque() const { return constant() * V / resistance() - c; }
};

Formula formula_of(double value, Location where) {
  Formula formula = number_formula(value);
  formula.where = where;
  return formula;
}

// Nothing, or the values of other keys with which this stall torque would agree.
std::string contradiction(const Sheet& sheet) {
  if (!sheet.T || !sheet.R || std::abs(*sheet.T - sheet.stall_torque()) <= rounding * sheet.stall_torque()) return "";
  Sheet by_torque = sheet;
  by_torque.R.reset();
  const double speed = (sheet.V - *sheet.R * sheet.i0) * sheet.V / (*sheet.R * (*sheet.T + sheet.c));
  const double dry = sheet.stall_torque() + sheet.c - *sheet.T;
  const bool may_be_dry = dry > 0 && dry <= sheet.friction_without_load() * (1 + rounding);
  return fmt::format(
      "contradicts the rest of the sheet: {:.4g} N m, where the other numbers give {:.4g} N m. It would agree with a "
      "resistance of {:.4g} Ohm or a no-load speed of {:.4g} rad/s{}. Correct the wrong number, or leave out "
      "stall_torque or resistance",
      *sheet.T, sheet.stall_torque(), by_torque.resistance(), speed,
      may_be_dry ? fmt::format(", or with dry friction: coulomb_friction: {:.4g} N*m", dry) : "");
}

// The key of the drive and what is wrong with it; an empty key: nothing is.
std::pair<std::string, std::string> wrong_number(const Sheet& sheet) {
  if (!sheet.T && !sheet.R)
    return {"datasheet.resistance", "is missing: give the resistance, the stall torque or both"};
  if (sheet.i0 >= sheet.V / sheet.resistance())
    return {"datasheet.no_load_current",
            fmt::format("must be below the stall current {:.4g} A", sheet.V / sheet.resistance())};
  if (sheet.c > sheet.friction_without_load() * (1 + rounding))
    return {"coulomb_friction",
            fmt::format("must be at most the torque {:.4g} N m that the no-load current of the data "
                        "sheet overcomes",
                        sheet.friction_without_load())};
  if (const std::string sentence = contradiction(sheet); !sentence.empty()) return {"datasheet.stall_torque", sentence};
  return {};
}

}  // namespace

FormatSection datasheet_format() { return {"datasheet", "a motor by its data sheet", sheet_keys::table}; }

void read_datasheet(const MapReader& map, Drive& drive, Reading& reading) {
  const YamlNode& node = *map.find("datasheet");
  const MapReader given(node, sheet_keys::table, map.path("datasheet"), reading);
  const auto V = given.constant("voltage"), speed = given.constant("no_load_speed");
  if (!V || !speed) return;
  const Sheet sheet{*V,
                    *speed,
                    given.constant("no_load_current").value_or(0),
                    map.constant("coulomb_friction").value_or(0),
                    given.constant("stall_torque"),
                    given.constant("resistance")};
  if ((given.has("stall_torque") && !sheet.T) || (given.has("resistance") && !sheet.R)) return;  // reported already
  if (const auto [key, sentence] = wrong_number(sheet); !key.empty()) {
    const YamlNode* at = key.starts_with("datasheet.") ? given.find(key.substr(10)) : map.find(key);
    reading.diagnostics.add(at ? at->where : node.where, map.path(key), sentence);
    return;
  }
  drive.values.set("resistance", formula_of(sheet.resistance(), node.where));
  for (const char* constant : {"torque_constant", "back_emf_constant"})
    drive.values.set(constant, formula_of(sheet.constant(), node.where));
  drive.rotor.viscous_friction =
      formula_of(std::max(0.0, sheet.friction_without_load() - sheet.c) / sheet.w0, node.where);
}

}  // namespace armature::internal
