// Worm gear and power screw: two flanks of a thread that slide on each other with friction. In the developed plane of the thread, with
// the lead angle l, the worm's surface moves by u = r a around its axis and the wheel's tooth, or the nut, by y along it:
//
//   normal approach  d = cos(p) (u sin l - y cos l)        sliding  s' = u' cos l + y' sin l
//   normal force     N = k d + c d'                        friction mu |N|, against s'
//
// p is the pressure angle of the flank. Since the flanks are elastic, N is known from the motion. In steady motion this is the
// textbook's efficiency  tan l (cos p - mu tan l)/(cos p tan l + mu)  from a to b; where mu > cos(p) tan l, b cannot drive a.
#include <numbers>

#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace thread_format {
using namespace keys;
constexpr KeySpec friction{"friction", "coefficient of friction", number, "1", "required", not_negative, moves};
constexpr KeySpec stiffness{"stiffness", "stiffness of the flanks, along their normal", number, "N/m", "required",
                            positive};
constexpr KeySpec damping{"damping", "damping of the flanks, along their normal", number, "N*s/m", "0", not_negative};
constexpr KeySpec worm[] = {
    {"type", "worm", text, "", "required"},
    {"between", "[worm, wheel]: two angles", list, "", "required"},
    {"ratio", "worm angle per wheel angle: teeth of the wheel over threads of the worm; negative: left-handed", number,
     "1", "required"},
    {"radius", "pitch radius of the worm", number, "m", "required", positive},
    {"lead_angle", "lead angle of the thread", number, "1", "required", positive},
    {"pressure_angle", "normal pressure angle of the flank", number, "1", "20 deg", not_negative},
    friction,
    stiffness,
    damping,
    pair_format::breakaway,
};
constexpr KeySpec screw[] = {
    {"type", "power_screw", text, "", "required"},
    {"between", "[angle, slide]: two coordinates", list, "", "required"},
    {"lead", "slide per turn of the angle; either sign", number, "m", "required"},
    {"radius", "mean radius of the thread", number, "m", "required", positive},
    {"flank_angle", "half the angle of the thread's profile: 0 square, 15 deg trapezoidal, 30 deg metric", number, "1",
     "0", not_negative},
    friction,
    stiffness,
    damping,
    pair_format::breakaway,
};
}  // namespace thread_format

void refuse_right_angle(EquationsBuilder& builder, const ForceElement& thread, const char* key,
                        const Expression& angle) {
  builder.require_positive(std::numbers::pi / 2 - angle, thread.values[key].where,
                           std::string(key) + " is less than 90 deg");
}

class Thread final : public ForceKind {
 public:
  explicit Thread(bool is_worm) : is_worm_(is_worm) {}

  FormatSection format() const override {
    return is_worm_ ? FormatSection{"forces: worm", "worm gear with friction between two angles", thread_format::worm}
                    : FormatSection{"forces: power_screw", "screw with friction between an angle and a slide",
                                    thread_format::screw};
  }

  void read(const MapReader& map, ForceElement& thread, Reading& reading) const override {
    const std::optional<CoordinatePair> pair = read_coordinate_pair(map, reading);
    if (pair) thread.on = {pair->a.name, pair->b.name};
    if (pair && (pair->a.is_length || pair->b.is_length == is_worm_))
      reading.diagnostics.add(map.find("between")->where, map.path("between"),
                              is_worm_ ? "a worm couples two angles: [worm, wheel]"
                                       : "a power screw couples an angle with a length: [angle, slide]");
    read_values(map, format().keys, thread);
  }

  void add(EquationsBuilder& builder, const ForceElement& thread) const override {
    const NamedCoordinate &a = builder.coordinate(thread.on[0], thread.where),
                          &b = builder.coordinate(thread.on[1], thread.where);
    const auto number = [&](const char* key) { return builder.scalar(thread.values[key]); };
    const Expression r = number("radius"),
                     lead_angle = is_worm_ ? number("lead_angle") : atan(number("lead") / (2.0 * pi * r)),
                     flank = is_worm_ ? builder.scalar(thread.values["pressure_angle"], pi / 9) : number("flank_angle"),
                     along = is_worm_ ? r * tan(lead_angle) * number("ratio") : Expression(1.0);  // y = along b
    if (is_worm_) {
      refuse_right_angle(builder, thread, "lead_angle", lead_angle);
      builder.require_positive(square(number("ratio")), thread.values["ratio"].where, "a ratio is not zero");
    }
    refuse_right_angle(builder, thread, is_worm_ ? "pressure_angle" : "flank_angle", flank);
    const Expression sine = sin(lead_angle), cosine = cos(lead_angle);
    const auto approach = [&](Expression x_a, Expression x_b) {
      return cos(flank) * (sine * (r * x_a) - cosine * (along * x_b));
    };
    const Expression d = approach(a.value, b.value), rate = approach(a.rate, b.rate);
    const Expression k = number("stiffness"), c = number("damping"), N = k * d + c * rate;
    add_spring(builder, d, rate, k, c);
    const std::string subject = thread.kind->type() + " " + thread.name;
    said(unit_step(N), subject,
         {.rises = "its load moves to the other flank",
          .falls = "its load moves to the other flank",
          .subject = subject});
    const Expression friction = number("friction") * abs(N), sliding = cosine * (r * a.rate) + sine * (along * b.rate);
    add_friction(builder,
                 {"friction of " + thread.name, subject, sliding, friction, friction, breakaway_of(builder, thread)});
    record_part(builder, thread, "normal", "N", N);
  }

 private:
  static constexpr double pi = 3.14159265358979323846;

  bool is_worm_;
};

}  // namespace

const ForceKind& worm_kind() {
  static const Thread kind(true);
  return kind;
}

const ForceKind& power_screw_kind() {
  static const Thread kind(false);
  return kind;
}

}  // namespace armature::internal
