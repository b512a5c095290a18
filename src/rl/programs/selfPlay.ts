/** Self-play by tree search in games of two players: positions with the search's policy and the game's result. */
import { categorical, type RandomKey, randomUniform } from "../../kernels/functions.ts";
import {
  add,
  cast,
  dimValue,
  less,
  log,
  maximum,
  mul,
  ones,
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
import { counter, countHyperparameter, LEARNED, randomKey, uniforms } from "../contract/inputs.ts";
import type { SelfPlay } from "../contract/onPolicy.ts";
import { carryState, type EnvCarry, vectorStep } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { elementSize } from "../spaces.ts";
import { gameOf, legalIn } from "./game.ts";
import { episodeStatistics, lanes, networkInput, stepDraws } from "./lanes.ts";
import { applyLearning, readLearner } from "./learning.ts";
import { encodeStep } from "./memory.ts";
import { batch, minibatches } from "./minibatches.ts";
import { judgePositions, keepPositions, type Position, samplePositions } from "./positions.ts";
import { horizon } from "./rollout.ts";
import type { OnPolicyStructure } from "./rolloutLearning.ts";
import { followSchedules } from "./schedules.ts";
import { agentEvaluator } from "./search/agentEvaluator.ts";
import { dirichlet } from "./search/dirichlet.ts";
import { gumbel, gumbelNoise } from "./search/gumbel.ts";
import { puct } from "./search/puct.ts";
import type { SearchRule } from "./search/SearchRule.ts";
import { search } from "./search/search.ts";
import { symmetricForms } from "./symmetries.ts";

/** Self-play of `horizon` moves in every lane, and a learning phase. */
export function selfPlayProgram(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  keepsEpisodes = false,
): Program {
  const { name, selfPlay } = structure.algorithm;
  if (!selfPlay) throw new TypeError(`${name}: does not play against itself`);
  const settings = selfPlay(structure.hyperparameters);
  return trace(`${name}.self_play`, () => {
    collect(structure, env, settings, keepsEpisodes);
    followSchedules(structure, () => counter("vector_step").read());
    learnPositions(structure, env);
  });
}

function collect(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  settings: SelfPlay,
  keepsEpisodes: boolean,
): void {
  const { mover } = gameOf(env);
  const vectorSteps = counter("vector_step");
  scan({ count: horizon, carry: [] }, () => {
    const step = vectorSteps.read();
    const environment = carryState(env, lanes);
    const before = environment.read();
    const { action, ...found } = searchedMove(structure, env, before, settings, step);
    const result = vectorStep(env, before, action, stepDraws(env, step));
    const sign = sub(1, mul(mover(before.state), 2));
    const reward = mul(result.reward, sign);
    episodeStatistics().add(reward, result.done, keepsEpisodes ? step : undefined);
    environment.write(result.carry);
    vectorSteps.write(add(step, 1));
    const obs = reshape(env.observe(before.state), [lanes, elementSize(env.observation_space)]);
    keepPositions(env, { obs, ...found, reward, sign, done: cast(result.done, "f32") });
    return { carry: [] };
  });
}

/** The move of each lane, i32 [n], and what its search found. */
function searchedMove(
  structure: OnPolicyStructure,
  env: CompiledEnvironment,
  { state, elapsed }: EnvCarry,
  settings: SelfPlay,
  step: Tensor,
): { readonly action: Tensor } & Pick<Position, "policy" | "mask" | "value"> {
  const { simulations, sampled_moves } = settings;
  const legal = legalIn(env, state);
  const rule = ruleOf(settings, legal, randomKey("explore", step));
  const evaluate = agentEvaluator(structure, env);
  const { action, policy, visits, value } = search(env, evaluate, state, { simulations, rule });
  const [uniform] = uniforms("sample", step, lanes, 1) as [Tensor];
  const sampled = categorical(log(maximum(visits, 1e-30)), legal).sample(uniform);
  const isDrawn = less(cast(elapsed, "f32"), sampled_moves);
  return { action: select(isDrawn, sampled, action), policy, mask: legal, value };
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

/** Learning steps from positions of the ring, each under a random symmetry of its game. */
function learnPositions(structure: OnPolicyStructure, env: CompiledEnvironment): void {
  const { algorithm, hyperparameters } = structure;
  const { rules } = gameOf(env);
  judgePositions(env);
  const passes = mul(countHyperparameter("update_epochs"), dimValue(minibatches, "i32"));
  scan({ count: passes, carry: [] }, () => {
    const learner = readLearner(structure);
    const { networks, values } = learner;
    const [which, form] = uniforms("shuffle", counter(LEARNED).read(), batch, 2) as [Tensor, Tensor];
    const { obs, policy, mask, value, returns, known } = samplePositions(env, which);
    const forms = symmetricForms(rules, form);
    const seen = reshape(forms.observation(obs), [batch, ...env.observation_space.shape]);
    const input = networkInput(structure, env.observation_space, seen);
    const none = zeros([batch]);
    const learned = algorithm.learn(
      networks,
      {
        latents: encodeStep(algorithm, networks, input, env).latents,
        action: none,
        log_prob: none,
        advantage: none,
        returns,
        mask: forms.actions(mask),
        weight: ones([batch]),
        searched: { policy: forms.actions(policy), value, known },
      },
      hyperparameters,
      values,
      env,
    );
    applyLearning(structure, learner, learned);
    return { carry: [] };
  });
}
