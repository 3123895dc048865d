// Lines with a width in pixels, and what is made of them: traces, springs, guides.
import type { Object3D, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import type { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

// What a part of the picture stands for: the class of its paths in an SVG, as `armature draw` writes it.
export function as<T extends Object3D>(kind: string, object: T): T {
  object.userData.kind = kind;
  return object;
}

export function polyline(points: Vector3[], material: LineMaterial): Line2 {
  const line = new Line2(new LineGeometry(), material);
  line.frustumCulled = false;
  setPoints(line, points);
  return line;
}

export function setPoints(line: Line2, points: Vector3[]): void {
  const numbers = points.flatMap((point) => [point.x, point.y, point.z]);
  const geometry = line.geometry as LineGeometry;
  if (geometry.attributes.instanceStart?.count !== points.length - 1) {
    geometry.dispose();
    line.geometry = new LineGeometry();
  }
  (line.geometry as LineGeometry).setPositions(numbers);
}

// Strokes that do not hang together, as one: from, to, from, to …
export function strokes(points: Vector3[], material: LineMaterial): LineSegments2 {
  const lines = new LineSegments2(new LineSegmentsGeometry(), material);
  lines.frustumCulled = false;
  setStrokes(lines, points);
  return lines;
}

export function setStrokes(lines: LineSegments2, points: Vector3[]): void {
  if (lines.geometry.attributes.instanceStart?.count !== points.length / 2) {
    lines.geometry.dispose();
    lines.geometry = new LineSegmentsGeometry();
  }
  lines.geometry.setPositions(points.flatMap((point) => [point.x, point.y, point.z]));
}

// Only the first segments.
export function showSegments(line: Line2, count: number): void {
  (line.geometry as LineGeometry).instanceCount = Math.max(0, count);
}

// A line as long strokes and dots, as pitch circles are drawn: the lengths of a stroke, a gap, a dot and a gap follow each other.
export function dashDotted(points: Vector3[], unit: number): Vector3[] {
  const pattern = [3.2, 0.9, 0.6, 0.9].map((part) => part * unit);
  const out: Vector3[] = [];
  let [part, left] = [0, pattern[0]];
  for (let k = 0; k + 1 < points.length; ++k) {
    let from = points[k];
    for (let rest = from.distanceTo(points[k + 1]); rest > 1e-12 * unit && out.length < 4000; ) {
      const to = left < rest ? from.clone().lerp(points[k + 1], left / rest) : points[k + 1];
      if (part % 2 === 0) out.push(from, to);
      const step = Math.min(left, rest);
      [rest, left, from] = [rest - step, left - step, to];
      if (left <= 1e-12 * unit) [part, left] = [(part + 1) % 4, pattern[(part + 1) % 4]];
    }
  }
  return out.length > 0 ? out : [points[0], points[0]];
}

// The pieces of a line, each with its own ends.
export const pairsOf = (points: Vector3[]): Vector3[] => points.slice(1).flatMap((point, k) => [points[k], point]);
