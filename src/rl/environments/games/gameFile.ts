/** Files of games: a line that names the game, and the moves of a game in each further line. */
import type { GameRules } from "../face/GameRules.ts";
import type { EnvironmentOptions } from "../face/HostEnvironment.ts";
import { type PlayedGame, readMoves, writeMoves } from "./records.ts";

/** The first line: `game`, the environment's id, and its options as JSON; those that are left out are the defaults. */
const HEADER = /^\uFEFF?game (\S+)(?: (\{.*\}))?\s*$/;
/** Begins lines that are for people. */
const COMMENT = "#";

/** Whether a text begins as a file of games does. */
export const isGameFile = (head: string): boolean => /^\uFEFF?game [\w/.-]/.test(head);

/** A game among those with its id. */
export interface ChosenGame {
  readonly rules: GameRules;
  /** All of its options (default: it has none). */
  readonly options?: EnvironmentOptions;
}

/** A game as the first line of a file of games names it. */
export const gameName = ({ rules: { id }, options = {} }: ChosenGame): string =>
  [id, ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : [])].join(" ");

export interface GameFile extends ChosenGame {
  readonly games: readonly PlayedGame[];
}

/**
 * Writes games as text.
 * @param games Actions and outcomes of chance from the start of each game.
 * @param note A line for people (default: none).
 * @throws RangeError at the first move that is not legal.
 */
export const writeGameFile = (
  game: ChosenGame,
  games: readonly (readonly number[])[],
  note: string | null = null,
): string =>
  [
    `game ${gameName(game)}`,
    ...(note === null ? [] : [`${COMMENT} ${note}`]),
    ...games.map((moves) => writeMoves(game.rules, moves)),
    "",
  ].join("\n");

/**
 * Reads what {@link writeGameFile} writes. Blank lines and those that begin with # are skipped.
 * @param gameOf Finds a game; throws for names that are none and options that it does not have.
 * @throws RangeError naming the line, and in it the move, what was found, and what was allowed.
 */
export function readGameFile(
  text: string,
  gameOf: (id: string, options: EnvironmentOptions) => ChosenGame,
): GameFile {
  const [first = "", ...lines] = text.split(/\r\n|\r|\n/);
  const [, id, json = "{}"] = HEADER.exec(first) ?? [];
  const at = <T>(line: number, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new RangeError(`line ${line}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  if (id === undefined)
    throw new RangeError(
      `line 1: found ${JSON.stringify(first.slice(0, 60))}, allowed "game" and the name of a game, such as: game rlkit/TicTacToe`,
    );
  const { rules, options } = at(1, () => gameOf(id, JSON.parse(json) as EnvironmentOptions));
  const games = lines.flatMap((line, i): PlayedGame[] => {
    const words = line.trim();
    return words === "" || words.startsWith(COMMENT) ? [] : [at(i + 2, () => readMoves(rules, words))];
  });
  return { rules, ...(options && { options }), games };
}
