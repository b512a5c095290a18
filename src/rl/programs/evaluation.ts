/**
 * Greedy evaluation in a compiled environment, and greedy actions for observations that the host supplies, with the
 * layer outputs of the networks that choose them.
 */
import { cast, constant, type Program, state, trace } from "../../kernels/index.ts";
import { legalActions } from "../contract/choices.ts";
import { uniforms } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { firstEpisodes, greedyAction } from "./episodes.ts";
import { goalsIn } from "./hindsight.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { lanesMemory } from "./memory.ts";
import { lookAhead } from "./search/lookAhead.ts";
import type { LookAhead } from "./search/searchSettings.ts";

/** Buffer of the episodes that reached their goals: 1 each, [lanes]. */
export const SUCCESSES = "evaluate.successes";

/** Networks needed to act greedily. */
const actors = ({ policies }: Algorithm) => policies;

/**
 * Runs the first episode of every lane, cut after `evaluate.steps`. Writes the returns to `evaluate.returns`
 * ([lanes, agents] for several agents) and the environment steps to `evaluate.lengths`. With goals, writes 1 to
 * {@link SUCCESSES} where the last step achieved them.
 * @param search The game that `env` is a match in, where the agent searches before it moves.
 */
export function evaluateProgram(
  structure: AgentStructure,
  env: CompiledEnvironment,
  search?: LookAhead & { readonly game: CompiledEnvironment },
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.evaluate`, () => {
    const networks = readNetworks(structure, actors(algorithm));
    const { returns, lengths, last } = firstEpisodes(structure, env, {
      networks,
      n: lanes,
      choose: search && ((from) => lookAhead(structure, search.game, from, search).action),
      limit: state("evaluate.steps", [], { dtype: "i32" }).read(),
      resetDraws: uniforms("evaluate", constant(0, "i32"), lanes, env.resetDraws),
      stepDraws: (t) => uniforms("dynamics", t, lanes, env.stepDraws),
    });
    state("evaluate.lengths", lengths.shape).write(lengths);
    state("evaluate.returns", returns.shape).write(returns);
    const { goal } = env;
    if (!goal) return;
    const { achieved, desired } = goalsIn(env, env.observe(last));
    state(SUCCESSES, [lanes]).write(cast(goal.is_success(achieved, desired), "f32"));
  });
}

const LAYER = "layer.";

/** Separates a layer's name from its call number in buffer names: a network may serve several agents. */
const CALL = "#";

/** "<network>.<layer>" of a buffer that holds a layer's output; null for other buffers. */
export const watchedLayer = (buffer: string): string | null =>
  buffer.startsWith(LAYER) ? buffer.slice(LAYER.length, buffer.lastIndexOf(CALL)) : null;

/** Writes the output of each layer to a buffer that {@link watchedLayer} recognises. */
const watchedNetworks = (networks: Networks): Networks =>
  Object.fromEntries(
    Object.entries(networks).map(([name, network]) => {
      const calls = new Map<string, number>();
      const watched = network.watching((layer, output) => {
        const call = calls.get(layer) ?? 0;
        calls.set(layer, call + 1);
        state(`${LAYER}${name}.${layer}${CALL}${call}`, output.shape).write(output);
      });
      return [name, watched];
    }),
  );

/** Like {@link greedyProgram}, and also writes the output of each layer to a buffer of its own. */
export const watchedProgram = (structure: AgentStructure, layout: AgentSpaces): Program =>
  greedyProgram(structure, layout, watchedNetworks);

/**
 * Writes greedy actions for `act.obs` to `act.greedy`, among those that `act.mask` allows. Recurrent state is
 * kept in `memory.*`.
 */
export function greedyProgram(
  structure: AgentStructure,
  layout: AgentSpaces,
  prepared: (networks: Networks) => Networks = (networks) => networks,
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.greedy`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const networks = prepared(readNetworks(structure, algorithm.policies));
    const kept = lanesMemory(networks);
    const { action, memory } = greedyAction(
      algorithm,
      networks,
      {
        obs: networkInput(structure, layout.observation_space, obs),
        memory: kept.read(),
        mask: legalActions(layout, lanes),
      },
      layout,
    );
    kept.write(memory);
    state("act.greedy", action.shape, { dtype: action.dtype }).write(action);
  });
}
