// A grid below a spatial machine, in steps of 1, 2 or 5 times a power of ten.
import { Group, Vector3, type Box3 } from "three";
import { polyline } from "./lines";
import { metal, type Paint } from "./paint";

function niceStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

// How far down it lies: at the lowest corner, less the margin of the box.
export function floorLevel(box: Box3, down: Vector3): number {
  const size = box.getSize(new Vector3());
  const reach = 0.62 * Math.max(size.x, size.y, size.z);
  const half = 0.5 * (Math.abs(size.x * down.x) + Math.abs(size.y * down.y) + Math.abs(size.z * down.z));
  return box.getCenter(new Vector3()).dot(down) + half - 0.05 * reach;
}

export function floorAxes(down: Vector3): [Vector3, Vector3] {
  const first = (Math.abs(down.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0)).cross(down).normalize();
  return [first, down.clone().cross(first)];
}

export function floor(box: Box3, down: Vector3, paint: Paint): Group {
  const group = new Group();
  const size = box.getSize(new Vector3());
  const center = box.getCenter(new Vector3());
  const reach = 0.62 * Math.max(size.x, size.y, size.z);
  const step = niceStep(reach / 6);
  const count = Math.ceil(reach / step);
  const [first, second] = floorAxes(down);
  const base = center.clone().addScaledVector(down, floorLevel(box, down) - center.dot(down));
  const material = paint.line(metal, 1, 0.28);
  for (let k = -count; k <= count; ++k)
    for (const [along, across] of [
      [first, second],
      [second, first],
    ]) {
      const line = base.clone().addScaledVector(across, k * step);
      const half = count * step;
      group.add(
        polyline([line.clone().addScaledVector(along, -half), line.clone().addScaledVector(along, half)], material),
      );
    }
  return group;
}
