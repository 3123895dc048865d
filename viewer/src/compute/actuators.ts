// What drives and efforts get on top of what the file commands: how much of it a slider offers.
import { float32, type RunDocument } from "../document";
import type { Actuator, PageControl } from "./model";

// Twice what the file commands, if that is a number; else what the drive or effort had most of in the recorded motion, or ten of its unit.
export function most({ series }: RunDocument, { name, unit, commanded, size = 0 }: Actuator): number {
  const own = series.channels.filter((channel) => channel.unit === unit && (channel.name === name || channel.name.startsWith(`${name}.`)));
  const largest = own.reduce((before, { data }) => float32(data).reduce((most, x) => (Math.abs(x) > most ? Math.abs(x) : most), before), 0);
  return Number((commanded ? 2 * Math.abs(commanded) : largest || size || 10).toPrecision(1));
}

// A slider among those of parameters and start values.
export function controlOf(run: RunDocument, actuator: Actuator): PageControl {
  const { name, parameter, unit } = actuator;
  const range = most(run, actuator);
  return { group: "drives", path: [parameter], name, text: `0 ${unit}`.trim(), kind: "slider", value: 0, unit, range: { min: -range, max: range }, parameter, setting: parameter, scale: 1 };
}
