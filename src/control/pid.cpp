#include "control/pid.hpp"

namespace armature::internal {

namespace {

struct Gains {
  Expression kp, ki, kd, tracking_time;
};

Gains gains_of(EquationsBuilder& builder, const Controller& controller) {
  Gains k{builder.scalar(controller.kp), builder.scalar(controller.ki), builder.scalar(controller.kd), 0.0};
  if (!k.ki.is(0))
    k.tracking_time = builder.scalar(controller.tracking_time, k.kp.is(0) ? Expression(1.0) : k.kp / k.ki);
  return k;
}

// Of a speed the rate is an acceleration, which no formula knows.
Expression error_rate(EquationsBuilder& builder, const Controller& controller, Expression error) {
  try {
    return builder.rate_of(error);
  } catch (const FormulaError&) {
    throw FormulaError(controller.kd.where,
                       "kd needs the rate of what is measured, but that is a speed; leave kd out, or sample");
  }
}

}  // namespace

void offer_continuous_pid(EquationsBuilder& builder, const Controller& controller) {
  const Gains k = gains_of(builder, controller);
  const Expression I =
      k.ki.is(0) ? Expression(0.0) : builder.add_state(controller.name + ".integral", "", controller.name);
  const auto output = [&builder, &controller, k, I](bool within_limits) {
    const Expression e = builder.scalar(controller.target) - builder.scalar(controller.measure);
    Expression u = k.kp * e + k.ki * I;
    if (!k.kd.is(0)) u += k.kd * error_rate(builder, controller, e);
    return within_limits ? limited(builder, controller, u) : u;
  };
  builder.offer(controller.name, [output] { return Value(output(true)); });
  if (k.ki.is(0)) return;
  const std::string rate = controller.name + ".integral'";
  builder.offer(rate, [&builder, &controller, k, output] {
    const Expression e = builder.scalar(controller.target) - builder.scalar(controller.measure);
    return Value(e + (output(true) - output(false)) / (k.ki * k.tracking_time));
  });
  builder.when_named([&builder, I, rate] { builder.set_rate(I, builder.look_up(rate)->parts[0]); });
}

// At a sample:  u = kp e + ki I + kd (e - e_before)/T  with  I = I_before + T e, taken back where u is limited.
void offer_sampled_pid(EquationsBuilder& builder, const Controller& controller) {
  const Gains k = gains_of(builder, controller);
  const Sampled sampled(builder, controller);
  builder.offer(controller.name, [sampled] { return Value(sampled.output()); });
  const Expression I = sampled.memory(builder, "integral"), before = sampled.memory(builder, "error"),
                   seen_before = sampled.memory(builder, "seen_before");  // 0 until the first sample, then 1
  builder.when_named([&builder, &controller, k, sampled, I, before, seen_before] {
    const Expression e = builder.scalar(controller.target) - sampled.measured(builder.scalar(controller.measure));
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

}  // namespace armature::internal
