// Elements in one line.

type Attributes = Record<string, string | ((event: Event) => void)>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A list that lies over the page: Escape closes it, and so does the focus when it goes elsewhere.
export function popup(details: HTMLDetailsElement): HTMLDetailsElement {
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary")!.focus();
  });
  details.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !details.contains(relatedTarget as Node)) details.open = false;
  });
  return details;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

// A number for people: four digits, powers of ten where they are needed.
export function written(x: number | null | undefined): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const size = Math.abs(x);
  if (x === 0) return "0";
  if (Number.isInteger(x) && size < 1e7) return String(x);
  if (size >= 1e5 || size < 1e-3)
    return x
      .toExponential(2)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  return String(Number(x.toPrecision(4)));
}

// A number beside a picture: with a minus sign, which is as long as a plus.
export const typeset = (x: number | null | undefined) => written(x).replaceAll("-", "−");
