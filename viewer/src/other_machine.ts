// Whether another run is of another machine, by the names of bodies. A run without bodies, of a Lagrangian model, is not told apart.
import type { RunDocument } from "./document";

const most = 4; // names in a sentence

const namesOf = ({ scene }: RunDocument) => scene.bodies.map(({ name }) => name);
const without = (names: string[], others: string[]) => names.filter((name) => !others.includes(name));

export function sharesNone(own: RunDocument, other: RunDocument): boolean {
  const [here, there] = [namesOf(own), namesOf(other)];
  return here.length > 0 && there.length > 0 && without(here, there).length === here.length;
}

// A sentence that says so; "": it is of the same machine.
export function otherMachine(own: RunDocument, other: RunDocument, name: string): string {
  const [here, there] = [namesOf(own), namesOf(other)];
  if (here.length === 0 || there.length === 0) return "";
  if (sharesNone(own, other)) return `${name} is another machine: no body has the same name, so it is not drawn over this one.`;
  const alone = [...without(here, there), ...without(there, here)];
  const rest = alone.length > most ? [`${alone.length - most} more`] : [];
  const list = [...alone.slice(0, most), ...rest];
  return alone.length > 0 ? `${name} is another machine: only one of the two has ${list.join(", ").replace(/, ([^,]*)$/, " and $1")}.` : "";
}
