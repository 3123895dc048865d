// PD and PID controllers:
//
//   u = kp e + ki I + kd e',   I' = e + (limited u - u)/(ki T)      e = target - measure
//
// within limits; the last term of I' lets the integral follow a limited output (anti-windup by back-calculation).
// Sampled, the same with e at the samples, e' by differences of samples and I by their sum; the output is held, and appears
// a delay after its sample.
#include "control/controller_kinds.hpp"
#include "control/controllers.hpp"
#include "control/limits.hpp"
#include "control/sampled.hpp"
#include "mechanics/solution_leaves.hpp"
#include "model/formula_tree.hpp"

namespace armature::internal {
namespace {

namespace pid_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "pd or pid", text, "", "required"},
    {"measure", "the controlled quantity", number, "", "required", any, moves},
    {"target", "setpoint", number, "", "required", any, moves},
    {"kp", "proportional gain: output per error (target - measure)", number, "", "0"},
    {"ki", "integral gain: output per integral of the error", number, "", "0"},
    {"kd", "derivative gain: output per rate of the error", number, "", "0"},
    {"limits", "limits of the output, with anti-windup: {lower, upper}", map},
    {"tracking_time", "time constant of the anti-windup", number, "s", "kp/ki", positive},
    {"sampled", "sample-and-hold: {period, delay, quantization}", map},
};
}  // namespace pid_format

struct Gains {
  Expression kp, ki, kd, tracking_time;
};

Gains gains_of(EquationsBuilder& builder, const Controller& controller) {
  Gains k{builder.scalar(controller.values["kp"]), builder.scalar(controller.values["ki"]),
          builder.scalar(controller.values["kd"]), 0.0};
  if (!k.ki.is(0))
    k.tracking_time = builder.scalar(controller.values["tracking_time"], k.kp.is(0) ? Expression(1.0) : k.kp / k.ki);
  return k;
}

// Of a speed the rate is an acceleration, which the output itself changes.
Expression error_rate(EquationsBuilder& builder, const Controller& controller, Expression error) {
  const Expression rate = builder.rate_of(error);
  if (!has_acceleration(builder.equations(), rate)) return rate;
  throw FormulaError(controller.values["kd"].where,
                     "kd needs the rate of the measured quantity, which is itself a velocity; leave kd out, or sample");
}

void offer_continuous_pid(EquationsBuilder& builder, const Controller& controller) {
  const Gains k = gains_of(builder, controller);
  const Expression I =
      k.ki.is(0) ? Expression(0.0) : builder.add_state(controller.name + ".integral", "", controller.name);
  // The output with and without limits: their difference takes the integral back.
  const auto output = [&builder, &controller, k, I](bool within_limits) {
    const Expression e = builder.scalar(controller.values["target"]) - builder.scalar(controller.values["measure"]);
    Expression u = k.kp * e + k.ki * I;
    if (!k.kd.is(0)) u += k.kd * error_rate(builder, controller, e);
    return within_limits ? limited(builder, controller, u) : u;
  };
  builder.offer(controller.name, [output] { return Value(output(true)); });
  if (k.ki.is(0)) return;
  const std::string rate = controller.name + ".integral'";
  builder.offer(rate, [&builder, &controller, k, output] {
    const Expression e = builder.scalar(controller.values["target"]) - builder.scalar(controller.values["measure"]);
    return Value(e + (output(true) - output(false)) / (k.ki * k.tracking_time));
  });
  builder.when_named([&builder, I, rate] { builder.set_rate(I, builder.look_up(rate)->parts[0]); });
}

// At a sample:  u = kp e + ki I + kd (e - e_before)/T  with  I = I_before + T e, taken back where u is limited.
void offer_sampled_pid(EquationsBuilder& builder, const Controller& controller) {
  const Gains k = gains_of(builder, controller);
  const Sampled sampled(builder, controller, controller.name);
  builder.offer(controller.name, [sampled] { return Value(sampled.output()); });
  const Expression I = sampled.memory(builder, "integral"), before = sampled.memory(builder, "error"),
                   seen_before = sampled.memory(builder, "seen_before");  // 0 until the first sample, then 1
  builder.when_named([&builder, &controller, k, sampled, I, before, seen_before] {
    const Expression e =
        builder.scalar(controller.values["target"]) - sampled.measured(builder.scalar(controller.values["measure"]));
    const double T = sampled.period();
    const Expression next = I + T * e;
    const Expression u = k.kp * e + k.ki * next + k.kd * seen_before * (e - before) / T;
    const Expression within = limited_at_sample(builder, controller, u);
    if (!k.ki.is(0)) builder.set_next(I, next + (within - u) * T / (k.ki * (T + k.tracking_time)));
    builder.set_next(before, e);
    builder.set_next(seen_before, 1.0);
    sampled.close(builder, within);
  });
}

class Pid final : public ControllerKind {
 public:
  explicit Pid(bool has_integral) : has_integral_(has_integral) {}

  FormatSection format() const override {
    if (has_integral_) return {"controllers: pid", "proportional, integral, derivative", pid_format::table};
    return {"controllers: pd", "proportional, derivative", pid_format::table};
  }
  std::vector<FormatSection> maps() const override { return {controller_limits_format(), sampled_format()}; }

  void read(const MapReader& map, Controller& controller, Reading& reading) const override {
    read_values(map, pid_format::table, controller);
    if (!has_integral_ && map.has("ki"))
      reading.diagnostics.add(map.find("ki")->where, map.path("ki"),
                              "a pd controller has no integral; write type: pid");
    // Both are of one unit, that of the error.
    const Formula &target = controller.values["target"], &measure = controller.values["measure"];
    if (target.given() && measure.given()) {
      static constexpr KeySpec error{"", "", Holds::number, "", "", ValueRange::any, true};
      reading.check_later(target - measure, map.path("target"), error);
    }
    read_limits(map, controller, reading);
    read_sampling(map, controller, reading);
  }

  void offer(EquationsBuilder& builder, const Controller& controller) const override {
    check_limits(builder, controller);
    if (controller.sampled())
      offer_sampled_pid(builder, controller);
    else
      offer_continuous_pid(builder, controller);
    record_signal(builder, controller);
  }

 private:
  bool has_integral_;
};

}  // namespace

const ControllerKind& pd_kind() {
  static const Pid kind(false);
  return kind;
}

const ControllerKind& pid_kind() {
  static const Pid kind(true);
  return kind;
}

}  // namespace armature::internal
