/** The tiles of a stage, and how one cast takes the place of another. */
import type { DrawEnvironment, RegisteredEnvironment } from "../rl/environments/index.ts";
import { drawEnvironment } from "../rl/environments/index.ts";
import type { Ready } from "./Company.ts";
import { frameRateOf } from "./frameRateOf.ts";
import { Play } from "./Play.ts";
import { playedEnvironment } from "./PlayedEnvironment.ts";
import { ReturnScale } from "./ReturnScale.ts";
import { Tile } from "./Tile.ts";
import type { Change } from "./Transition.ts";
import type { TileGrid } from "./tileGrid.ts";

export class Troupe {
  readonly env: RegisteredEnvironment;
  readonly draw: DrawEnvironment | null;
  readonly scale: ReturnScale;
  /** Milliseconds of a step. */
  readonly frame: number;
  /** Of those who can play, by position; null for one who cannot. */
  tiles: readonly (Tile | null)[] = [];
  #seed: number;

  /** @param seed That every player's first episode begins with, so that they begin alike. */
  constructor(env: RegisteredEnvironment, seed: number) {
    this.env = env;
    this.#seed = seed;
    this.draw = drawEnvironment(env.id, env.options ?? {});
    this.scale = new ReturnScale(env.reward_threshold);
    this.frame = 1000 / frameRateOf(env);
  }

  /** What happens to each tile when `cast` takes over. */
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

  /** Puts a cast on stage: who stays plays on, and takes his new policy with the next episode. */
  enter({ cast, actors }: Ready): void {
    const before = new Map(this.tiles.flatMap((tile) => (tile ? [[tile.key, tile] as const] : [])));
    const staying = cast.members.map(({ key }) => before.get(key));
    for (const tile of staying) if (tile) before.delete(tile.key);
    const free = [...before.values()];
    this.tiles = cast.members.map(({ key, colour }, position) => {
      const actor = actors.get(key);
      const stays = staying[position];
      if (!actor) {
        stays?.play.close();
        return null;
      }
      if (stays) {
        stays.colour = colour;
        if (stays.failure === null) {
          stays.play.follow(actor);
          return stays;
        }
        free.push(stays);
      }
      const play = free.pop()?.play;
      if (!play) return new Tile(key, new Play(playedEnvironment(this.env), actor, this.#seed), colour);
      play.follow(actor);
      play.restart(this.#seed);
      return new Tile(key, play, colour);
    });
    for (const tile of free) tile.play.close();
  }

  /** Everyone's next episode begins now, with this seed. */
  reseed(seed: number): void {
    this.#seed = seed;
    for (const tile of this.tiles) tile?.restart(seed);
  }

  close(): void {
    for (const tile of this.tiles) tile?.play.close();
    this.tiles = [];
  }
}
