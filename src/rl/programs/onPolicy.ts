/** Programs of on-policy members: a roll-out, the learning phase over it, and both in one. */
import { randomBits } from "../../kernels/functions/random.ts";
import { generalisedAdvantages } from "../../kernels/functions/returns.ts";
import type { Dim, Program, Shape, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  constant,
  dimValue,
  div,
  equal,
  greater,
  iota,
  less,
  maxAll,
  mean,
  minimum,
  mul,
  mulDims,
  or,
  permutation,
  reshape,
  scan,
  sqrt,
  square,
  state,
  sub,
  sumAll,
  sym,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import type { OnPolicyAlgorithm } from "../algorithms/algorithm.ts";
import type { CompiledEnvironment } from "../environments/compiledEnvironment.ts";
import { carryState, vectorStep } from "../environments/vectorStep.ts";
import type { Space } from "../spaces/index.ts";
import { legalActions } from "./choices.ts";
import { count, counter, hyperparameter, randomKey, SYMBOLS, uniforms } from "./inputs.ts";
import { episodeStatistics, lanes, networkInput, stepDraws } from "./lanes.ts";
import { type AgentStructure, applyLearning, readNetworks } from "./learning.ts";
import type { TransitionLayout } from "./replayFields.ts";

export interface OnPolicyStructure extends AgentStructure {
  readonly algorithm: OnPolicyAlgorithm;
}

/** Vector steps of a roll-out: ceil(learn_step / num_envs). */
export const horizon = sym("horizon");
/** Minibatches of an epoch: ceil(horizon * num_envs / batch). */
export const minibatches = sym("minibatches");

const batch = sym(SYMBOLS.batch);
const samples = mulDims(horizon, lanes);

/** A roll-out, step by step: every field is [horizon, num_envs, ...]. */
export interface Rollout {
  readonly obs: Tensor;
  readonly next_obs: Tensor;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly done: Tensor;
  /** 1 for choices that were legal; only of host environments with choices. */
  readonly mask?: Tensor;
}

const FIELDS = ["obs", "next_obs", "action", "log_prob", "reward", "terminated", "done"] as const;

/** A roll-out from a tensor for each field. */
const rolloutOf = (of: (field: (typeof FIELDS)[number]) => Tensor): Rollout => ({
  obs: of("obs"),
  next_obs: of("next_obs"),
  action: of("action"),
  log_prob: of("log_prob"),
  reward: of("reward"),
  terminated: of("terminated"),
  done: of("done"),
});

function collect(structure: OnPolicyStructure, env: CompiledEnvironment): Rollout {
  const { algorithm } = structure;
  const vectorSteps = counter("vector_step");
  const { ys } = scan({ count: horizon, carry: [] }, () => {
    const step = vectorSteps.read();
    const networks = readNetworks(structure);
    const environment = carryState(env, lanes);
    const before = environment.read();
    const obs = env.observe(before.state);
    const draws = (many: number) => uniforms("explore", step, lanes, many);
    const { action, applied, log_prob } = algorithm.act(
      networks,
      networkInput(env.observation_space, obs),
      draws,
      env.action_space,
    );
    const result = vectorStep(env, before, applied, stepDraws(env, step));
    episodeStatistics().add(result.reward, result.done);
    environment.write(result.carry);
    vectorSteps.write(add(step, 1));
    const { reward, next_obs } = result;
    const row: Rollout = {
      obs,
      next_obs,
      action,
      log_prob,
      reward,
      terminated: cast(result.terminated, "f32"),
      done: cast(result.done, "f32"),
    };
    return { carry: [], ys: FIELDS.map((field) => row[field]) };
  });
  return rolloutOf((field) => ys[FIELDS.indexOf(field)] as Tensor);
}

const flat = (x: Tensor): Tensor => reshape(x, [samples, ...x.shape.slice(2)]);

/**
 * V of each step's true successor, [horizon, num_envs]. Where the episode went on that is the value of the
 * next row; the network is asked only in steps with a lane that was cut off, and in the last one.
 */
function successorValues(
  structure: OnPolicyStructure,
  space: Space,
  rollout: Rollout,
  values: Tensor,
): Tensor {
  const last = sub(dimValue(horizon, "i32"), 1);
  const following = takeRows(values, minimum(add(iota(horizon), 1), last));
  const cut = mul(rollout.done, sub(1, rollout.terminated));
  const { ys } = scan(
    { count: horizon, carry: [], xs: [rollout.next_obs, following, cut] },
    (_carry, [next_obs, next, ended], t) => {
      const asked = or(greater(maxAll(ended as Tensor), 0), equal(t, last));
      const { carry } = scan({ count: cast(asked, "i32"), carry: [next as Tensor] }, () => ({
        carry: [structure.algorithm.value(readNetworks(structure), networkInput(space, next_obs as Tensor))],
      }));
      return { carry: [], ys: [carry[0] as Tensor] };
    },
  );
  return ys[0] as Tensor;
}

/** Epochs of minibatches over a roll-out, until the policy has moved further than `target_kl`. */
function learn(structure: OnPolicyStructure, space: Space, rollout: Rollout): void {
  const { algorithm, hyperparameters } = structure;
  const before = readNetworks(structure);
  const obs = networkInput(space, flat(rollout.obs));
  const value = algorithm.value(before, obs);
  const grid = (x: Tensor) => reshape(x, [horizon, lanes]);
  const { advantages, returns } = generalisedAdvantages({
    rewards: rollout.reward,
    values: grid(value),
    next_values: successorValues(structure, space, rollout, grid(value)),
    terminated: rollout.terminated,
    done: rollout.done,
    gamma: hyperparameter("gamma"),
    lambda: hyperparameter("gae_lambda"),
  });
  const columns = {
    obs,
    action: flat(rollout.action),
    log_prob: flat(rollout.log_prob),
    advantage: normalise(flat(advantages)),
    returns: flat(returns),
    ...(rollout.mask ? { mask: flat(rollout.mask) } : {}),
  };
  const epochs = counter("epoch");
  scan({ count: count("update_epochs"), carry: [] }, () => {
    const epoch = epochs.read();
    const [word] = randomBits(randomKey("shuffle", epoch), 1);
    const order = permutation(samples, reshape(word, []));
    const { carry } = scan({ count: minibatches, carry: [constant(0)] }, ([divergence], _x, m) => {
      const position = add(mul(m, dimValue(batch, "i32")), iota(batch));
      const index = takeRows(order, minimum(position, sub(dimValue(samples, "i32"), 1)));
      const weight = cast(less(position, dimValue(samples, "i32")), "f32");
      const networks = readNetworks(structure);
      const at = (x: Tensor) => takeRows(x, index);
      const rows = {
        obs: at(columns.obs),
        action: at(columns.action),
        log_prob: at(columns.log_prob),
        advantage: at(columns.advantage),
        returns: at(columns.returns),
        ...(columns.mask ? { mask: at(columns.mask) } : {}),
      };
      const { kl, ...learned } = algorithm.learn(networks, { ...rows, weight }, hyperparameters);
      applyLearning(structure, networks, learned);
      return { carry: [add(divergence as Tensor, kl)] };
    });
    epochs.write(add(epoch, 1));
    const average = div(carry[0] as Tensor, dimValue(minibatches));
    return { carry: [], until: greater(average, hyperparameter("target_kl")) };
  });
}

/** Mean 0 and deviation 1 over the whole roll-out (unbiased variance). */
function normalise(x: Tensor): Tensor {
  const centred = sub(x, mean(x, 0));
  const variance = div(sumAll(square(centred)), sub(dimValue(x.shape[0] as Dim), 1));
  return div(centred, add(sqrt(variance), 1e-8));
}

/** One roll-out in a compiled environment, and the learning phase over it. */
export function iterationProgram(structure: OnPolicyStructure, env: CompiledEnvironment): Program {
  return trace(`${structure.algorithm.name}.iteration`, () =>
    learn(structure, env.observation_space, collect(structure, env)),
  );
}

/**
 * For environments of the host: samples for `act.obs`, among what `act.mask` allows, into `act.action`,
 * `act.applied` and `act.log_prob`.
 */
export function samplingProgram(structure: OnPolicyStructure, layout: TransitionLayout): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.act`, () => {
    const vectorSteps = counter("vector_step");
    const step = vectorSteps.read();
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const draws = (many: number) => uniforms("explore", step, lanes, many);
    const sample = algorithm.act(
      readNetworks(structure),
      networkInput(layout.observation_space, obs),
      draws,
      layout.action_space,
      legalActions(layout, lanes),
    );
    for (const [name, x] of Object.entries(sample))
      state(`act.${name}`, x.shape, { dtype: x.dtype }).write(x);
    vectorSteps.write(add(step, 1));
  });
}

/** Buffers `rollout.<field>` that the host fills before learning. */
export function rolloutStates(layout: TransitionLayout): Rollout {
  const row: Record<(typeof FIELDS)[number], { shape: Shape; dtype?: "i32" }> = {
    obs: { shape: layout.observation_space.shape },
    next_obs: { shape: layout.observation_space.shape },
    action:
      layout.action_space.kind === "Box"
        ? { shape: layout.action_space.shape }
        : { shape: layout.action_space.shape, dtype: "i32" },
    log_prob: { shape: [] },
    reward: { shape: [] },
    terminated: { shape: [] },
    done: { shape: [] },
  };
  const read = (field: (typeof FIELDS)[number]) => {
    const { shape, dtype } = row[field];
    return state(`rollout.${field}`, [horizon, lanes, ...shape], dtype ? { dtype } : {}).read();
  };
  const { action_space } = layout;
  const mask =
    action_space.kind === "Discrete"
      ? { mask: state("rollout.mask", [horizon, lanes, action_space.n]).read() }
      : {};
  return { ...rolloutOf(read), ...mask };
}

/** Learning from a roll-out that the host collected in `rollout.*`. */
export function rolloutLearnProgram(structure: OnPolicyStructure, layout: TransitionLayout): Program {
  return trace(`${structure.algorithm.name}.learn`, () =>
    learn(structure, layout.observation_space, rolloutStates(layout)),
  );
}
