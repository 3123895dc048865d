// Colors of values. All ramps change in lightness or between blue and orange, so that color-blind readers and gray
// prints keep the order. Mixed in OKLab, where equal distances look equal (Björn Ottosson, 2020).

type Triple = [number, number, number];

// (lightness, chroma, hue in degrees) to linear sRGB, 0 … 1 where a screen can show it.
function linear(lightness: number, chroma: number, hue: number): Triple {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
// What no screen can show is made paler until one can: cut off, it would leave an edge in the ramp.
function shown(lightness: number, chroma: number, hue: number): Triple {
  const fits = (part: number) => linear(lightness, part * chroma, hue).every((x) => x >= 0 && x <= 1);
  let [low, high] = [0, 1];
  if (fits(1)) low = 1;
  else for (let k = 0; k < 12; ++k) [low, high] = fits((low + high) / 2) ? [(low + high) / 2, high] : [low, (low + high) / 2];
  return linear(lightness, low * chroma, hue).map((x) => {
    const clear = Math.min(1, Math.max(0, x));
    return Math.round(255 * (clear <= 0.0031308 ? 12.92 * clear : 1.055 * clear ** (1 / 2.4) - 0.055));
  }) as Triple;
}
const css = ([r, g, b]: Triple) => `rgb(${r} ${g} ${b})`;

const steps = 256;
const table = (color: (share: number) => Triple) => Array.from({ length: steps }, (_, k) => css(color(k / (steps - 1))));

// From dark blue over green to light yellow.
const sequential = table((s) => shown(0.25 + 0.69 * s, 0.1 + 0.05 * s, 285 - 180 * s));
// Blue below zero, orange above; zero is nearly white, or nearly black on dark pages.
const diverging = (dark: boolean) =>
  table((s) => {
    const away = Math.abs(2 * s - 1);
    const lightness = dark ? 0.24 + 0.54 * away : 0.97 - 0.47 * away;
    return shown(lightness, 0.16 * away ** 0.8, s < 0.5 ? 250 : 55);
  });
const divergingLight = diverging(false);
const divergingDark = diverging(true);

export type Ramp = (share: number) => string;

const pick = (colors: string[]): Ramp => (share) =>
  colors[Math.min(steps - 1, Math.max(0, Math.round(share * (steps - 1))))];

export function ramp(signed: boolean, dark: boolean): Ramp {
  return pick(signed ? (dark ? divergingDark : divergingLight) : sequential);
}
