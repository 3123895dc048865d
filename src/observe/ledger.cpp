#include "observe/ledger.hpp"

namespace armature::internal {

void drop_ledger(Prepared& prepared) {
  auto e = std::make_shared<Equations>(prepared.system->equations());
  const Layout n = prepared.system->layout();
  Eigen::VectorXd x = prepared.start.x.head(n.nq + n.nv);
  e->z.clear(), e->zdot.clear(), e->others.clear();
  e->constraint_work = e->stabilization_work = -1;
  const Equations& old = prepared.system->equations();
  for (int i = 0; i < n.nz; ++i) {
    if (old.others[i].in_ledger()) continue;
    e->z.push_back(old.z[i]), e->zdot.push_back(old.zdot[i]), e->others.push_back(old.others[i]);
    x.conservativeResize(x.size() + 1);
    x[x.size() - 1] = prepared.start.x[n.nq + n.nv + i];
  }
  prepared.start.x = x;
  prepared.system = std::make_shared<const System>(e, prepared.system->options());
}

}  // namespace armature::internal
