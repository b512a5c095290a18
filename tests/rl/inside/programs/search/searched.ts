/** Searches with evaluators that JavaScript can restate, on any device. */
import { Random } from "../../../../../src/evolution/random.ts";
import {
  column,
  type Device,
  matmul,
  mul,
  type Program,
  reshape,
  slice,
  state,
  sym,
  type Tensor,
  tanh,
  trace,
} from "../../../../../src/kernels/index.ts";
import type { GameRules, GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import {
  type CompiledEnvironment,
  variableBuffer,
  variableShape,
} from "../../../../../src/rl/environments.ts";
import type { SearchRule } from "../../../../../src/rl/programs/search/SearchRule.ts";
import { search } from "../../../../../src/rl/programs/search/search.ts";
import { runOnDevice } from "../../../../kernels/support/run.ts";
import type { Evaluation } from "./plainSearch.ts";

const lanes = sym("lanes");

/** Positions after some random moves, of running games. */
export function positions(rules: GameRules, count: number, seed = 3): GameState[] {
  const random = new Random({ seed, stream: "positions" });
  const found: GameState[] = [];
  while (found.length < count) {
    let state = rules.start;
    for (let moves = random.integer(rules.max_moves - 1); moves > 0; moves--) {
      const legal = rules.legal(state);
      const next = rules.next(state, legal[random.integer(legal.length)] as number);
      if (rules.returns(next)) break;
      state = next;
    }
    found.push(state);
  }
  return found;
}

/** Random weights of an evaluator with one layer; zeros make it uniform. */
export function weightsOf(rules: GameRules, scale: number, seed = 7): number[] {
  const random = new Random({ seed, stream: "weights" });
  const cells = rules.observation_space.shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: cells * (rules.action_space.n + 1) }, () =>
    Math.fround(scale * (2 * random.uniform() - 1)),
  );
}

/** The evaluator in JavaScript: tanh of one layer. The last column gives the value. */
export function judgeOf(rules: GameRules, weights: readonly number[]): (state: GameState) => Evaluation {
  const columns = rules.action_space.n + 1;
  return (state) => {
    const seen = rules.observe(state, rules.player(state));
    const out = Array.from({ length: columns }, (_, column) =>
      Math.tanh(seen.reduce((total, x, i) => total + x * (weights[i * columns + column] as number), 0)),
    );
    return { logits: out.slice(0, -1).map((x) => 2 * x), value: out.at(-1) as number };
  };
}

export interface Found {
  readonly visits: readonly number[];
  readonly policy: readonly number[];
  readonly value: number;
  readonly action: number;
}

export interface SearchInputs {
  readonly weights: readonly number[];
  /** Numbers of each lane's actions. */
  readonly noise?: readonly number[];
  readonly playing?: readonly number[];
}

/** A program that searches from the positions in the environment's buffers. */
export function searchingProgram(
  env: CompiledEnvironment,
  simulations: number,
  ruleOf: (noise: Tensor) => SearchRule,
): Program {
  const { rules } = env.game as NonNullable<CompiledEnvironment["game"]>;
  const cells = rules.observation_space.shape.reduce((a, b) => a * b, 1);
  const actions = rules.action_space.n;
  return trace(`${env.id}.search`, () => {
    const read = (name: string) => state(variableBuffer(name), [lanes, ...variableShape(env, name)]).read();
    const root = Object.fromEntries(env.variables.map((name) => [name, read(name)]));
    const weights = state("weights", [cells, actions + 1]).read();
    const found = search(
      env,
      (position) => {
        const out = tanh(matmul(reshape(env.observe(position), [lanes, cells]), weights));
        return { logits: mul(slice(out, 0, actions), 2), value: column(out, actions) };
      },
      root,
      {
        simulations,
        rule: ruleOf(state("noise", [lanes, actions]).read()),
        playing: state("playing", [lanes]).read(),
      },
    );
    for (const [name, value] of Object.entries(found))
      state(`found.${name}`, value.shape, { dtype: value.dtype }).write(value);
  });
}

export async function searched(
  device: Device,
  env: CompiledEnvironment,
  program: Program,
  states: readonly GameState[],
  inputs: SearchInputs,
): Promise<Found[]> {
  const actions = env.game?.rules.action_space.n ?? 0;
  let at = 0;
  const variables = env.variables.map((name) => {
    const from = at;
    at += variableShape(env, name).reduce((a, b) => a * b, 1);
    return [variableBuffer(name), states.flatMap((one) => one.slice(from, at))] as const;
  });
  const buffers = await runOnDevice(
    device,
    program,
    { lanes: states.length },
    {
      ...Object.fromEntries(variables),
      weights: inputs.weights,
      noise: inputs.noise ?? states.flatMap(() => Array.from({ length: actions }, () => 0)),
      playing: inputs.playing ?? states.map(() => 1),
    },
  );
  const row = (name: string, lane: number) =>
    (buffers[`found.${name}`] ?? []).slice(lane * actions, (lane + 1) * actions);
  return states.map((_, lane) => ({
    visits: row("visits", lane),
    policy: row("policy", lane),
    value: buffers["found.value"]?.[lane] as number,
    action: buffers["found.action"]?.[lane] as number,
  }));
}
