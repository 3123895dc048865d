// Posts under the bases of machines in space: a base above the floor stands on one, unless something passes below the base, as what hangs on it does.
import { Vector3 } from "three";
import { floorAxes, floorLevel } from "./floor";
import { convexHull, distanceTo } from "./hull";
import type { Swept } from "./places";

// How far a post goes down from a base that is wide by `radius`; 0: there is none.
export function postHeight(base: Vector3, { box, machine }: Swept, down: Vector3, radius: number): number {
  const height = floorLevel(box, down) - base.dot(down);
  const [first, second] = floorAxes(down);
  const ways = machine.map((place) => place.clone().sub(base));
  const lower = ways.filter((way) => way.dot(down) > radius).map((way): [number, number] => [way.dot(first), way.dot(second)]);
  return height > radius && distanceTo(convexHull(lower), [0, 0]) > radius ? height : 0;
}
