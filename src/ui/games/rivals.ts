/** Whom the user can play against. */
import { type GameRules, oneStepMove, randomMove } from "../../rl/environments.ts";
import type { Advice } from "../../stage/stageProtocol.ts";
import type { AgentFile } from "../../workers/protocol.ts";
import { AdviserClient } from "./AdviserClient.ts";
import { type Match, questionOf, type Uniform } from "./match.ts";

export interface Rival {
  /** Its move where it is its turn. */
  readonly move: (match: Match) => Promise<number>;
  /** What it thinks of the user's position; null for rules, which think nothing. */
  readonly advise: ((match: Match) => Promise<Advice>) | null;
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

type RuleMove = typeof randomMove;

const byRule =
  (choose: RuleMove): RivalChoice["open"] =>
  async (rules, uniform) => ({
    move: async ({ state }) => choose(rules, state, uniform),
    advise: null,
    close: () => undefined,
  });

/** Rules that need no training. The second one needs a game without chance. */
export const ruleRivals = ({ chance }: GameRules): RivalGroup => ({
  title: "Rules",
  choices: [
    { key: "random", label: "Random moves", open: byRule(randomMove) },
    ...(chance
      ? []
      : [{ key: "one_step", label: "Rule that looks one move ahead", open: byRule(oneStepMove) }]),
  ],
});

/** @param read Reads the agent. */
export const agentRival = (
  { key, label }: Pick<RivalChoice, "key" | "label">,
  read: () => Promise<AgentFile>,
): RivalChoice => ({
  key,
  label,
  async open(rules) {
    const adviser = new AdviserClient(await read());
    const advise = ({ state }: Match): Promise<Advice> => adviser.ask(questionOf(rules, state));
    return {
      move: async (match) => (await advise(match)).action,
      advise,
      close: () => adviser.close(),
    };
  },
});
