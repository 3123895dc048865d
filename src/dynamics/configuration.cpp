#include "dynamics/configuration.hpp"

#include <cassert>

namespace armature::internal {

namespace {

const step::Row<1>* row(const double* x) { return reinterpret_cast<const step::Row<1>*>(x); }
step::Row<1>* row(double* x) { return reinterpret_cast<step::Row<1>*>(x); }

}  // namespace

Configuration::Configuration(const Equations& equations)
    : nq_(static_cast<int>(equations.q.size())), nv_(static_cast<int>(equations.v.size())), position_of_(nv_, -1) {
  for (const auto& [position, velocity] : equations.quaternions) quaternions_.push_back({position, velocity});
  int velocity = 0;
  for (int position = 0; position < nq_;) {
    bool ball = false;
    for (const Pair& at : quaternions_) ball = ball || (at.q == position && at.v == velocity);
    if (!ball) {
      position_of_[velocity] = position;
      plain_.push_back({position, velocity});
    }
    position += ball ? 4 : 1;
    velocity += ball ? 3 : 1;
  }
  assert(velocity == nv_);
}

bool Configuration::is_quaternion(int position) const {
  for (const Pair& at : quaternions_) {
    if (position >= at.q && position < at.q + 4) return true;
  }
  return false;
}

step::Configuration Configuration::of_step() const {
  return {nq_,
          nv_,
          static_cast<int>(plain_.size()),
          static_cast<int>(quaternions_.size()),
          plain_.data(),
          quaternions_.data()};
}

void Configuration::rate(const double* q, const double* v, double* qdot) const {
  of_step().rate<1>(true, row(q), row(v), row(qdot));
}

void Configuration::velocity(const double* q, const double* qdot, double* v) const {
  of_step().velocity<1>(true, row(q), row(qdot), row(v));
}

void Configuration::advance(double* q, const double* dv) const { of_step().advance<1>(true, row(dv), row(q)); }

void Configuration::normalize(double* q) const { of_step().normalize<1>(true, row(q)); }

}  // namespace armature::internal
