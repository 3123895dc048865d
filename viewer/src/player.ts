// The clock of the page: one time that the animation, the plots and the controls share.

type Listener = () => void;

export class Player {
  t: number;
  playing = false;
  speed = 1;
  loop = true;
  private listeners: Listener[] = [];
  private last = 0;
  private frame = 0; // that is asked for next

  constructor(public times: Float64Array) {
    this.t = this.begin;
    // a run that is over in a blink or lasts for hours still takes some seconds to watch
    const length = this.end - this.begin;
    if (length > 0 && length < 0.5) this.speed = nearestSpeed(length / 3);
    if (length > 120) this.speed = nearestSpeed(length / 60);
  }

  // Of another run: the time stays where it is as far as it exists.
  setTimes(times: Float64Array): void {
    this.times = times;
    this.t = Math.min(Math.max(this.t, this.begin), this.end);
    this.changed();
  }

  get begin(): number {
    return this.times.length > 0 ? this.times[0] : 0;
  }
  get end(): number {
    return this.times.length > 0 ? this.times[this.times.length - 1] : 0;
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.begin), this.end);
    this.changed();
  }
  play(): void {
    if (this.t >= this.end) this.t = this.begin;
    this.playing = true;
    this.last = 0;
    cancelAnimationFrame(this.frame); // of a motion that was stopped a moment ago
    this.frame = requestAnimationFrame((now) => this.tick(now));
    this.changed();
  }
  pause(): void {
    this.playing = false;
    this.changed();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  // To the next frame before or after this one.
  step(direction: 1 | -1): void {
    this.playing = false;
    const [i, share] = this.locate(this.t);
    const next = direction > 0 ? i + 1 : share > 1e-9 ? i : i - 1;
    this.seek(this.times[Math.min(Math.max(next, 0), this.times.length - 1)]);
  }

  locate(t: number): [number, number] {
    return locate(this.times, t);
  }

  private tick(now: number): void {
    if (!this.playing) return;
    if (this.last > 0) this.advance(((now - this.last) / 1000) * this.speed);
    this.last = now;
    if (this.playing) this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  private advance(seconds: number): void {
    let t = this.t + seconds;
    if (t >= this.end) {
      if (this.loop) t = this.begin;
      else this.playing = false;
    }
    this.seek(t);
  }
}

// Digits after the point that tell a frame from its neighbors; at least three.
export function timeDigits(times: Float64Array): number {
  const spacing = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : 0;
  return spacing > 0 ? Math.min(9, Math.max(3, Math.ceil(-Math.log10(spacing) - 1e-6))) : 3;
}

// The frame at or before a time, and how far it is on the way to the next one.
export function locate(times: Float64Array, t: number): [number, number] {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  if (high <= low) return [0, 0];
  if (t >= times[high]) return [high, 0];
  const length = times[high] - times[low];
  return [low, length > 0 ? Math.max(0, (t - times[low]) / length) : 0];
}

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

export function nearestSpeed(wanted: number): number {
  return speeds.reduce((best, each) =>
    Math.abs(Math.log(each / wanted)) < Math.abs(Math.log(best / wanted)) ? each : best,
  );
}
