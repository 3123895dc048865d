#include "integrate/plugin/dense_solver.hpp"

#include <sunmatrix/sunmatrix_dense.h>

#include "integrate/dense_lu.hpp"

namespace armature::internal {
namespace {

Eigen::Map<Eigen::MatrixXd> entries(SUNMatrix matrix) {
  return {SUNDenseMatrix_Data(matrix), SUNDenseMatrix_Rows(matrix), SUNDenseMatrix_Columns(matrix)};
}

struct Content {
  DenseLu lu;
  StopQuestions questions;
};
Content& content_of(SUNLinearSolver solver) { return *static_cast<Content*>(solver->content); }

SUNLinearSolver_Type type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }

// What a linear solver answers, in every version of SUNDIALS: zero for success, more for what a smaller step may mend.
constexpr int success = 0, singular = 1, stopped = -1;

// A singular matrix is tried again with a smaller step, and a run that is stopped is not.
int set_up(SUNLinearSolver solver, SUNMatrix matrix) {
  Content& content = content_of(solver);
  switch (content.lu.factor(entries(matrix), content.questions.interrupted_after)) {
    case DenseLu::Result::done: return success;
    case DenseLu::Result::singular: return singular;
    case DenseLu::Result::stopped: break;
  }
  return stopped;
}

int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, double) {
  Eigen::Map<Eigen::VectorXd> solution(N_VGetArrayPointer(x), N_VGetLength(x));
  solution = Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(b), N_VGetLength(b));
  content_of(solver).lu.solve(entries(matrix), solution);
  return success;
}

int release(SUNLinearSolver solver) {
  delete static_cast<Content*>(solver->content);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return success;
}

}  // namespace

SundialsOwner<SUNLinearSolver> make_dense_solver(SUNContext context, const StopQuestions& questions) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  solver->ops->gettype = type;
  solver->ops->setup = set_up;
  solver->ops->solve = solve;
  solver->ops->free = release;
  solver->content = new Content{{}, questions};
  return SundialsOwner<SUNLinearSolver>(solver);
}

}  // namespace armature::internal
