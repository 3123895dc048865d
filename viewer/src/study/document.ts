// The document of a page about many motions: a table of what was varied and what came out of it, with what lies over its
// picture. Written by src/report/study_document.cpp.
import { float32, float64 } from "../document";

export interface Variable {
  name: string;
  unit: string;
  setting: string; // its name for --set; empty: no command sets it
  data: string;
}

export type ScaleKind = "linear" | "log" | "signed" | "classes";

export interface Result {
  name: string;
  unit: string;
  scale: ScaleKind;
  classes: string[]; // of scale "classes": values are numbers of these
  missing: string; // what stands where there is no value: "failed", "lost"
  data: string;
}

// Points of one level lie on a grid; each stands for a box about it.
export interface Level {
  origin: number[];
  spacing: number[];
}

export interface Mark {
  name: string;
  at: number[]; // one a variable
  main: boolean; // the one to take
}

export interface Curve {
  name: string;
  line: boolean; // else separate points
  at: number[][]; // one list a variable
}

export interface Table {
  title: string;
  header: string[];
  rows: string[][];
}

export interface StudyDocument {
  armature: string;
  verb: string;
  status: string;
  sentence: string;
  command: string; // that runs a motion, less the settings of its variables; {name}: the value of a variable; empty: there is none
  command_note: string;
  model: { name: string; file: string; text: string };
  variables: Variable[];
  design: Variable[]; // set in a motion, too, but on no axis
  results: Result[];
  levels: Level[]; // empty: the points are scattered
  level: string; // of each point
  marks: Mark[];
  curves: Curve[];
  tables: Table[];
}

export function embeddedStudy(): StudyDocument {
  const found = document.getElementById("armature-study");
  if (!found?.textContent) throw new Error("this page has no study");
  return JSON.parse(found.textContent) as StudyDocument;
}

// A column of the table: a variable or a result.
export interface Column {
  name: string;
  unit: string;
  label: string; // name and unit
  values: Float32Array | Float64Array;
}

export interface ResultColumn extends Column {
  scale: ScaleKind;
  classes: string[];
  missing: string;
}

const label = (of: { name: string; unit: string }) => (of.unit ? `${of.name} [${of.unit}]` : of.name);

export class StudyTable {
  readonly variables: Column[];
  readonly design: Column[];
  readonly results: ResultColumn[];
  readonly level: Float32Array;
  readonly rows: number;

  constructor(readonly study: StudyDocument) {
    const column = (v: Variable) => ({ name: v.name, unit: v.unit, label: label(v), values: float64(v.data) });
    this.variables = study.variables.map(column);
    this.design = study.design.map(column);
    this.results = study.results.map((r) => ({
      name: r.name,
      unit: r.unit,
      label: label(r),
      values: float32(r.data),
      scale: r.scale,
      classes: r.classes,
      missing: r.missing,
    }));
    this.level = float32(study.level);
    this.rows = this.variables[0]?.values.length ?? 0;
  }
  get scattered(): boolean {
    return this.study.levels.length === 0;
  }
  // Values that a variable takes on the coarsest grid, in order.
  gridValues(variable: number): number[] {
    const values = this.variables[variable].values;
    const found = new Set<number>();
    for (let row = 0; row < this.rows; ++row) if (this.level[row] === 0) found.add(values[row]);
    return [...found].sort((a, b) => a - b);
  }
}
