// The electrical side of a motor with a commutator:  L di/dt = V - R i - K_e w,  driven by a voltage, a current or the current of a
// torque, within limits; the winding's temperature changes its resistance. It reads the keys torque_constant,
// back_emf_constant, resistance, inductance and winding of its drive.
//
// An amplifier that limits the current of a winding with inductance switches: at the limit it takes the voltage away, below
// it puts it back, so that in the mean the current stands exactly at the limit.
#pragma once

#include "drive/gear.hpp"
#include "drive/thermal.hpp"

namespace armature::internal {

class Winding {
 public:
  Winding(EquationsBuilder& builder, const Drive& drive, const Gear& gear);

  Expression current();
  Expression voltage();  // at the terminals
  Expression temperature() const { return heat_.temperature(); }
  Expression torque_constant() const { return K_m_; }
  Expression back_emf_constant() const { return K_e_; }
  bool current_is_state() const { return is_state_; }
  Expression current_rate();  // of a current that is a state
  const WindingHeat& heat() const { return heat_; }
  Expression copper_loss();

  void close();  // rates of the states, energies; once

 private:
  Expression wanted_voltage();
  Expression limited(Expression x, const std::string& quantity);
  Expression chopped(Expression voltage);
  Expression below_speed_limit(Expression current);
  Expression inductive_voltage();

  EquationsBuilder* builder_;
  const Drive* drive_;
  Expression speed_, ratio_, K_m_, K_e_, R_, L_;
  WindingHeat heat_;
  bool is_state_ = false, stores_energy_ = false;
  std::optional<Expression> current_, voltage_;
};

}  // namespace armature::internal
