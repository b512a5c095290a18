/** Whom the user can play against. */
import { Random } from "../../evolution/random.ts";
import {
  type GameRules,
  type GameState,
  minimaxMove,
  oneStepRule,
  randomMove,
} from "../../rl/environments.ts";
import type { Advice } from "../../stage/stageProtocol.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { AdviserClient } from "./AdviserClient.ts";
import { RULE_NAMES } from "./gameText.ts";
import { type Match, questionOf, type Uniform } from "./match.ts";

export interface Rival {
  /** Its move where it is its turn. @param simulations Of its search, 0 for none; rules have none. */
  readonly move: (match: Match, simulations: number) => Promise<number>;
  /** What it thinks of the user's position; null for rules, which think nothing. */
  readonly advise: ((match: Match, simulations: number) => Promise<Advice>) | null;
  readonly close: () => void;
}

/** A rival in a list. */
export interface RivalChoice {
  /** Equal for equal rivals. */
  readonly key: string;
  readonly label: string;
  readonly open: (rules: GameRules, uniform: Uniform) => Promise<Rival>;
}

export interface RivalGroup {
  readonly title: string;
  readonly choices: readonly RivalChoice[];
}

type RuleMove = (rules: GameRules, state: GameState, uniform: Uniform) => number;

const byRule =
  (choose: RuleMove): RivalChoice["open"] =>
  async (rules, uniform) => ({
    move: async ({ state }) => choose(rules, state, uniform),
    advise: null,
    close: () => undefined,
  });

const randomOf = (uniform: Uniform): Random =>
  new Random({ seed: Math.floor(uniform() * 2 ** 32), stream: "rival" });

/** Most positions of a full search of a game's moves, so that an answer takes little time. */
const MOST_POSITIONS = 20_000;

/** Moves that a search looks ahead. */
const depthOf = ({ action_space }: GameRules): number =>
  Math.floor(Math.log(MOST_POSITIONS) / Math.log(action_space.n));

/** Rules that need no training. Those that look ahead need a game without chance. */
export function ruleRivals(rules: GameRules): RivalGroup {
  const depth = depthOf(rules);
  const own = rules.own_rule;
  const oneStep = byRule((game, state, uniform) => oneStepRule(game, state, randomOf(uniform)));
  const minimax = byRule((game, state, uniform) => minimaxMove(game, state, depth, randomOf(uniform)));
  return {
    title: "Rules",
    choices: [
      { key: "random", label: "Random moves", open: byRule(randomMove) },
      ...(own
        ? [{ key: own.name, label: RULE_NAMES[own.name], open: byRule((_, state) => own.move(state)) }]
        : []),
      ...(rules.chance ? [] : [{ key: "one_step", label: "Rule that looks one move ahead", open: oneStep }]),
      // Two moves are those of the rule above.
      ...(rules.chance || depth < 3
        ? []
        : [{ key: "minimax", label: `Minimax search of ${depth} moves`, open: minimax }]),
    ],
  };
}

/** @param read Reads the agent. */
export const agentRival = (
  { key, label }: Pick<RivalChoice, "key" | "label">,
  read: () => Promise<AgentFile>,
): RivalChoice => ({
  key,
  label,
  async open(rules) {
    const adviser = new AdviserClient(await read());
    const advise = ({ state }: Match, simulations: number): Promise<Advice> =>
      adviser.ask(questionOf(rules, state, simulations));
    return {
      move: async (match, simulations) => (await advise(match, simulations)).action,
      advise,
      close: () => adviser.close(),
    };
  },
});
