/**
 * Programs of evolution strategies (Salimans et al. 2017, arXiv 1703.03864): an iteration plays whole episodes with
 * perturbed copies of the policy, and moves its parameters along the directions of noise that returned more.
 */
import { RETURN_SPREAD } from "../../evolution/members.ts";
import {
  adam,
  type FitnessShaping,
  fiveNumbers,
  globalNorm,
  lastAdamStep,
  momentName,
  sgd,
  type Update,
  utilities,
} from "../../kernels/functions.ts";
import {
  add,
  addDims,
  broadcastTo,
  cast,
  constant,
  dimValue,
  div,
  floor,
  greater,
  iota,
  lessEqual,
  maximum,
  mean,
  minimum,
  mul,
  mulDims,
  type Program,
  reshape,
  scan,
  select,
  sizeOf,
  slice,
  sqrt,
  square,
  state,
  sub,
  sumAll,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import type { EVOLUTION_METRICS, EvolutionStrategy } from "../contract/evolutionStrategy.ts";
import { counter, hyperparameter, LEARNED, uniforms } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { firstEpisodes } from "./episodes.ts";
import { lanes } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { sumMetrics } from "./metrics.ts";
import { observedMoments } from "./observedMoments.ts";
import { type Copies, copiesOf, copyCount, isFinite, Perturbation, rowCount } from "./perturbation.ts";
import { followSchedules } from "./schedules.ts";

export interface EvolutionStructure extends AgentStructure {
  readonly algorithm: EvolutionStrategy;
}

/**
 * Buffers of a turn. `iterations`: most iterations of a run of the program, i32. `wanted`: environment steps after which
 * no iteration begins, i32. `steps`: those that the turn has taken, i32. `returns`: mean return of each copy in the last
 * iteration. `told_steps`, i32, and `told_returns`: by iteration, the steps of the turn at its end and the mean return of its
 * copies, for the first ones of the turn.
 */
export const EVOLUTION = {
  iterations: "evolution.iterations",
  wanted: "evolution.wanted",
  steps: "evolution.steps",
  returns: "evolution.returns",
  told_steps: "evolution.told_steps",
  told_returns: "evolution.told_returns",
} as const;

/** Iterations of a turn that are told one by one; the last place has the last iteration. */
export const TOLD_ITERATIONS = 256;

const count = (name: string) => state(name, [], { dtype: "i32" });
export const flag = ({ hyperparameters }: AgentStructure, name: string): boolean =>
  hyperparameters[name] === true;

/** Name of the optimiser of an evolution strategy. */
const OPTIMIZER = "optimizer";

/** Settings of an iteration's noise. */
export function noiseOptions({ hyperparameters }: EvolutionStructure) {
  const { rank } = hyperparameters;
  return {
    sigma: hyperparameter("sigma"),
    rank: rank === null ? null : Number(rank),
    iteration: counter(LEARNED).read(),
  };
}

/** The copies of an iteration, with its noise. */
export function perturbed(structure: EvolutionStructure, networks: Networks) {
  const copies = copiesOf(flag(structure, "antithetic"));
  const { iteration, sigma, rank } = noiseOptions(structure);
  return { copies, iteration, sigma, noise: new Perturbation(networks, copies, { sigma, rank, iteration }) };
}

/** Numbers of the draws of rows: those of a pair of copies are the same if it has its episodes in common. */
function drawLanes(structure: EvolutionStructure, copies: Copies): Tensor {
  const rows = rowCount(copies);
  const { directions, signs, episodes } = copies;
  if (signs === 1 || !flag(structure, "common_random_numbers")) return iota(rows, "u32");
  const own = reshape(iota(mulDims(directions, episodes), "u32"), [directions, 1, episodes]);
  return reshape(broadcastTo(own, [directions, signs, episodes]), [rows]);
}

/** Moves the policy by the returns of its copies, [copies], and adds the iteration's metrics to their sums. */
export function learnCopies(
  structure: EvolutionStructure,
  networks: Networks,
  { copies, noise, sigma }: Omit<ReturnType<typeof perturbed>, "iteration">,
  returns: Tensor,
): void {
  const { hyperparameters } = structure;
  const { directions, signs } = copies;
  const all = copyCount(copies);
  const pairs = reshape(isFinite(returns), [directions, signs]);
  // A pair counts as a whole, since the difference of its copies is what is learnt.
  const whole = signs === 1 ? pairs : mul(slice(pairs, 0, 1), slice(pairs, 1, 1));
  const counted = reshape(broadcastTo(whole, [directions, signs]), [all]);
  const many = sumAll(counted);
  const shaped = reshape(utilities(hyperparameters.fitness_shaping as FitnessShaping, returns, counted), [
    directions,
    signs,
  ]);
  const weights = reshape(signs === 1 ? shaped : sub(slice(shaped, 0, 1), slice(shaped, 1, 1)), [directions]);

  const known = select(greater(counted, 0), returns, 0);
  const average = div(sumAll(known), maximum(many, 1));
  const spread = div(sumAll(mul(square(sub(known, average)), counted)), maximum(many, 1));
  const sums = noise.along(weights);
  const length = globalNorm([...sums.values()]);
  const favour = sumAll(square(weights));
  const size = dimValue([...sums.keys()].map(({ shape }) => sizeOf(shape)).reduce((a, b) => addDims(a, b)));
  // Directions are independent and of variance 1, so that weights without any signal give this square on average.
  const share = select(greater(length, 0), div(mul(favour, size), square(length)), 1);

  // Without a difference between copies there is nothing to learn, not even from the optimiser's momentum.
  const still = { count: cast(greater(favour, 0), "i32"), carry: [constant(0), constant(0)] };
  const [update_norm, update_cosine] = scan(still, () => {
    const scale = div(-1, mul(maximum(many, 1), sigma));
    const lr = hyperparameter("lr");
    const kept = sub(1, mul(lr, hyperparameter("weight_decay")));
    const updates = Object.values(networks).flatMap(({ states, parameters }) =>
      Object.entries(states).map(([name, parameter]): Update => {
        const value = parameters[name] as Tensor;
        return { parameter, value: mul(value, kept), gradient: mul(sums.get(value) as Tensor, scale) };
      }),
    );
    const { steps, last } =
      hyperparameters.optimizer === "sgd" ? sgdStep(updates, lr) : adamStep(updates, lr);
    const [own, before] = [globalNorm(steps), globalNorm(last)];
    const product = steps.map((step, i) => sumAll(mul(step, last[i] as Tensor))).reduce((a, b) => add(a, b));
    const norms = mul(own, before);
    return { carry: [own, select(greater(norms, 0), div(product, norms), 0)] };
  }).carry as [Tensor, Tensor];
  const metrics: Readonly<Record<(typeof EVOLUTION_METRICS)[number], Tensor>> = {
    return_mean: average,
    return_std: sqrt(spread),
    ...spreadOf(returns, counted),
    gradient_norm: div(length, mul(maximum(many, 1), sigma)),
    noise_share: minimum(share, 1),
    left_out: sub(dimValue(all), many),
    update_norm,
    update_cosine,
  };
  sumMetrics(metrics, LEARNED);
}

/** A step that was taken, and the last one but for a common factor, by parameter; both without the decay of weights. */
interface Step {
  readonly steps: readonly Tensor[];
  readonly last: readonly Tensor[];
}

function adamStep(updates: readonly Update[], lr: Tensor): Step {
  const last = lastAdamStep(OPTIMIZER, updates);
  const stepped = adam(OPTIMIZER, updates, { lr });
  return { steps: updates.map(({ value }, i) => sub(value, stepped[i] as Tensor)), last };
}

/** The first moments keep the last gradient. */
function sgdStep(updates: readonly Update[], lr: Tensor): Step {
  const kept = updates.map(({ parameter: { decl } }) =>
    state(momentName(OPTIMIZER, "first", decl.name), decl.shape),
  );
  const last = kept.map((gradient) => gradient.read());
  sgd(OPTIMIZER, updates, { lr });
  for (const [i, { gradient }] of updates.entries()) kept[i]?.write(gradient);
  return { steps: updates.map(({ gradient }) => mul(gradient, lr)), last };
}

/** Five numbers of the returns that count, by metric. */
function spreadOf(returns: Tensor, counted: Tensor) {
  const numbers = fiveNumbers(returns, counted);
  const named = RETURN_SPREAD.map((name, i) => [name, numbers[i] as Tensor] as const);
  return Object.fromEntries(named) as Record<(typeof RETURN_SPREAD)[number], Tensor>;
}

/** Sets scheduled values as of the steps that the turn has taken, in steps of all its environments. */
export const followSteps = (structure: EvolutionStructure): void =>
  followSchedules(structure, () =>
    cast(floor(div(cast(count(EVOLUTION.steps).read(), "f32"), dimValue(lanes))), "i32"),
  );

/** One iteration in a compiled environment. */
function iterate(structure: EvolutionStructure, env: CompiledEnvironment): void {
  const taken = count(EVOLUTION.steps);
  const before = taken.read();
  followSteps(structure);
  const networks = readNetworks(structure);
  const { iteration, ...own } = perturbed(structure, networks);
  const { copies, noise } = own;
  const rows = drawLanes(structure, copies);
  const limit = constant(env.max_episode_steps, "i32");
  let moments: ReturnType<typeof observedMoments> = null;
  const { returns, lengths, gathered } = firstEpisodes(structure, env, {
    networks: noise.networks(),
    n: rowCount(copies),
    limit,
    resetDraws: uniforms("reset", iteration, rows, env.resetDraws),
    stepDraws: (t) => uniforms("dynamics", add(mul(iteration, limit), t), rows, env.stepDraws),
    ...(flag(structure, "sample_actions") && {
      actionDraws: (t: Tensor) => (many: number) =>
        uniforms("explore", add(mul(iteration, limit), t), rows, many),
    }),
    gathering: (first) => {
      moments = observedMoments(structure.normalization, env.observation_space, first);
      return moments?.gathering;
    },
  });
  (moments as ReturnType<typeof observedMoments>)?.learn(gathered);
  const each = mean(reshape(returns, [copyCount(copies), copies.episodes]));
  state(EVOLUTION.returns, each.shape).write(each);
  learnCopies(structure, networks, own, each);

  const finite = isFinite(returns);
  const [total, finished] = [state("episode.total"), state("episode.finished")];
  total.write(add(total.read(), sumAll(select(greater(finite, 0), returns, 0))));
  finished.write(add(finished.read(), sumAll(finite)));
  const after = add(before, cast(sumAll(lengths), "i32"));
  taken.write(after);
  tell(iteration, after, div(sumAll(select(greater(finite, 0), returns, 0)), maximum(sumAll(finite), 1)));
}

/** Keeps the end and the mean return of an iteration. */
function tell(iteration: Tensor, steps: Tensor, average: Tensor): void {
  const at = reshape(minimum(iteration, TOLD_ITERATIONS - 1), [1]);
  state(EVOLUTION.told_steps, [TOLD_ITERATIONS], { dtype: "i32" }).writeRows(at, reshape(steps, [1]));
  state(EVOLUTION.told_returns, [TOLD_ITERATIONS]).writeRows(at, reshape(average, [1]));
}

/** Iterations in a compiled environment until the turn has taken its steps; at least one. */
export function evolutionProgram(structure: EvolutionStructure, env: CompiledEnvironment): Program {
  return trace(`${structure.algorithm.name}.turn`, () => {
    scan({ count: count(EVOLUTION.iterations).read(), carry: [] }, () => {
      iterate(structure, env);
      return { carry: [], until: lessEqual(count(EVOLUTION.wanted).read(), count(EVOLUTION.steps).read()) };
    });
  });
}
