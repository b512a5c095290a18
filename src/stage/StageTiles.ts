/** The tiles of a stage, and how one cast replaces another. */
import type { Part, Ready } from "./CastLoader.ts";
import { Play } from "./Play.ts";
import { playedEnvironment } from "./PlayedEnvironment.ts";
import type { PlayedEpisode } from "./PlayedEpisode.ts";
import { SandboxedPlay, type Surroundings } from "./SandboxedPlay.ts";
import { Scene } from "./Scene.ts";
import { originOf, rankSeats } from "./seats.ts";
import { Tile } from "./Tile.ts";
import type { Change } from "./Transition.ts";
import { travelOf } from "./Travel.ts";
import type { TileGrid } from "./tileGrid.ts";

export class StageTiles {
  readonly #scenes = new Map<Part["env"], Scene>();
  readonly #around: Surroundings;
  /** By position; null for a member that cannot play. */
  tiles: readonly (Tile | null)[] = [];
  #seed: number;

  /**
   * @param seed Seed of every player's first episode, so that all start alike.
   * @param around Used by players in a sandbox.
   */
  constructor(seed: number, around: Surroundings) {
    this.#seed = seed;
    this.#around = around;
  }

  /** Whether a member of the cast plays in an environment that is on stage now. */
  continues({ parts }: Ready): boolean {
    return [...parts.values()].some((part) => part !== null && this.#scenes.has(part.env));
  }

  /** What changes when the cast takes over. @param from the grid now. @param to the grid of the cast. */
  changes({ cast }: Ready, from: TileGrid, to: TileGrid): Change {
    const here = this.tiles.map((tile) => ({
      key: tile?.key ?? "",
      fitness: tile?.fitness ?? null,
      champion: tile?.rank === 0,
    }));
    const isRanked = here.some(({ fitness }) => fitness !== null);
    const origins = cast.members.map((member) => originOf(member, here));
    const heirs = new Set(origins);
    const ranks = isRanked ? rankSeats(here) : here.map((_, at) => at);
    return {
      leavers: ranks.map((seat, at) => ({
        place: from.place(at),
        // Where generations differ in size, the end of one shows the grid of the next.
        seat: (isRanked ? to : from).place(seat),
        stays: heirs.has(at),
      })),
      arrivals: cast.members.map(({ note = null }, at) => {
        const origin = origins[at] ?? -1;
        return { place: to.place(at), from: origin < 0 ? null : origin, note };
      }),
      champion: isRanked ? ranks.indexOf(0) : null,
    };
  }

  /** Puts a cast on stage. Players that stay play on, and switch to their new policy at the next episode. */
  enter({ cast, parts }: Ready): void {
    const free = new Map(this.tiles.flatMap((tile) => (tile ? [[tile.key, tile] as const] : [])));
    const staying = cast.members.map(({ key }) => {
      const tile = free.get(key);
      if (tile === undefined || tile.failure !== null || tile.scene.env !== parts.get(key)?.env) return null;
      free.delete(key);
      return tile;
    });
    const ranks = rankSeats(
      cast.members.map(({ fitness = null, champion = false }) => ({ fitness, champion })),
    );
    this.tiles = cast.members.map((member, position) => {
      const { key, colour, fitness = null, note = null, copy = null } = member;
      const part = parts.get(key);
      if (!part) return null;
      const scene = this.#scene(part.env);
      const stays = staying[position];
      stays?.play.follow(part.actor);
      const tile = stays ?? new Tile(key, this.#begin(part, free, scene), colour, scene);
      const rank = fitness === null ? null : (ranks[position] ?? null);
      return Object.assign(tile, { colour, fitness, note, rank, isCopy: copy !== null });
    });
    this.rankCopies();
    for (const tile of free.values()) tile.play.close();
    const shown = new Set(this.tiles.map((tile) => tile?.scene.env));
    for (const env of this.#scenes.keys()) if (!shown.has(env)) this.#scenes.delete(env);
  }

  /** Ranks copies by their scores; equal ones have equal ranks, and none has one where all are equal. */
  rankCopies(): void {
    const copies = this.tiles.filter((tile) => tile?.isCopy === true);
    const scores = copies.map((tile) => tile?.score ?? 0).sort((a, b) => b - a);
    const areEqual = scores[0] === scores.at(-1);
    for (const tile of copies) {
      const rank = areEqual || tile === null ? null : scores.indexOf(tile.score);
      if (tile === null || tile.rank === rank) continue;
      tile.rank = rank;
      tile.isStale = true;
    }
  }

  #scene(env: Part["env"]): Scene {
    const scene = this.#scenes.get(env) ?? new Scene(env);
    this.#scenes.set(env, scene);
    return scene;
  }

  /**
   * Starts an episode, in place of a leaving player of the same environment if there is one.
   * @param free Leaving players; the replaced one is removed.
   */
  #begin({ env, actor }: Part, free: Map<string, Tile>, { draw }: Scene): PlayedEpisode {
    const leaving = [...free.values()].findLast(({ scene }) => scene.env === env);
    if (leaving === undefined) {
      if ("module" in env) return new SandboxedPlay(env, actor, this.#seed, this.#around);
      return new Play(playedEnvironment(env), actor, this.#seed, draw, travelOf(env));
    }
    free.delete(leaving.key);
    leaving.play.follow(actor);
    leaving.play.restart(this.#seed);
    return leaving.play;
  }

  /** Starts everyone's next episode with this seed; players that failed stand still. */
  reseed(seed: number): void {
    this.#seed = seed;
    for (const tile of this.tiles) if (tile?.failure === null) tile.restart(seed);
  }

  close(): void {
    for (const tile of this.tiles) tile?.play.close();
    this.tiles = [];
  }
}
