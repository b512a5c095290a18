/** The face of a turn-based game: pure functions over states that are lists of numbers. */
import type { Box, Discrete, Symmetry } from "../../spaces.ts";

export type { Symmetry };

/**
 * A state: the numbers of the compiled environment's variables, in their order. States are values: no function changes
 * one.
 */
export type GameState = readonly number[];

/** What {@link GameRules.player} gives where no player moves: chance draws one of the outcomes. */
export const CHANCE = -1;

/** An outcome of chance and its probability. */
export type ChanceOutcome = readonly [outcome: number, probability: number];

/** A simple player of a game's own. */
export interface OwnRule {
  /** Its name: manifests put `rule:` before it. */
  readonly name: "follow" | "hold_at_20";
  /** Its move where a player has the turn. */
  readonly move: (state: GameState) => number;
}

/**
 * The rules of a game in which players move in turn, for two players or more. They are what the workbench, searches and
 * exact computations step; the compiled environment of the same game (`compiledGame`) has the same states at players'
 * turns, and draws what chance decides.
 *
 * The terms are those of PettingZoo's AEC API (Terry et al. 2021, arXiv 2009.14471) and, for chance, of OpenSpiel
 * (Lanctot et al. 2019, arXiv 1908.09453).
 */
export interface GameRules {
  /** Id of the environment. */
  readonly id: string;
  /** Ids of the players; the first one has the first turn. */
  readonly players: readonly string[];
  /** What a player sees at its turn. */
  readonly observation_space: Box;
  readonly action_space: Discrete;
  /** Moves after which a game is truncated; games that end by themselves end before. */
  readonly max_moves: number;
  /** The most that a player can get (default: 1). */
  readonly max_return?: number;
  /** Whether a player may have several turns in a row (default: false). */
  readonly keeps_turn?: boolean;
  /** The state that games begin with; chance may have to move first. */
  readonly start: GameState;
  /** Index of the player whose turn it is, or {@link CHANCE}. Of an ended game: unspecified. */
  readonly player: (state: GameState) => number;
  /** Legal actions in ascending order: at least one while the game runs, none once it has ended. */
  readonly legal: (state: GameState) => readonly number[];
  /** Outcomes of chance where it moves; their probabilities sum to 1. Games without chance have none. */
  readonly chance?: (state: GameState) => readonly ChanceOutcome[];
  /** The state after a legal action, or after an outcome of chance. */
  readonly next: (state: GameState, action: number) => GameState;
  /** What each player gets in the end; null while the game runs. Games give no reward before their end. */
  readonly returns: (state: GameState) => readonly number[] | null;
  /** Numbers of the observation space: the state as a player sees it, without what is hidden from it. */
  readonly observe: (state: GameState, player: number) => readonly number[];
  /**
   * An estimate, above -1 and below 1, of what a player of two gets from a running game; the other player gets the
   * opposite (default: 0).
   */
  readonly heuristic?: (state: GameState, player: number) => number;
  /** A simple player to train and to be rated against (default: the game has none). */
  readonly own_rule?: OwnRule;
  /**
   * How many ticks a second people play in a game whose players move at the same time: the moves of a tick are hidden until
   * both are made (default: players move in turn, and take their time).
   */
  readonly ticks_per_second?: number;
  /** Symmetries of the game, without the identity (default: none). */
  readonly symmetries?: readonly Symmetry[];
  /**
   * Cells of the board touch six others: each row lies half a cell further right than the one above (default: rows and
   * columns of squares).
   */
  readonly board?: "hexagonal";
  /**
   * A state as a picture may show it to a player: numbers that are hidden from it are as before they were drawn (default:
   * the state itself).
   */
  readonly seenBy?: (state: GameState, player: number) => GameState;
  /** How an action is written, such as `d3`. */
  readonly actionName: (action: number) => string;
}

/** @throws RangeError naming the game, the action and those that are legal. */
export function requireLegal({ id, legal, actionName }: GameRules, state: GameState, action: number): void {
  const allowed = legal(state);
  if (allowed.includes(action)) return;
  const named = allowed.map((one) => `${one} (${actionName(one)})`).join(", ");
  const advice = allowed.length === 0 ? "none: the game has ended" : named;
  throw new RangeError(`${id}: action: found ${action}, allowed ${advice}`);
}
