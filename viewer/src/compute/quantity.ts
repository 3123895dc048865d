// A number as somebody types it: alone, in the unit of its control, or with that unit or another one of the same kind.
import type { PageControl } from "./model";

const longest = 60; // characters

interface Quantity {
  number: string;
  unit: string;
  si: number;
}

// null: it is none.
export function quantityIn(text: string, { unit: own = "", units = {}, scale }: PageControl): Quantity | null {
  const found = text.length > longest ? null : /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text);
  if (!found || !Number.isFinite(Number(found[1]))) return null;
  const unit = found[2] || own;
  const inSi = unit === own ? scale : Object.hasOwn(units, unit) ? units[unit] : null;
  return inSi === null ? null : { number: found[1], unit, si: Number(found[1]) * inSi };
}
