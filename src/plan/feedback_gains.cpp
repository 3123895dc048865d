#include "plan/feedback_gains.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"
#include "plan/radau.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The equations of one interval, differentiated: unknowns are what stands at its points, and mu, nu; given are the state at its start and
// the shift of all inputs.
struct Transition {
  MatrixXd by_state, by_input;  // of the state at the end
};

// Errors follow the differentiated motion: dynamics at the points, loops at the end. The loops' rows at the end are left to the tangent
// spaces, which the errors are projected on.
Transition transition_of(const Collocation& c, const PlannedMotion& motion, Index k) {
  const int nx = c.nx(), nv = c.nv(), m = c.rows(), nu = c.nu(), point = nx + nv + m, unknowns = 3 * point;
  const double length = motion.mesh[static_cast<std::size_t>(k + 1)] - motion.mesh[static_cast<std::size_t>(k)];
  MatrixXd E = MatrixXd::Zero(unknowns, unknowns), given = MatrixXd::Zero(unknowns, nx + nu);
  // x_j - length sum A_ji f_i = x_0 at the three points: the identity part, and the state at the start on the right.
  for (int j = 0; j < 3; ++j) {
    E.block(j * nx, j * point, nx, nx).setIdentity();
    given.block(j * nx, 0, nx, nx).setIdentity();
  }
  for (int i = 0; i < 3; ++i) {
    // The dynamics at point i, linearized about the motion.
    const double at = radau::c[i];
    VectorXd in(c.point_inputs());
    const double part = motion.mesh[static_cast<std::size_t>(k)] + at * length;
    in << motion.duration, part * motion.duration, motion.states.col(1 + 3 * k + i),
        motion.accelerations.col(3 * k + i), motion.multipliers.col(3 * k + i),
        (1 - at) * motion.inputs.col(k) + at * motion.inputs.col(k + 1), motion.largest;
    const MatrixXd J = c.at_point().jacobian(in);
    const auto by_point = J.middleCols(2, point);
    const auto by_input = J.middleCols(c.point_inputs_u(), nu);
    // What it moves the states of all three points by.
    for (int j = 0; j < 3; ++j) {
      E.block(j * nx, i * point, nx, point) -= length * radau::A(j, i) * by_point.topRows(nx);
      given.block(j * nx, nx, nx, nu) += length * radau::A(j, i) * by_input.topRows(nx);
    }
    // Forces and constraints there stay balanced: rows of accelerations and multipliers.
    const int row = 3 * nx + i * (nv + m);
    E.block(row, i * point, nv + m, point) = by_point.middleRows(c.first_force(), nv + m);
    given.block(row, nx, nv + m, nu) = -by_input.middleRows(c.first_force(), nv + m);
  }
  // The last point is the end of the interval.
  const MatrixXd solution = solve_square(E, given).middleRows(2 * point, nx);
  return {solution.leftCols(nx), solution.rightCols(nu)};
}

// Tangent space of the loops at a node, and the way from states to errors on it and back.
struct Tangent {
  MatrixXd to, from;  // y = to dx, dx = from y
};

// Directions of q in which phi and the norms stay zero, turned to be near to `before`.
MatrixXd free_directions(const MatrixXd& J, const MatrixXd& before) {
  const MatrixXd V = J.rows() == 0 ? MatrixXd::Identity(J.cols(), J.cols()) : null_space(J);
  if (before.size() == 0 || before.cols() != V.cols()) return V;
  const Svd turn = svd(V.transpose() * before, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return V * (turn.U * turn.V.transpose());
}

}  // namespace

std::vector<std::string> state_names(const Collocation& c) {
  const Equations& e = c.machine().equations();
  std::vector<std::string> names;
  for (const auto* list : {&e.positions, &e.velocities})
    for (const Coordinate& each : *list) names.push_back(each.name);
  for (const int k : c.machine().states) names.push_back(e.others[static_cast<std::size_t>(k)].name);
  return names;
}

FeedbackGains feedback_gains(const Collocation& c, const PlannedMotion& motion) {
  const PlannedMachine& machine = c.machine();
  const int nq = c.nq(), nv = c.nv(), nz = c.nz();
  const Index N = motion.intervals();
  FeedbackGains gains;
  gains.inputs = machine.inputs, gains.states = state_names(c);
  // tangent spaces at the nodes
  std::vector<Tangent> tangents;
  MatrixXd before_q, before_v;
  for (Index k = 0; k <= N; ++k) {
    VectorXd in(1 + c.nx());
    in << motion.time(k), motion.node(k);
    const MatrixXd J = c.at_pose().jacobian(in).block(0, 1, c.closures(), nq);
    const MatrixXd N_q = c.rates().jacobian(in).middleCols(1 + nq, nv);
    const MatrixXd V = free_directions(J, before_q);
    const MatrixXd W = free_directions(J.topRows(c.rows()) * N_q, before_v);
    before_q = V, before_v = W;
    Tangent tangent;
    tangent.from = MatrixXd::Zero(c.nx(), V.cols() + W.cols() + nz);
    tangent.from.topLeftCorner(nq, V.cols()) = V;
    tangent.from.block(nq, V.cols(), nv, W.cols()) = W;
    tangent.from.bottomRightCorner(nz, nz).setIdentity();
    tangent.to = tangent.from.transpose();
    tangents.push_back(tangent);
  }
  // weights
  const Index d = tangents.front().from.cols(), free = (d - nz) / 2;
  VectorXd weight = VectorXd::Ones(d);
  weight.segment(free, d - nz - free).setConstant(motion.duration * motion.duration / (16.0 * static_cast<double>(nv)));
  weight.tail(nz).setZero();
  VectorXd effort(c.nu());
  for (int n = 0; n < c.nu(); ++n) {
    const double range =
        machine.input_high[static_cast<std::size_t>(n)] - machine.input_low[static_cast<std::size_t>(n)];
    const double taken = motion.inputs.row(n).maxCoeff() - motion.inputs.row(n).minCoeff();
    constexpr double least_size = 1e-9, effort_weight = 0.01;
    const double size = std::isfinite(range) ? range : std::max(taken, least_size);
    effort[n] = effort_weight / (size * size);
  }
  MatrixXd P = 10 * MatrixXd(weight.asDiagonal());
  gains.K.resize(static_cast<std::size_t>(N)), gains.t.resize(static_cast<std::size_t>(N));
  for (Index k = N - 1; k >= 0; --k) {
    const double h = motion.time(k + 1) - motion.time(k), part = h / motion.duration;
    const Transition step = transition_of(c, motion, k);
    const MatrixXd A =
        tangents[static_cast<std::size_t>(k + 1)].to * step.by_state * tangents[static_cast<std::size_t>(k)].from;
    const MatrixXd B = tangents[static_cast<std::size_t>(k + 1)].to * step.by_input;
    const MatrixXd R = part * MatrixXd(effort.asDiagonal()), Q = part * MatrixXd(weight.asDiagonal());
    const MatrixXd K = solve_square(MatrixXd(R + B.transpose() * P * B), MatrixXd(B.transpose() * P * A));
    P = Q + A.transpose() * P * (A - B * K);
    P = (0.5 * (P + P.transpose())).eval();
    gains.K[static_cast<std::size_t>(k)] = K * tangents[static_cast<std::size_t>(k)].to;
    gains.t[static_cast<std::size_t>(k)] = motion.time(k);
  }
  return gains;
}

}  // namespace armature::internal
