/** Tests of agents in compiled environments, and in games against an opponent. */
import type { WasmDevice } from "../../kernels/devices.ts";
import type { CompiledEnvironment, RegisteredEnvironment } from "../../rl/environments.ts";
import { gameOf, type LookAhead, lacksRule, type RuleName, unsearchable } from "../../rl/programs.ts";
import type { AgentState } from "../member/agentState.ts";
import { drain, type Turn } from "../runtime/turn.ts";
import type { Evaluation } from "../runtime/turnResult.ts";
import type { Opponents } from "../runtime/wasm/hostLanes.ts";
import { MemberRunner } from "../runtime/wasm/MemberRunner.ts";

export interface SearchOptions {
  /** Positions that the search of a move adds to its tree (default: 32). */
  readonly simulations?: number;
}

/** Opponents that need no agent, by their names in manifests. */
const RULES_BY_NAME = {
  random: "random",
  "rule:one_step": "one_step",
  "rule:follow": "follow",
  "rule:hold_at_20": "hold_at_20",
} as const;
export type RuleOpponent = keyof typeof RULES_BY_NAME;
export const RULE_OPPONENTS = Object.keys(RULES_BY_NAME) as readonly RuleOpponent[];

/** A game in code, of which only its sandbox knows the rules. */
interface GameInCode {
  readonly id: string;
  /** Null if the environment is not a game. */
  readonly players: readonly string[] | null;
  readonly saves: boolean;
}

const isInCode = (env: object): env is GameInCode => "saves" in env;

/** How an agent is tested in a game. */
export interface MatchOptions {
  /**
   * Games: searches before each move, as `SingleAgentAlgorithm.search` does, in games without chance and hidden information
   * (default: the policy moves alone). Games in code need `save` and `load`.
   */
  readonly search?: SearchOptions;
  /**
   * Games: who has the other seat; the agent has the first move in the 1st, 3rd, ... environment (default: random moves with
   * `search`, otherwise the agent itself has both seats).
   */
  readonly opponent?: RuleOpponent;
}

/** @throws RangeError for less than two simulations. @internal */
export function lookAheadOf({ simulations = 32 }: SearchOptions): LookAhead {
  if (!Number.isInteger(simulations) || simulations < 2)
    throw new RangeError(`search simulations: found ${simulations}, allowed integers from 2`);
  return { simulations };
}

/**
 * Whom a test's options let an agent play; null if it has both seats.
 * @param env Null for an environment that is not given by name.
 * @throws RangeError naming the option that the environment does not allow.
 * @internal
 */
export function opponentsIn(
  env: RegisteredEnvironment | GameInCode | { readonly id: string } | null,
  { search, opponent }: MatchOptions,
): Opponents | null {
  if (search === undefined && opponent === undefined) return null;
  const option = search === undefined ? "opponent" : "search";
  const refuse = (name: string, what: string): never => {
    throw new RangeError(`${name}: found ${what}`);
  };
  const met = (kind: RuleName): Opponents => ({
    training: [],
    evaluation: [{ kind }],
    ...(search && { search: lookAheadOf(search) }),
  });
  if (env && isInCode(env) && env.players) {
    if (env.players.length !== 2) refuse(option, `${env.id}, allowed games of two players`);
    if (search && !env.saves)
      refuse(
        "search",
        `${env.id} without save() and load(state), by which a search copies positions; add both`,
      );
    if (opponent && opponent !== "random") refuse("opponent", `"${opponent}", allowed in ${env.id}: random`);
    return met("random");
  }
  if (env === null || !("game" in env) || !env.game)
    return refuse(option, `${env?.id ?? "an environment that is no name"}, allowed names of rlkit's games`);
  gameOf(env);
  const hinders = search && unsearchable(env);
  if (hinders) refuse("search", `${env.id}, which ${hinders}; allowed: games of which players see all`);
  const kind: RuleName = RULES_BY_NAME[opponent ?? "random"];
  if (kind === undefined || lacksRule(env, kind))
    refuse(
      "opponent",
      `"${opponent}", allowed in ${env.id}: ${RULE_OPPONENTS.filter((name) => !lacksRule(env, RULES_BY_NAME[name])).join(", ")}`,
    );
  return met(kind);
}

/** @internal */
export interface CompiledTest {
  readonly loop: number;
  readonly max_steps: number | null;
  readonly num_envs: number;
  /** Of the draws. */
  readonly key: readonly [seed: number, generation: number];
  readonly sum_scores?: boolean;
  readonly opponents?: Opponents | null;
}

/** The turn of a test. @internal */
export const testTurn = ({
  loop,
  max_steps,
  num_envs,
  key: [seed, generation],
  sum_scores,
  opponents,
}: CompiledTest): Turn => ({
  slot: 0,
  generation,
  seed,
  num_envs,
  evo_steps: 0,
  eval_loop: loop,
  eval_steps: max_steps,
  off_policy: null,
  ...(sum_scores === undefined ? {} : { sum_scores }),
  ...(opponents && { opponents }),
});

/** Greedy episodes in all lanes, `loop` times. @throws RangeError for a search by an agent without a value. @internal */
export function testCompiled(
  { device, state }: { readonly device: WasmDevice; readonly state: AgentState },
  env: CompiledEnvironment,
  test: CompiledTest,
): Evaluation {
  const runner = new MemberRunner(device, env, null);
  try {
    return drain(runner.evaluate(state, testTurn(test)));
  } finally {
    runner.release();
  }
}
