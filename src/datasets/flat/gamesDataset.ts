/** Files of games as data sets: each player's turns are a sequence of steps, as training against an opponent has them. */
import {
  type ChosenGame,
  findEnvironment,
  type GameFile,
  type GameRules,
  gameName,
  isCompiled,
  isGameFile,
  type RegisteredEnvironment,
  readGameFile,
} from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import { plainText, sha256Hex } from "../../storage/files.ts";
import type { BinaryFile } from "../../storage/index.ts";
import type { Column } from "../Column.ts";
import type { Dataset, OpenOptions } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { FlatDataset } from "./FlatDataset.ts";

/** Whether a file's first bytes are those of a file of games. */
export const isGames = (head: Uint8Array): boolean => isGameFile(new TextDecoder().decode(head));

/** @throws RangeError for environments that are not games. */
function gameOf(id: string, options: EnvironmentOptions): ChosenGame {
  const env = findEnvironment(id, options);
  if (isCompiled(env) && env.game) return env.game;
  throw new RangeError(`found ${id}, allowed rlkit's games, such as rlkit/ConnectFour`);
}

/** A turn of a player. */
interface Turn {
  readonly observation: readonly number[];
  readonly mask: readonly number[];
  readonly action: number;
}

/** The turns of each player in a game, and what each player got in the end; null of a game that was not played to its end. */
function seatsOf(rules: GameRules, moves: readonly number[]) {
  const seats: readonly Turn[][] = rules.players.map(() => []);
  let state = rules.start;
  for (const move of moves) {
    const player = rules.player(state);
    const legal = rules.legal(state);
    seats[player]?.push({
      observation: rules.observe(state, player),
      mask: Array.from({ length: rules.action_space.n }, (_, action) => Number(legal.includes(action))),
      action: move,
    });
    state = rules.next(state, move);
  }
  return { seats, returns: rules.returns(state) };
}

function tablesOf({ rules, games }: GameFile): ReadonlyMap<string, Column> {
  const { shape } = rules.observation_space;
  const rows: { turn: Turn; next: Turn; reward: number; ended: boolean; last: boolean }[] = [];
  for (const { moves } of games) {
    const { seats, returns } = seatsOf(rules, moves);
    for (const [seat, turns] of seats.entries()) {
      // The result of the last move before a game stopped is not known.
      const known = returns ? turns : turns.slice(0, -1);
      for (const [i, turn] of known.entries()) {
        const last = i === known.length - 1;
        const ended = last && returns !== null;
        rows.push({
          turn,
          next: turns[i + 1] ?? turn,
          reward: ended ? (returns[seat] ?? 0) : 0,
          ended,
          last,
        });
      }
    }
  }
  const column = (
    place: string,
    each: readonly number[],
    of: (row: (typeof rows)[0]) => readonly number[],
  ) => {
    const width = each.reduce((a, b) => a * b, 1);
    const values = Float32Array.from(rows.flatMap(of));
    const read: Column["read"] = (from, to) => values.subarray(from * width, to * width);
    return [place, { place, shape: [rows.length, ...each], read }] as const;
  };
  const choices = [rules.action_space.n];
  return new Map<string, Column>([
    column("observations", shape, ({ turn }) => turn.observation),
    column("next_observations", shape, ({ next }) => next.observation),
    column("action_masks", choices, ({ turn }) => turn.mask),
    column("next_action_masks", choices, ({ next }) => next.mask),
    column("actions", [], ({ turn }) => [turn.action]),
    column("rewards", [], ({ reward }) => [reward]),
    column("terminals", [], ({ ended }) => [Number(ended)]),
    column("timeouts", [], ({ ended, last }) => [Number(last && !ended)]),
  ]);
}

/**
 * @param bytes All bytes of the file.
 * @throws DatasetError naming the line of a game that is unknown, and of a move that is not legal.
 */
export async function gamesDataset(
  bytes: Uint8Array | BinaryFile,
  { source = "data set", sha256 }: OpenOptions,
): Promise<FlatDataset> {
  const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(await bytes.arrayBuffer());
  let file: GameFile;
  try {
    file = readGameFile(plainText(new TextDecoder().decode(all), source), gameOf);
  } catch (error) {
    throw new DatasetError(source, error instanceof Error ? error.message : String(error));
  }
  const identity = { source, sha256: sha256 ?? (await sha256Hex(all)) };
  return FlatDataset.ofColumns(tablesOf(file), { ...identity, game: file });
}

/**
 * @param env The environment of agents that learn from the data.
 * @throws DatasetError for games other than the environment's, or with other options.
 */
export function requireSameGame({ source, game }: Dataset, env: RegisteredEnvironment): void {
  if (!game) return;
  const [found, allowed] = [gameName(game), isCompiled(env) && env.game ? gameName(env.game) : env.id];
  if (found !== allowed)
    throw new DatasetError(source, `found games of ${found}, allowed those of the environment, ${allowed}`);
}
