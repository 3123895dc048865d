// Ticks of a logarithmic axis, at least two of them: powers of ten, about as many as fit; over less than two decades also 2
// and 5, then more digits, until a range that is narrow has its two.
export function decades(min: number, max: number, most = 8): number[] {
  const [first, last] = [Math.floor(Math.log10(min) + 1e-9), Math.ceil(Math.log10(max) - 1e-9)];
  const every = Math.ceil((last - first) / most) || 1;
  const inside = (tick: number) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9);
  const all = (leads: number[]) => {
    const ticks: number[] = [];
    for (let k = first; k <= last; k += every) for (const lead of leads) ticks.push(Number(`${lead}e${k}`));
    return ticks.filter(inside);
  };
  for (const leads of [last - first <= 2 ? [1, 2, 5] : [1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    const ticks = all(leads);
    if (ticks.length >= 2) return ticks;
  }
  return between(min, max);
}

// Two to five round numbers in a range that holds no two of those above.
function between(min: number, max: number): number[] {
  if (!(max > min)) return [min];
  let step = 10 ** Math.floor(Math.log10(max - min));
  if ((max - min) / step < 3) step /= 2;
  return multiples(step, min, max).map((k) => Number((k * step).toPrecision(12)));
}

// Which multiples of a step lie in a range; none where the range is too narrow for the digits of a number.
export function multiples(step: number, min: number, max: number): number[] {
  const [first, last] = [Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)];
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

// Round numbers inside a range, about `most` of them.
export function roundTicks(min: number, max: number, most = 5): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((lead) => lead * power).find((each) => each >= rough * (1 - 1e-9))!;
  return multiples(step, min, max).map((k) => Number((k * step).toPrecision(12)) + 0);
}
