// The animated picture of a run: a canvas with the machine, its traces and what is written over it.
import { DirectionalLight, Group, HemisphereLight, Scene as Space, Vector2, Vector3, WebGLRenderer, type Mesh } from "three";
import type { RunDocument } from "./document";
import { element } from "./dom";
import { floor } from "./floor";
import { LoadLegend } from "./load_legend";
import { Machine } from "./machine";
import { markKinds, Marks, reactionsIn, type MarkKind } from "./marks";
import { Overlay, type Label } from "./overlay";
import { Paint } from "./paint";
import { Picker, type Picked } from "./pick";
import { swept } from "./places";
import { locate, timeDigits, type Player } from "./player";
import { Poses } from "./poses";
import { sceneSvg } from "./scene_svg";
import type { Theme } from "./theme";
import { Traces } from "./traces";
import { axesOf, downOf, View } from "./view";

// The parts of the picture that belong to one run.
interface Content {
  run: RunDocument;
  poses: Poses;
  machine: Machine;
  traces: Traces | null; // a pinned run has none
  marks: Marks | null; // nor these
  paint: Paint;
  root: Group;
}

export class SceneView {
  view!: View;
  private content!: Content;
  private motion!: RunDocument; // what is held may be drawn with other lengths
  private pinned: Content[] = [];
  private retired: Content[] = [];
  private space = new Space();
  private renderer: WebGLRenderer;
  private overlay = new Overlay();
  private light = new DirectionalLight("#ffffff", 1.9);
  private sky = new HemisphereLight("#ffffff", "#8a929a", 1.6);
  private pending = false;
  beamScale = 1; // by which bending is magnified
  private marked: Record<MarkKind, boolean> = { frames: false, centers: false, velocities: false, reactions: false, free: false };
  beamsColored = false; // by their loads
  private legend = new LoadLegend();
  private held: { frame: Float32Array; t: number | null; letGo: () => void } | null = null; // a frame in place of the motion
  private followed = ""; // body that stays in the middle of the picture; "": none
  private traced = new Map<string, boolean>(); // what the reader chose, by name
  private observer = new ResizeObserver(() => this.resize());

  constructor(
    run: RunDocument,
    readonly player: Player,
    private host: HTMLElement,
    private theme: Theme,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.debug.checkShaderErrors = false; // asking waits for the compiler
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.space.add(this.sky, this.light);
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", `the machine ${run.run.model.name} at the time shown`);
    host.append(this.renderer.domElement, this.overlay.root);
    this.setRun(run);
    this.observer.observe(host);
    player.onChange(() => this.redraw());
  }

  get run(): RunDocument {
    return this.content.run;
  }
  get machine(): Machine {
    return this.content.machine;
  }
  get traces(): Traces {
    return this.content.traces!;
  }

  // Another run takes the place of the one that is shown; the look stays, and so does a frame that is held. fit: it is another machine.
  setRun(run: RunDocument, fit = false): void {
    const before = this.content as Content | undefined;
    if (fit || before?.run.frames.stride !== run.frames.stride) this.showMotion();
    if (fit) this.forget();
    this.motion = run;
    this.show(this.held ? { ...run, scene: this.run.scene } : run, fit);
  }
  private show(run: RunDocument, fit = false): void {
    const before = this.content as Content | undefined;
    this.content = this.build(run, false);
    this.colorBeams(this.beamsColored);
    if (before) this.retire(before);
    const { scene } = run;
    const falls = scene.gravity !== null && Math.hypot(...scene.gravity) > 0;
    this.overlay.describe(this.labels(), falls ? new Vector3(...scene.gravity!) : null, scene.plane);
    const sweep = swept(run, this.content.poses);
    this.content.poses.held = this.held?.frame ?? null;
    if (before && before.run.scene.plane === scene.plane && !fit) this.view.setSwept(sweep);
    else {
      if (before) this.view.dispose();
      this.view = new View(scene, sweep, this.renderer.domElement, () => this.redraw());
      this.resize();
      this.view.reset();
    }
    this.resize();
  }
  // What was chosen for one machine is not for another.
  private forget(): void {
    this.follow("");
    this.beamScale = 1;
    this.beamsColored = false;
  }
  // Runs that are shown faintly behind.
  pin(runs: RunDocument[]): void {
    if (this.waiting) return void this.waiting.push(() => this.pin(runs));
    if (runs.length === this.pinned.length && runs.every((run, k) => run === this.pinned[k].run)) return;
    for (const content of this.pinned) this.retire(content);
    this.pinned = runs.map((run) => this.build(run, true));
    this.resize();
  }
  dispose(): void {
    this.observer.disconnect();
    this.remove(this.content);
    for (const content of [...this.pinned, ...this.retired]) this.remove(content);
    this.view.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
    this.overlay.root.remove();
  }

  // How much the graphics card holds.
  memory(): { geometries: number; textures: number } {
    return { ...this.renderer.info.memory };
  }

  // To the graphics card, for the last picture.
  get calls(): number {
    return this.renderer.info.render.calls;
  }

  private build(run: RunDocument, ghost: boolean): Content {
    const poses = new Poses(run);
    poses.beamScale = this.beamScale;
    const paint = new Paint(this.theme, ghost);
    const sweep = swept(run, poses);
    const { box } = sweep;
    const machine = new Machine(run, poses, paint, sweep);
    const traces = ghost ? null : new Traces(run, poses, paint);
    traces?.list.forEach((trace, i) => traces.show(i, this.traced.get(trace.name) ?? trace.shown));
    const marks = ghost ? null : new Marks(run, poses, paint, machine.unit, machine.axes, box.getSize(new Vector3()).length());
    for (const what of markKinds) marks?.show(what, this.marked[what]);
    const root = new Group().add(machine.root);
    if (traces) root.add(traces.root);
    if (marks) root.add(marks.root);
    if (!run.scene.plane && !ghost) root.add(floor(box, downOf(run.scene.gravity, ""), paint));
    if (ghost && run.scene.plane)
      root.position.addScaledVector(axesOf(run.scene.plane).normal, -2 * box.getSize(new Vector3()).length());
    this.space.add(root);
    return { run, poses, machine, traces, marks, paint, root };
  }
  // Out of sight at once, but kept until the next picture: its shaders serve the run that takes its place.
  private retire(content: Content): void {
    content.root.visible = false;
    this.retired.push(content);
  }
  // What the graphics card holds is given back.
  private remove(content: Content): void {
    this.space.remove(content.root);
    content.root.traverse((part) => (part as Mesh).geometry?.dispose());
    content.paint.dispose();
  }

  private labels(): Label[] {
    const { scene } = this.run;
    const at = (place: { body: number; at: [number, number, number] }) => () =>
      this.content.poses.place(place, ...this.player.locate(this.player.t));
    const now = () => this.player.locate(this.player.t);
    return [
      ...this.machine.letters.map((letter) => ({ text: "M", at: () => letter(...now())[1], symbol: () => letter(...now())[0] })),
      ...scene.bodies.map((body, i) => ({
        text: body.name,
        at: at({ body: i, at: body.beam ? [body.beam.length / 2, 0, 0] : body.center }),
      })),
      ...scene.joints.map((joint) => ({ text: joint.name, at: at(joint.b) })),
    ];
  }

  // While a film is recorded the picture keeps its size and its colors; what would change them waits.
  private waiting: (() => void)[] | null = null;
  freeze(): void {
    if (this.waiting) throw new Error("A film is being recorded.");
    this.waiting = [];
  }
  thaw(): void {
    const { waiting } = this;
    this.waiting = null;
    for (const act of waiting ?? []) act();
  }

  resize(): void {
    if (this.waiting) return void this.waiting.push(() => this.resize());
    const width = this.host.clientWidth || 1;
    const height = this.host.clientHeight || 1;
    const size = this.renderer.getSize(new Vector2());
    const other = size.x !== width || size.y !== height;
    if (other) this.renderer.setSize(width, height);
    this.content.paint.resize(width, height);
    for (const { paint } of this.pinned) paint.resize(width, height);
    this.view.resize();
    if (other && this.drawn) this.draw(); // a canvas of another size is empty until then
    else this.redraw();
  }
  private drawn = false;

  setTheme(theme: Theme): void {
    if (this.waiting) return void this.waiting.push(() => this.setTheme(theme));
    this.theme = theme;
    this.content.paint.apply(theme);
    for (const { paint } of this.pinned) paint.apply(theme);
    this.redraw();
  }
  get hasReactions(): boolean {
    return reactionsIn(this.run).length > 0;
  }
  // What the reader has chosen to see.
  get chosen(): Record<MarkKind | "names", boolean> {
    return { ...this.marked, names: this.overlay.labelled };
  }
  // Times of singular poses at which the document says what can move.
  get singularTimes(): number[] {
    return (this.run.free ?? []).map(({ t }) => t);
  }
  showMarks(what: MarkKind, shown: boolean): void {
    this.marked[what] = shown;
    this.content.marks?.show(what, shown);
    this.resize();
  }
  // A body that stays where it is in the picture while everything else moves; "": none.
  follow(body: string): void {
    this.followed = body;
    this.before = null;
    this.redraw();
  }
  private before: Vector3 | null = null; // where it was drawn last
  private moveCamera(frame: number, share: number): void {
    const body = this.run.scene.bodies.findIndex((each) => each.name === this.followed);
    if (body < 0) return;
    const { center } = this.run.scene.bodies[body];
    const at = this.content.poses.place({ body, at: center }, frame, share);
    if (this.before) this.view.move(at.clone().sub(this.before));
    this.before = at;
  }
  showTrace(index: number, shown: boolean): void {
    this.traced.set(this.traces.list[index].name, shown);
    this.traces.show(index, shown);
    this.resize();
  }
  showLabels(shown: boolean): void {
    this.overlay.labelled = shown;
    this.redraw();
  }
  scaleBeams(scale: number): void {
    this.beamScale = scale;
    for (const { poses } of [this.content, ...this.pinned]) poses.beamScale = scale;
    this.redraw();
  }
  // Beams colored by stress or bending moment, up to the largest of the motion.
  colorBeams(on: boolean): void {
    this.beamsColored = on;
    const largest = on ? this.content.poses.largestLoads() : null;
    this.machine.colorBeams(largest);
    this.legend.show(largest);
    this.redraw();
  }
  get loadLegend(): HTMLElement {
    return this.legend.root;
  }
  get background(): string {
    return this.theme.background;
  }
  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }
  // What lies at a place of the picture, px.
  pick(x: number, y: number, radius: number): Picked | null {
    this.machine.root.updateMatrixWorld(true);
    return new Picker(this.run, this.content.poses, this.machine, this.view, this.canvas).pick(x, y, ...this.player.locate(this.player.t), radius);
  }
  // One frame in place of the motion, at a time of its own; null: at none. drawn: the run with the lengths of this frame. letGo: what ends it.
  hold(frame: Float32Array, t: number | null, drawn: RunDocument, letGo: () => void): void {
    this.held = { frame, t, letGo };
    if (drawn !== this.run) this.show(drawn);
    this.content.poses.held = frame;
    this.redraw();
  }
  // The motion again.
  release(): void {
    this.content.poses.held = this.held = null;
    if (this.run !== this.motion) this.show(this.motion);
    this.redraw();
  }
  // Whatever holds a frame lets go of it.
  showMotion(): void {
    this.held?.letGo();
  }

  get compass(): SVGElement {
    return this.overlay.compass;
  }
  get hasBeams(): boolean {
    return this.run.scene.bodies.some((body) => body.beam);
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.pending && this.draw());
  }

  // The picture as it is, as curves, with its names and the time.
  svg(): string {
    this.draw();
    const { clientWidth, clientHeight } = this.canvas;
    const time = { text: this.timeText, x: 10, y: clientHeight - 10, size: 12, motor: false };
    return sceneSvg(this.space, this.view.camera, clientWidth, clientHeight, this.theme, [...this.overlay.written(), time]);
  }
  // Of what is shown; "": a pose by hand is at no time.
  private get timeText(): string {
    const t = this.held ? this.held.t : this.player.t;
    return t === null ? "" : `t = ${t.toFixed(timeDigits(this.player.times))} s`;
  }
  // The picture as it is, on a canvas of its own. Films want even numbers of pixels.
  snapshot(): HTMLCanvasElement {
    const { width, height } = this.renderer.domElement;
    const canvas = element("canvas");
    [canvas.width, canvas.height] = [2 * Math.ceil(width / 2), 2 * Math.ceil(height / 2)];
    this.drawTo(canvas, this.player.t);
    return canvas;
  }
  // The picture at a time, with its background, its names and the time.
  drawTo(canvas: HTMLCanvasElement, t: number): void {
    this.player.t = t;
    this.draw();
    const context = canvas.getContext("2d")!;
    context.fillStyle = this.theme.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.renderer.domElement, 0, 0);
    const ratio = this.renderer.getPixelRatio();
    context.save();
    context.scale(ratio, ratio);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = this.theme.text;
    for (const { text, x, y, size, motor } of this.overlay.written()) {
      context.save();
      context.font = `${motor ? "600 " : ""}${size}px system-ui, sans-serif`;
      [context.strokeStyle, context.lineWidth, context.lineJoin] = [this.theme.background, 3, "round"];
      if (motor) context.strokeText(text, x, y);
      context.fillStyle = motor ? this.theme.mark : this.theme.text;
      context.fillText(text, x, y);
      context.restore();
    }
    context.fillStyle = this.theme.text;
    context.fillText(this.timeText, 10, canvas.height / ratio - 10);
    context.restore();
  }

  // Bodies where they are now, without a picture.
  place(): void {
    this.machine.update(...this.player.locate(this.player.t));
  }
  draw(): void {
    this.pending = false; // a picture that was asked for is this one
    const camera = this.view.camera;
    camera.updateMatrixWorld();
    for (const { machine } of [this.content, ...this.pinned]) machine.face(camera);
    const [frame, share] = this.player.locate(this.player.t);
    this.machine.update(frame, share);
    this.traces.update(frame);
    this.content.marks?.update(frame, share);
    this.moveCamera(frame, share);
    for (const { machine, poses } of this.pinned) machine.update(...locate(poses.times, this.player.t));
    this.sky.position.copy(camera.up); // where it is bright
    this.light.position.copy(camera.position).addScaledVector(camera.up, 0.4 * camera.position.length());
    this.renderer.render(this.space, camera);
    this.drawn = true;
    this.overlay.update(camera, this.machine.unit / this.view.pixel());
    for (const content of this.retired.splice(0)) this.remove(content);
  }
}

// Why there is no picture of a run; "": there is one.
export function undrawn({ scene, frames }: RunDocument): string {
  if (scene.bodies.length + scene.drawings.length === 0) return "There is nothing to draw: the model has no bodies. A Lagrangian model can list lines under draw.";
  return frames.count === 0 ? "Nothing was recorded." : "";
}
export const cannotDraw = (error: unknown) => `This browser cannot draw the machine (${String(error)}). The plots are complete.`;

// The picture of a run, or what to say in its place.
export function sceneOrMessage(run: RunDocument, player: Player, host: HTMLElement, theme: Theme): SceneView | null {
  const say = (sentence: string) => (host.append(element("p", { class: "message" }, sentence)), null);
  if (undrawn(run)) return say(undrawn(run));
  try {
    return new SceneView(run, player, host, theme);
  } catch (error) {
    return say(cannotDraw(error));
  }
}
