/** Programs of on-policy members: a rollout, the learning phase over it, and both together. */
import {
  add,
  cast,
  mul,
  type Program,
  reshape,
  scan,
  select,
  state,
  sub,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import { legalActions } from "../contract/choices.ts";
import { counter, uniforms } from "../contract/inputs.ts";
import { carryState, observed, vectorStep } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { lanesBegin } from "./laneBuffers.ts";
import { episodeStatistics, lanes, networkInput, stepDraws } from "./lanes.ts";
import { readNetworks } from "./learning.ts";
import { encodeStep, lanesMemory, mapMemory } from "./memory.ts";
import { keptLayout, type MemoryKind, observationField, PLAIN_MEMORY } from "./replayFields.ts";
import {
  horizon,
  type Rollout,
  type RolloutField,
  rolloutFields,
  rolloutOf,
  rolloutStates,
} from "./rollout.ts";
import { learnRollout, type OnPolicyStructure } from "./rolloutLearning.ts";
import { packed } from "./rowLayout.ts";

/**
 * Collects a rollout of the policy in a compiled environment.
 * @param keepsEpisodes Whether single episodes are kept, not only their mean.
 */
export function collect(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  keepsEpisodes: boolean,
): Rollout {
  const { algorithm } = structure;
  const field = observationField(env.observation_space);
  const fields = rolloutFields(env);
  const vectorSteps = counter("vector_step");
  let remembered: readonly string[] = [];
  const { ys } = scan({ count: horizon, carry: [] }, () => {
    const step = vectorSteps.read();
    const networks = readNetworks(structure);
    const environment = carryState(env, lanes);
    const before = environment.read();
    const obs = observed(env, before);
    const mask = env.actionMask?.(before.state);
    const draws = (many: number) => uniforms("explore", step, lanes, many);
    const kept = lanesMemory(networks);
    const memory = mapMemory(kept.read(), (values) => select(lanesBegin(step), 0, values));
    const encoded = encodeStep(
      algorithm,
      networks,
      networkInput(structure, env.observation_space, obs),
      env,
      memory,
    );
    const { action, applied, log_prob } = algorithm.act(networks, encoded.latents, draws, env, mask);
    const result = vectorStep(env, before, applied, stepDraws(env, step));
    episodeStatistics().add(result.reward, result.done, keepsEpisodes ? step : undefined);
    environment.write(result.carry);
    const done = cast(result.done, "f32");
    kept.write(mapMemory(encoded.after(), (values) => mul(values, reshape(sub(1, done), [lanes, 1]))));
    vectorSteps.write(add(step, 1));
    remembered = Object.keys(memory);
    const row = {
      obs: packed(field, obs),
      next_obs: packed(field, result.next_obs),
      action,
      log_prob,
      reward: result.reward,
      terminated: cast(result.terminated, "f32"),
      done,
      ...(result.present && { present: result.present }),
    };
    const rows = fields.map((name) => (row as Readonly<Record<RolloutField, Tensor>>)[name]);
    return { carry: [], ys: [...rows, ...Object.values(memory), ...(mask ? [mask] : [])] };
  });
  const memory = remembered.map((name, i) => [name, ys[fields.length + i] as Tensor]);
  return {
    ...rolloutOf(env, (name) => ys[fields.indexOf(name)] as Tensor),
    ...(env.actionMask && { mask: ys.at(-1) as Tensor }),
    memory: Object.fromEntries(memory),
  };
}

/** The layout of the demonstrations that are imitated; null for none. */
const shownIn = (layout: AgentSpaces, memory: MemoryKind): AgentSpaces | null =>
  memory.demonstrations === undefined ? null : keptLayout(layout, memory);

/** One rollout in a compiled environment, and the learning phase over it. */
export function iterationProgram(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  keepsEpisodes = false,
  memory = PLAIN_MEMORY,
): Program {
  return trace(`${structure.algorithm.name}.iteration`, () =>
    learnRollout(structure, env, collect(structure, env, keepsEpisodes), shownIn(env, memory)),
  );
}

/**
 * For host environments: samples actions for `act.obs`, among those that `act.mask` allows, and writes
 * `act.action`, `act.applied` and `act.log_prob`. Recurrent state is kept in `memory.*`.
 */
export function samplingProgram(structure: OnPolicyStructure, layout: AgentSpaces): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.act`, () => {
    const vectorSteps = counter("vector_step");
    const step = vectorSteps.read();
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const draws = (many: number) => uniforms("explore", step, lanes, many);
    const networks = readNetworks(structure);
    const kept = lanesMemory(networks);
    const input = networkInput(structure, layout.observation_space, obs);
    const encoded = encodeStep(algorithm, networks, input, layout, kept.read());
    const sample = algorithm.act(networks, encoded.latents, draws, layout, legalActions(layout, lanes));
    for (const [name, x] of Object.entries(sample))
      state(`act.${name}`, x.shape, { dtype: x.dtype }).write(x);
    kept.write(encoded.after());
    vectorSteps.write(add(step, 1));
  });
}

/** Learning from a rollout that the host collected in `rollout.*`. */
export function rolloutLearnProgram(
  structure: OnPolicyStructure,
  layout: AgentSpaces,
  memory = PLAIN_MEMORY,
): Program {
  return trace(`${structure.algorithm.name}.learn`, () =>
    learnRollout(structure, layout, rolloutStates(layout, readNetworks(structure)), shownIn(layout, memory)),
  );
}
