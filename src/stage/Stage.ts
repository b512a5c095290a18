/** A canvas of policies that play step by step, each in its own environment instance. */
import { WasmDevice } from "../kernels/devices.ts";
import { Allowance } from "./Allowance.ts";
import { CastLoader, type Ready } from "./CastLoader.ts";
import type { OwnLanes } from "./OwnLanes.ts";
import { ownPictureSize, type Painter } from "./Painter.ts";
import type { PlayedEpisode } from "./PlayedEpisode.ts";
import type { Surroundings } from "./SandboxedPlay.ts";
import { StageTiles } from "./StageTiles.ts";
import type { Cast, FromStage, StageSize, StageTheme } from "./stageProtocol.ts";
import { readingOf, type Tile } from "./Tile.ts";
import { type Change, durationOf, isVisible, momentAt } from "./Transition.ts";
import { tileGrid } from "./tileGrid.ts";

interface StageParts {
  readonly painter: Pick<
    Painter,
    "size" | "resize" | "theme" | "clear" | "tile" | "keep" | "drop" | "moment"
  >;
  readonly still: boolean;
  readonly rated: boolean;
  readonly watched: boolean;
  readonly tell: (message: FromStage) => void;
  /** Calls back before the next frame, with the time in milliseconds. */
  readonly nextFrame: (frame: (now: number) => void) => void;
  readonly now: () => number;
  readonly later: (milliseconds: number, act: () => void) => void;
  /** Lanes for players in user-written environments. */
  readonly lanes: OwnLanes;
}

const FIRST_SEED = 1;
/** Time for which players are prepared without handling messages while nobody plays, ms. */
const AT_ONCE = 100;
/** Maximum cost of one sandbox answer, ms. A longer one waited for a busy processor. */
const DEAREST_ANSWER = 10;
/** Milliseconds for which words on a tile are shown, and of these the time in which they fade. */
const NOTE = { shown: 3200, fades: 700 } as const;
/** Pictures a second of all tiles together: many small ones are drawn less often than they step. */
const MOST_PICTURES = 5000;
/** Milliseconds between readings. */
const READINGS = 250;

export class Stage {
  readonly #parts: StageParts;
  readonly #device = new WasmDevice();
  readonly #allowance = new Allowance(1);
  #onStage: StageTiles | null = null;
  #loader: CastLoader | null = null;
  /** Cast to prepare after the one in preparation is on stage. */
  #later: Cast | null = null;
  /** A cast that is replacing the current one, shown as an animation. */
  #turning: { readonly ready: Ready; readonly change: Change; readonly since: number } | null = null;
  /** Height below each picture that is reserved for the page, CSS pixels. */
  #caption = 0;
  /** When the cast entered, for the words on its members. */
  #entered = Number.NEGATIVE_INFINITY;
  #playing = true;
  #speed = 1;
  #seen = true;
  #seed = FIRST_SEED;
  #asked = false;
  #before: number | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  /** The cast whose first step has not been reported yet. */
  #awaited: number | null = null;
  /** Index of the tile that is advanced first, so that all tiles get a share of a short time. */
  #first = 0;

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  /**
   * Prepares a cast and puts it on stage, after the one in preparation. If several casts wait, only the last
   * one is used. An error that keeps every member from playing, such as an unknown environment, is reported
   * as a problem.
   */
  async cast(cast: Cast): Promise<void> {
    if (this.#loader !== null || this.#turning !== null) {
      this.#later = cast;
      return;
    }
    const { rated, watched, tell, lanes } = this.#parts;
    const problem = (key: string, message: string): void => tell({ kind: "problem", key, message });
    const loader = new CastLoader({ device: this.#device, lanes, rated, watched, problem }, cast);
    this.#loader = loader;
    try {
      await loader.load();
    } catch (error) {
      this.#loader = null;
      const message = error instanceof Error ? error.message : String(error);
      tell({ kind: "problem", key: null, message });
      this.#castLater();
    }
    this.#request();
  }

  /** Ends all players. */
  close(): void {
    this.#seen = false;
    this.#onStage?.close();
    this.#onStage = null;
  }

  #castLater(): void {
    const later = this.#later;
    this.#later = null;
    if (later !== null) void this.cast(later);
  }

  play(playing: boolean, speed: number): void {
    this.#playing = playing;
    this.#speed = speed;
    this.#wake();
  }

  /** Takes one step of every player and draws the result. */
  step(): void {
    for (const tile of this.#tiles()) {
      this.#safely(tile, () => tile.step());
      this.#tellOutputs(tile);
    }
    this.#redraw();
    this.#read(this.#parts.now());
  }

  reseed(seed: number): void {
    this.#seed = seed;
    this.#onStage?.reseed(seed);
    this.#redraw();
    this.#read(this.#parts.now());
  }

  /** Whether a player's result is still on its way from a sandbox. */
  get awaits(): boolean {
    return this.#tiles().some(({ play }) => play.busy);
  }

  set seen(seen: boolean) {
    this.#seen = seen;
    this.#wake();
  }

  set share(share: number) {
    this.#allowance.share = share;
  }

  resize(size: StageSize): void {
    this.#finishTurn();
    this.#parts.painter.resize(size);
    this.#redraw();
  }

  dress(theme: StageTheme): void {
    this.#parts.painter.theme = theme;
    this.#redraw();
  }

  #tiles(): Tile[] {
    return (this.#onStage?.tiles ?? []).filter((tile) => tile !== null);
  }

  #wake(): void {
    this.#before = null;
    for (const tile of this.#tiles()) tile.wake();
    this.#request();
  }

  /** Requests another frame if there is something to do. */
  #request(): void {
    const busy = this.#loader !== null || this.#turning !== null;
    const plays = this.#playing && this.#tiles().length > 0;
    if (this.#asked || !this.#seen || !(busy || plays)) return;
    this.#asked = true;
    this.#parts.nextFrame((now) => {
      this.#asked = false;
      if (this.#seen) this.#frame(now);
      this.#request();
    });
  }

  #frame(now: number): void {
    this.#allowance.earn(now - (this.#before ?? now));
    this.#before = now;
    const start = this.#parts.now();
    const awaited = this.#tiles().length === 0;
    if (this.#turning !== null) this.#turn(now);
    else {
      this.#prepare(now, start);
      if (this.#playing) this.#advance(now, start);
    }
    // The user waits for the first players, so the allowance is not charged for preparing them.
    if (!awaited) this.#allowance.spend(this.#parts.now() - start);
    if (now - this.#readAt >= READINGS) this.#read(now);
  }

  /**
   * Works on the next cast; while nobody plays yet, it works without pauses until `AT_ONCE` ms after `start`.
   */
  #prepare(now: number, start: number): void {
    const loader = this.#loader;
    if (loader === null) return;
    const awaited = this.#tiles().length === 0;
    if (this.#allowance.left > 0 || awaited) loader.prepareOne();
    while (awaited && this.#parts.now() - start < AT_ONCE && loader.prepareOne());
    const { ready } = loader;
    if (ready === null) return;
    this.#loader = null;
    const { painter, still } = this.#parts;
    if (this.#onStage?.continues(ready) === false) {
      this.#onStage.close();
      this.#onStage = null;
    }
    const turns = this.#onStage !== null && !still && this.#tiles().length > 0;
    if (!turns) return this.#enter(ready);
    const { members, caption = 0 } = ready.cast;
    const change = this.#onStage?.changes(
      ready,
      this.#grid(this.#onStage.tiles.length),
      this.#grid(members.length, caption),
    );
    if (!change || !isVisible(change)) return this.#enter(ready);
    // The words and the champion's frame would move with the pictures, and be copied.
    this.#redraw({ bare: true });
    painter.keep();
    this.#turning = { ready, change, since: now };
    this.#parts.tell({ kind: "changing", cast: ready.cast.id });
  }

  #turn(now: number): void {
    const turning = this.#turning;
    if (turning === null) return;
    const t = (now - turning.since) / durationOf(turning.change);
    if (t >= 1) this.#finishTurn();
    else this.#parts.painter.moment(momentAt(turning.change, t));
  }

  #finishTurn(): void {
    const turning = this.#turning;
    if (turning === null) return;
    this.#turning = null;
    this.#parts.painter.drop();
    this.#enter(turning.ready);
  }

  #enter(ready: Ready): void {
    this.#onStage ??= new StageTiles(this.#seed, this.#surroundings());
    this.#onStage.enter(ready);
    this.#caption = ready.cast.caption ?? 0;
    this.#entered = this.#parts.now();
    this.#awaited = ready.cast.id;
    for (const tile of this.#tiles()) {
      tile.wake();
      if (this.#parts.still) this.#pose(tile, ready.cast.pose ?? 0);
    }
    this.#redraw();
    this.#parts.tell({ kind: "shown", cast: ready.cast.id });
    // If nothing moves, no frame sends the readings.
    this.#read(this.#parts.now());
    const later = this.#later;
    this.#later = null;
    if (later !== null) void this.cast(later);
  }

  /** Lets a member take steps unseen, so that its still shows more than the start. */
  #pose(tile: Tile, steps: number): void {
    for (let i = tile.play.steps; i < steps && !tile.play.ended && !tile.play.busy; i++)
      this.#safely(tile, () => tile.play.step());
  }

  /** Takes the steps that are due, for as many tiles as the allowance permits after `start`. */
  #advance(now: number, start: number): void {
    const shown = this.#onStage;
    if (shown === null) return;
    const { tiles } = shown;
    const grid = this.#grid(tiles.length);
    const late = start + this.#allowance.left;
    const pause = (1000 * tiles.length) / MOST_PICTURES;
    for (let i = 0; i < tiles.length; i++) {
      const position = (this.#first + i) % tiles.length;
      if (this.#parts.now() >= late) {
        this.#first = position;
        return;
      }
      const tile = tiles[position];
      if (!tile) continue;
      if (this.#safely(tile, () => tile.advance(now, this.#speed))) {
        tile.isStale = true;
        this.#tellMoving();
        this.#tellOutputs(tile);
      }
      if (!tile.isStale || now - tile.drawnAt < pause) continue;
      this.#draw(tile, position, grid);
      tile.isStale = false;
      tile.drawnAt = now;
    }
  }

  #tellMoving(): void {
    if (this.#awaited === null) return;
    this.#parts.tell({ kind: "moving", cast: this.#awaited });
    this.#awaited = null;
  }

  #tellOutputs({ key, play }: Tile): void {
    if (!this.#parts.watched) return;
    // A network that serves several agents names its layers once for each; the first agent's are told.
    const layers = new Map<string, Float32Array>();
    for (const [name, values] of play.layerOutputs())
      if (!layers.has(name)) layers.set(name, Float32Array.from(values));
    if (layers.size === 0) return;
    const told = Array.from(layers, ([name, values]) => ({ name, values }));
    this.#parts.tell({ kind: "outputs", key, layers: told });
  }

  #surroundings(): Surroundings {
    const { lanes, now, later } = this.#parts;
    return {
      lanes,
      now,
      later,
      size: () => ownPictureSize(this.#grid(this.#onStage?.tiles.length ?? 1), this.#parts.painter.size),
      changed: (play) => this.#changed(play),
      failed: (play, { message }) => {
        const tile = this.#tiles().find((one) => one.play === play);
        if (tile) this.#stop(tile, message);
      },
      spent: (milliseconds) => this.#allowance.spend(Math.min(DEAREST_ANSWER, milliseconds)),
    };
  }

  /** Shows a new result of a sandboxed player. */
  #changed(play: PlayedEpisode): void {
    const tiles = this.#onStage?.tiles ?? [];
    const position = tiles.findIndex((tile) => tile?.play === play);
    const tile = tiles[position];
    if (!tile) return;
    if (this.#turning === null) this.#draw(tile, position, this.#grid(tiles.length));
    if (play.steps > 0) this.#tellMoving();
    this.#tellOutputs(tile);
    // While playing is paused, no frame sends the readings.
    if (!this.#playing) this.#read(this.#parts.now());
  }

  /** Reports an error of a player once; the player then stands still until the next cast. */
  #safely<T>(tile: Tile, act: () => T): T | null {
    try {
      return tile.failure === null ? act() : null;
    } catch (error) {
      this.#stop(tile, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  #stop(tile: Tile, message: string): void {
    tile.failure = message;
    this.#parts.tell({ kind: "problem", key: tile.key, message });
  }

  #grid(count: number, caption = this.#caption) {
    const { width, height } = this.#parts.painter.size;
    return tileGrid(count, width, height, caption);
  }

  /** @param bare Whether only what belongs to the picture is drawn. */
  #draw(tile: Tile, position: number, grid: ReturnType<typeof tileGrid>, bare = false): void {
    const { play, colour, scene, fitness, note, rank, isCopy } = tile;
    const { picture: paint, total, travelled } = play;
    if (paint === null) return;
    // Selection looks at the last evaluation; before the first, the bar follows the episode.
    const measured = fitness ?? total;
    scene.scale.see(measured);
    const bar = scene.scale.lengthOf(measured);
    const others = Math.max(1, (this.#onStage?.tiles.length ?? 1) - 1);
    this.#parts.painter.tile(grid.place(position), {
      paint,
      colour,
      bar,
      travelled,
      // The champion's colour is not for copies.
      standing: rank === null ? null : (others - rank) / (isCopy ? others + 1 : others),
      paleness: isCopy && rank !== null ? rank / others : 0,
      framed: rank === 0 && !isCopy && !bare,
      words: note === null || bare ? null : { text: note, opacity: this.#noteStrength() },
    });
  }

  /** Opacity of the words on tiles. Stills keep them. */
  #noteStrength(): number {
    if (this.#parts.still) return 1;
    const passed = this.#parts.now() - this.#entered;
    return Math.min(1, Math.max(0, (NOTE.shown - passed) / NOTE.fades));
  }

  #redraw({ bare = false } = {}): void {
    if (this.#turning !== null) return;
    const tiles = this.#onStage?.tiles ?? [];
    const grid = this.#grid(tiles.length);
    this.#parts.painter.clear();
    for (const [position, tile] of tiles.entries()) if (tile) this.#draw(tile, position, grid, bare);
  }

  #read(now: number): void {
    this.#readAt = now;
    this.#onStage?.rankCopies();
    this.#parts.tell({ kind: "readings", readings: this.#tiles().map(readingOf) });
  }
}
