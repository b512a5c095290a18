/** The tiles of a stage, and how one cast replaces another. */
import type { Part, Ready } from "./Company.ts";
import { Play } from "./Play.ts";
import { playedEnvironment } from "./PlayedEnvironment.ts";
import type { Playing } from "./Playing.ts";
import { SandboxedPlay, type Surroundings } from "./SandboxedPlay.ts";
import { Scene } from "./Scene.ts";
import { Tile } from "./Tile.ts";
import type { Change } from "./Transition.ts";
import { travelOf } from "./Travel.ts";
import type { TileGrid } from "./tileGrid.ts";

export class Troupe {
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

  /** The change of each tile when the cast takes over. */
  changes({ cast }: Ready, grid: TileGrid): readonly Change[] {
    const here = this.tiles.map((tile) => tile?.key);
    return cast.members.map(({ key, ancestors }, position) => {
      const stays = here[position] === key;
      const from = [key, ...ancestors].map((one) => here.indexOf(one)).find((place) => place >= 0);
      return {
        place: grid.place(position),
        from: stays || from === undefined ? null : grid.place(from),
        leaves: !stays && position < here.length,
      };
    });
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
    this.tiles = cast.members.map(({ key, colour }, position) => {
      const part = parts.get(key);
      if (!part) return null;
      const stays = staying[position];
      const scene = this.#scene(part.env);
      if (!stays) return new Tile(key, this.#begin(part, free, scene), colour, scene);
      stays.colour = colour;
      stays.play.follow(part.actor);
      return stays;
    });
    for (const tile of free.values()) tile.play.close();
    const shown = new Set(this.tiles.map((tile) => tile?.scene.env));
    for (const env of this.#scenes.keys()) if (!shown.has(env)) this.#scenes.delete(env);
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
  #begin({ env, actor }: Part, free: Map<string, Tile>, { draw }: Scene): Playing {
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
