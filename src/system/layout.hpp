// Where the inputs of every program stand: t | q | v | z | d (discrete) | w (outcomes) | p (parameters); some programs take
// more behind them (kernel.hpp).
#pragma once

namespace armature::internal {

struct Layout {
  int nq = 0, nv = 0, nz = 0, nd = 0, nw = 0, np = 0;
  int m = 0;  // constraint rows
  int nx() const { return nq + nv + nz; }
  int t() const { return 0; }
  int q() const { return 1; }
  int v() const { return q() + nq; }
  int z() const { return v() + nv; }
  int d() const { return z() + nz; }
  int w() const { return d() + nd; }
  int p() const { return w() + nw; }
  int size() const { return p() + np; }
  bool operator==(const Layout&) const = default;
};

}  // namespace armature::internal
