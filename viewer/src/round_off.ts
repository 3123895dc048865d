// Numbers that are nothing but round-off: 1e-17 rad beside angles of one radian. Plots show them as zero; files keep them.
import type { PlotDescription } from "./channels";
import { float32, float64, type RunDocument } from "./document";

const share = 1e-13; // of the largest value of the plot
const leastAngle = 1e-14; // rad, rad/s: a turn is a natural size
const leastShare = 1e-15; // of the natural size of any other quantity of the machine
const leastCurrent = 1e-18; // of what has no natural size, as A and V: some electrons a second

// Of a machine and its motion: the lengths of its bodies, how long it moves, the energy that is in it.
export interface MachineSize {
  length: number; // m
  time: number; // s
  energy: number; // J
}
export const ordinary: MachineSize = { length: 1, time: 1, energy: 1 };

// Units as products of J, m and s.
const powers: Record<string, [number, number, number]> = {
  m: [0, 1, 0],
  s: [0, 0, 1],
  rad: [0, 0, 0],
  J: [1, 0, 0],
  N: [1, -1, 0],
  W: [1, 0, -1],
  Pa: [1, -3, 0],
  kg: [1, -2, 2],
};

// Of "N m/rad" for example; undefined: the unit has other parts.
function naturalSize(unit: string, { length, time, energy }: MachineSize): number | undefined {
  let size = 1;
  for (const [k, side] of unit.split("/").entries())
    for (const factor of side.split(/[ *·()]+/).filter((word) => word && word !== "1")) {
      const [, name, exponent] = /^([A-Za-z]+)\^?(-?\d*)$/.exec(factor) ?? [];
      if (!(name in powers)) return undefined;
      const [J, m, s] = powers[name];
      const one = energy ** J * length ** m * time ** s;
      size *= one ** ((k > 0 ? -1 : 1) * Number(exponent || 1));
    }
  return size;
}

const largestOf = (values: ArrayLike<number>, least = 0) => {
  let largest = least;
  for (let k = 0; k < values.length; ++k) {
    const size = Math.abs(values[k]);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
};

// The energy is that of the motion, or the weight of a body over the length of the machine. A second at least: of a short motion the speeds are not
// higher.
export function machineSize({ scene, series }: RunDocument): MachineSize {
  const places = [...scene.ground, ...scene.bodies.flatMap(({ points }) => points), ...scene.joints.flatMap(({ a, b }) => [a, b])].map(({ at }) => at);
  const own = largestOf([...places.flat(), ...scene.bodies.map(({ beam }) => beam?.length ?? 0)]);
  const inUnit = (unit: string) => series.channels.filter((channel) => channel.unit === unit).reduce((most, { data }) => largestOf(float32(data), most), 0);
  const length = own || inUnit("m") || 1;
  const t = float64(series.t);
  const weight = largestOf(scene.bodies.map((body) => body.mass)) * largestOf(scene.gravity ?? []);
  return { length, time: Math.max(1, t.length > 0 ? t[t.length - 1] - t[0] : 0), energy: Math.max(inUnit("J"), weight * length) };
}

// Errors below this are smaller than any round-off that matters: m, rad, their rates, J. Those of a machine below a millimeter, or below a
// millijoule, are as much smaller.
const small = 1e-3;
export const leastError = (size: number): number => 1e-20 * Math.min(1, size / small);

// The size below which a value of this unit is zero. On logarithmic axes small values are what they are about.
export function leastValue({ log, unit }: Pick<PlotDescription, "log" | "unit">, machine = ordinary): number {
  if (log) return leastError(Math.min(machine.length, machine.energy));
  const natural = naturalSize(unit, machine);
  return unit.startsWith("rad") ? leastAngle : natural === undefined ? leastCurrent : leastShare * natural;
}

// The same in this plot, beside its other values.
export function roundOff({ log, least, series }: Pick<PlotDescription, "log" | "least" | "series">): number {
  return log ? least : Math.max(share * series.reduce((most, { values }) => largestOf(values, most), 0), least);
}
