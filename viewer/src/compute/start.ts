// The start for other values: conditions that hold exactly and loops, closed by Newton's method from the start of the run. Each step is the
// shortest, with lengths measured by the machine's own.

export interface Residuals {
  r: Float64Array; // n
  J: Float64Array; // n rows of nv
}

// The shortest u with J u = -r, by elimination with full pivoting of J J'; rows that depend on others are left out.
export function shortest({ r, J }: Residuals, nv: number, size: Float64Array): Float64Array {
  const n = r.length;
  const rows = Array.from({ length: n }, (_, i) => Float64Array.from({ length: nv }, (_, j) => J[i * nv + j] * size[j]));
  const S = rows.map((a) => rows.map((b) => a.reduce((sum, x, j) => sum + x * b[j], 0)));
  const right = Float64Array.from(r, (x) => -x);
  const scale = S.map((row, i) => Math.sqrt(row[i]) || 1);
  const order: number[] = [];
  const left = new Set(rows.keys());
  const share = (i: number) => S[i][i] / scale[i] ** 2;
  while (left.size > 0) {
    const best = [...left].reduce((a, b) => (share(b) > share(a) ? b : a));
    if (!(share(best) > 1e-14)) break;
    left.delete(best);
    order.push(best);
    for (const i of left) {
      const f = S[i][best] / S[best][best];
      for (const j of left) S[i][j] -= f * S[best][j];
      right[i] -= f * right[best];
    }
  }
  const y = new Float64Array(n);
  order.reverse().forEach((i, k) => {
    const known = order.slice(0, k).reduce((sum, j) => sum + S[i][j] * y[j], 0);
    y[i] = (right[i] - known) / S[i][i];
  });
  return Float64Array.from({ length: nv }, (_, j) => size[j] * rows.reduce((sum, row, i) => sum + row[j] * y[i], 0));
}

// Until the residuals are round-off. residuals: at the present state; move: by a step of velocities. Whether it came there.
export function close(residuals: () => Residuals, move: (step: Float64Array) => void, nv: number, size: Float64Array, linear: boolean): boolean {
  const largest = (list: Float64Array) => list.reduce((most, x) => (Math.abs(x) <= most ? most : Math.abs(x)), 0);
  let before = Infinity;
  for (let pass = 0; pass < 60; ++pass) {
    const at = residuals();
    const open = largest(at.r);
    if (!Number.isFinite(open)) return false;
    if (open < 1e-15 || (open < 1e-9 && open > 0.5 * before)) return true;
    before = open;
    const step = shortest(at, nv, size);
    const length = largest(step.map((x, j) => x / size[j]));
    const most = 0.3; // rad, or lengths of the machine: a longer step may lead to another way of closing the loops
    move(linear || length <= most ? step : step.map((x) => (x * most) / length));
  }
  return false;
}
