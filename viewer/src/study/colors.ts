// Which color a value of a result has, and the scale of the color bar.
import type { Theme } from "../theme";
import type { ResultColumn } from "./document";
import { ramp, type Ramp } from "./ramp";
import { extent, Scale } from "./scale";

// After Okabe and Ito: told apart by color-blind readers; the same on light and dark pages.
const classColors = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#882255"];

export class Coloring {
  readonly scale: Scale; // from 0 to 1 along the color bar
  readonly signed: boolean;
  private ramp: Ramp;

  constructor(
    readonly result: ResultColumn,
    shown: Iterable<number>, // values that are drawn
    readonly log: boolean,
    private theme: Theme,
  ) {
    this.signed = result.scale === "signed" && !log;
    this.ramp = ramp(this.signed, theme.dark);
    const values = [...shown].map((x) => (log ? Math.abs(x) : x));
    const [min, max] = this.signed ? symmetric(values) : extent(values, log);
    this.scale = new Scale(min, max, log, 0, 1);
  }

  get classes(): boolean {
    return this.result.scale === "classes";
  }
  // Null: there is no value.
  of(value: number): string | null {
    if (this.classes) return value >= 0 ? classColor(value) : null;
    if (Number.isNaN(value)) return null;
    if (this.log && value === 0) return this.ramp(0);
    return this.ramp(this.scale.at(this.log ? Math.abs(value) : value));
  }
  along(share: number): string {
    return this.ramp(share);
  }
  get missing(): [string, string] {
    return this.theme.dark ? ["#23292f", "#4b555f"] : ["#e9edf1", "#b3bcc5"]; // ground and hatching
  }
}

export const classColor = (number: number) => classColors[number % classColors.length];

// Bounds about zero that leave out the outermost twentieth: single large values would hide the others.
function symmetric(values: number[]): [number, number] {
  const sizes = values.filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b);
  const most = sizes[Math.floor(0.95 * (sizes.length - 1))] || sizes.at(-1) || 1;
  return [-most, most];
}
