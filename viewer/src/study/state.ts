// What of the table is looked at: which columns stand on the axes and give the color, and through which slice.
import type { Column, ResultColumn, StudyTable } from "./document";

export interface Hidden {
  classes: Set<number>; // -1: what is missing
  curves: Set<string>;
}

export class StudyState {
  x: number; // columns: variables, then results
  y: number | null; // null: the result itself, over one variable
  color: number; // result
  log: boolean;
  held: (number | null)[]; // value of each variable that is not on an axis
  hidden: Hidden = { classes: new Set(), curves: new Set() };
  private listeners: (() => void)[] = [];

  constructor(readonly table: StudyTable) {
    this.x = 0;
    this.y = table.variables.length > 1 ? 1 : null;
    this.color = 0;
    this.log = table.results[0]?.scale === "log";
    this.held = table.variables.map(() => null);
    this.holdOthers();
  }

  get result(): ResultColumn {
    return this.table.results[this.color];
  }
  get columns(): Column[] {
    return [...this.table.variables, ...this.table.results.filter((result) => result.scale !== "classes")];
  }
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  change(act: (state: this) => void): void {
    act(this);
    this.holdOthers();
    for (const listener of this.listeners) listener();
  }
  setColor(color: number): void {
    this.change(() => {
      this.color = color;
      this.log = this.result.scale === "log";
      this.hidden.classes.clear();
    });
  }
  setAxis(axis: "x" | "y", column: number): void {
    this.change(() => {
      if (axis === "x" && this.y === column) this.y = this.x;
      if (axis === "y" && this.x === column) this.x = this.y ?? 0;
      this[axis] = column;
    });
  }

  // A grid of more than two variables is looked at in slices; scattered points are all shown.
  private holdOthers(): void {
    this.held = this.held.map((value, k) => {
      if (this.table.scattered || k === this.x || k === this.y) return null;
      const values = this.table.gridValues(k);
      return value ?? values[Math.floor((values.length - 1) / 2)];
    });
  }

  // Rows of the slice that are not hidden, coarse before fine.
  rows(): number[] {
    const { table } = this;
    const rows: number[] = [];
    for (let row = 0; row < table.rows; ++row) if (this.isInSlice(row)) rows.push(row);
    return table.scattered ? rows : rows.sort((a, b) => table.level[a] - table.level[b] || a - b);
  }
  isInSlice(row: number): boolean {
    return this.held.every((value, k) => value === null || this.table.variables[k].values[row] === value);
  }
  isShown(row: number): boolean {
    if (this.result.scale !== "classes") return true;
    return !this.hidden.classes.has(this.result.values[row]);
  }
}
