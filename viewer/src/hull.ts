// Convex hull of points in a plane, counter-clockwise (Andrew's monotone chain).

export type Point = [number, number];

const turn = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

function chain(points: Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    while (hull.length > 1 && turn(hull[hull.length - 2], hull[hull.length - 1], point) <= 1e-12) hull.pop();
    hull.push(point);
  }
  hull.pop();
  return hull;
}

// Of a point from a convex polygon, counter-clockwise; 0 inside, infinite from none.
export function distanceTo(hull: Point[], [x, y]: Point): number {
  const edges = hull.map((a, k): [Point, Point] => [a, hull[(k + 1) % hull.length]]);
  if (hull.length > 2 && edges.every(([a, b]) => turn(a, b, [x, y]) >= 0)) return 0;
  return Math.min(...edges.map(([[ax, ay], [bx, by]]) => {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    return Math.hypot(ax + along * dx - x, ay + along * dy - y);
  }));
}

export function convexHull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  return [...chain(sorted), ...chain(sorted.reverse())];
}
