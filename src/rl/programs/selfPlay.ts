/** Self-play by tree search in games of two players: positions with the search's policy and the game's result. */
import { categorical, type RandomKey, randomUniform } from "../../kernels/functions.ts";
import {
  add,
  cast,
  type Dim,
  less,
  log,
  maximum,
  mul,
  type Program,
  reshape,
  scan,
  select,
  sizeOf,
  sub,
  type Tensor,
  trace,
  zeros,
} from "../../kernels/index.ts";
import { counter, randomKey, uniforms } from "../contract/inputs.ts";
import type { SelfPlay } from "../contract/onPolicy.ts";
import { carryState, type EnvCarry, vectorStep } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { episodeStatistics, lanes, stepDraws } from "./lanes.ts";
import { gameOf, legalIn } from "./opponents.ts";
import { observationField } from "./replayFields.ts";
import { flat, horizon, samples } from "./rollout.ts";
import { rolloutInputs } from "./rolloutInputs.ts";
import { type LearntColumns, learnColumns, type OnPolicyStructure } from "./rolloutLearning.ts";
import { packed } from "./rowLayout.ts";
import { followSchedules } from "./schedules.ts";
import { agentEvaluator } from "./search/agentEvaluator.ts";
import { dirichlet } from "./search/dirichlet.ts";
import { gumbel, gumbelNoise } from "./search/gumbel.ts";
import { puct } from "./search/puct.ts";
import type { SearchRule } from "./search/SearchRule.ts";
import { search } from "./search/search.ts";

/** Self-play of `horizon` moves in every lane, and the learning phase over it. */
export function selfPlayProgram(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  keepsEpisodes = false,
): Program {
  const { name, selfPlay } = structure.algorithm;
  if (!selfPlay) throw new TypeError(`${name}: does not play against itself`);
  const settings = selfPlay(structure.hyperparameters);
  return trace(`${name}.self_play`, () => {
    const played = collect(structure, env, settings, keepsEpisodes);
    followSchedules(structure, () => counter("vector_step").read());
    learnColumns(structure, env, columnsOf(structure, env, played));
  });
}

/** Moves in order, [horizon, num_envs, ...]. */
interface Played {
  readonly obs: Tensor;
  readonly policy: Tensor;
  readonly mask: Tensor;
  readonly action: Tensor;
  /** What the first player got by the move. */
  readonly reward: Tensor;
  /** 1 for moves of the first player, -1 for those of the second. */
  readonly sign: Tensor;
  readonly done: Tensor;
}

function collect(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  settings: SelfPlay,
  keepsEpisodes: boolean,
): Played {
  const { mover } = gameOf(env);
  const field = observationField(env.observation_space);
  const vectorSteps = counter("vector_step");
  const { ys } = scan({ count: horizon, carry: [] }, () => {
    const step = vectorSteps.read();
    const environment = carryState(env, lanes);
    const before = environment.read();
    const mask = legalIn(env, before.state);
    const { action, policy } = searchedMove(structure, env, before, settings, step);
    const result = vectorStep(env, before, action, stepDraws(env, step));
    const sign = sub(1, mul(mover(before.state), 2));
    const reward = mul(result.reward, sign);
    episodeStatistics().add(reward, result.done, keepsEpisodes ? step : undefined);
    environment.write(result.carry);
    vectorSteps.write(add(step, 1));
    const obs = packed(field, env.observe(before.state));
    return { carry: [], ys: [obs, policy, mask, action, reward, sign, cast(result.done, "f32")] };
  });
  const [obs, policy, mask, action, reward, sign, done] = ys as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ];
  return { obs, policy, mask, action, reward, sign, done };
}

/** The move of each lane, i32 [n], and the policy that its search found, [n, actions]. */
function searchedMove(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  { state, elapsed }: EnvCarry,
  settings: SelfPlay,
  step: Tensor,
): { readonly action: Tensor; readonly policy: Tensor } {
  const { simulations, sampled_moves } = settings;
  const legal = legalIn(env, state);
  const rule = ruleOf(settings, legal, randomKey("explore", step));
  const { action, policy, visits } = search(env, agentEvaluator(structure, env), state, {
    simulations,
    rule,
  });
  const [uniform] = uniforms("sample", step, lanes, 1) as [Tensor];
  const sampled = categorical(log(maximum(visits, 1e-30)), legal).sample(uniform);
  return { action: select(less(cast(elapsed, "f32"), sampled_moves), sampled, action), policy };
}

/** The rule of a search, with noise at the root. */
function ruleOf(settings: SelfPlay, legal: Tensor, key: RandomKey): SearchRule {
  const { simulations, max_considered, c_scale, c_puct, dirichlet_alpha, dirichlet_fraction } = settings;
  if (settings.search === "gumbel") {
    const [uniform] = randomUniform(key, sizeOf(legal.shape));
    const noise = reshape(gumbelNoise(uniform), legal.shape);
    return gumbel({ simulations, max_considered, c_scale, noise });
  }
  const distribution = dirichlet(key, legal, dirichlet_alpha);
  return puct({ c_init: c_puct, noise: { distribution, fraction: dirichlet_fraction } });
}

/** What the games came to, for the player who moved: in each position, and 1 where it is known, else 0. */
export function outcomes({ reward, sign, done }: Pick<Played, "reward" | "sign" | "done">): {
  readonly returns: Tensor;
  readonly known: Tensor;
} {
  const n = reward.shape[1] as Dim;
  const { ys } = scan(
    { count: horizon, carry: [zeros([n]), zeros([n])], xs: [reward, sign, done], reverse: true },
    ([later, ends], x) => {
      const [got, side, end] = x as [Tensor, Tensor, Tensor];
      const goes = sub(1, end);
      const known = maximum(mul(ends as Tensor, goes), end);
      const result = add(got, mul(later as Tensor, goes));
      return { carry: [result, known], ys: [mul(mul(result, side), known), known] };
    },
  );
  const [returns, known] = ys as [Tensor, Tensor];
  return { returns, known };
}

function columnsOf(structure: OnPolicyStructure, env: CompiledEnvironment, played: Played): LearntColumns {
  const { returns, known } = outcomes(played);
  const none = zeros([samples]);
  return {
    inputs: rolloutInputs(structure, env, { obs: played.obs, memory: {} }).at,
    done: flat(played.done),
    memory: {},
    action: flat(played.action),
    log_prob: none,
    advantage: none,
    returns: flat(returns),
    mask: flat(played.mask),
    searched: { policy: flat(played.policy), known: flat(known) },
  };
}
