// A bushing between two places: a spring and a damper for each of its six displacements, in the axes of a's body,
//
//   F_i = k_i d_i + c_i d_i'      T_i = kt_i phi_i + ct_i phi_i'
//
// d leads from a to b. phi are the Cardan angles of b's axes in a's, R = R_x(phi_x) R_y(phi_y) R_z(phi_z): each is the angle
// itself where b turns about one axis, and all are the rotation vector where angles are small. phi_y stays within 90 degrees.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/bodies.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace bushing_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "bushing", text, "", "required"},
    {"between", "[a, b]: two places", list, "", "required"},
    {"stiffness", "stiffness along x, y and z of a's body", vector, "N/m", "[0, 0, 0]", not_negative},
    {"damping", "damping along x, y and z", vector, "N*s/m", "[0, 0, 0]", not_negative},
    {"turning_stiffness", "stiffness about x, y and z", vector, "N*m", "[0, 0, 0]", not_negative},
    {"turning_damping", "damping about x, y and z", vector, "N*m*s", "[0, 0, 0]", not_negative},
};
}  // namespace bushing_format

Vec3 cardan_angles(const Mat3& R) {
  return {atan2(-R(1, 2), R(2, 2)), atan2(R(0, 2), sqrt(R(0, 0) * R(0, 0) + R(0, 1) * R(0, 1))),
          atan2(-R(0, 1), R(0, 0))};
}

class Bushing final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: bushing", "elastic mount: springs and dampers in six directions", bushing_format::table};
  }

  void read(const MapReader& map, ForceElement& bushing, Reading& reading) const override {
    bushing.places.resize(2);
    read_between(map, bushing.places[0], bushing.places[1], reading);
    read_values(map, bushing_format::table, bushing);
  }

  void add(EquationsBuilder& builder, const ForceElement& bushing) const override {
    const Attachment &a = bushing.places[0], &b = bushing.places[1];
    Bodies& bodies = builder.bodies_with(a.body, a.where);
    const int common = bodies.common_link(a, b);
    const Pose A = bodies.pose_of(a, common), B = bodies.pose_of(b, common);
    const Mat3 to_a = transpose(A.R);
    add_springs(builder, bushing, to_a * (B.p - A.p), "stiffness", "damping", "f");
    if (bushing.values["turning_stiffness"].given() || bushing.values["turning_damping"].given())
      add_springs(builder, bushing, cardan_angles(to_a * B.R), "turning_stiffness", "turning_damping", "t");
  }

 private:
  // Springs and dampers of three displacements; columns NAME.fx, … of what they pull b back with.
  static void add_springs(EquationsBuilder& builder, const ForceElement& bushing, const Vec3& x, const char* stiffness,
                          const char* damping, const std::string& letter) {
    const Vec3 k = vector_of(builder, bushing.values[stiffness]), c = vector_of(builder, bushing.values[damping]);
    for (std::size_t i = 0; i < 3; ++i) {
      if (x[i].is_constant() || (k[i].is(0) && c[i].is(0))) continue;
      const Expression rate = builder.time_derivative(x[i]);
      add_spring(builder, x[i], rate, k[i], c[i]);
      record_part(builder, bushing, letter + static_cast<char>('x' + i), letter == "f" ? "N" : "N m",
                  -(k[i] * x[i]) - c[i] * rate);
    }
  }

  static Vec3 vector_of(EquationsBuilder& builder, const Formula& formula) {
    return formula.given() ? builder.vector(formula) : Vec3{};
  }
};

}  // namespace

const ForceKind& bushing_kind() {
  static const Bushing kind;
  return kind;
}

}  // namespace armature::internal
