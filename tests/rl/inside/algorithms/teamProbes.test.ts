/** Multi-agent algorithms learn the known values and actions of their probes. */
// @apart: its programs and devices fill much memory.

import { describe, expect, it } from "vitest";
import { type TeamProbe, teamProbes } from "../../../../src/agents/index.ts";
import { type AgentState, findAlgorithm } from "../../../../src/agents/members.ts";
import { add, concat, type Tensor } from "../../../../src/kernels/index.ts";
import { oneHotActions } from "../../../../src/rl/algorithms/centralCritics.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import { type OffPolicyAlgorithm, teamOf } from "../../../../src/rl/contract.ts";
import { IPPO } from "../../../../src/rl/definitions.ts";
import { encodeStep } from "../../../../src/rl/programs/memory.ts";
import { agentOf, SMALL_NETWORK } from "../../support/agents.ts";
import { compiledTurn, offPolicyOf } from "../../support/turns.ts";
import { ask } from "../support/ask.ts";
import { isWhole } from "../support/wholeProbes.ts";

const IDS = ["agent_0", "other_agent_0"] as const;

const misses = (found: number | undefined, known: number, what: string): string[] =>
  Math.abs((found ?? Number.NaN) - known) < 0.1 ? [] : [`${what}: found ${found}, known ${known}`];

/** Descriptions of suboptimal actions. `greedy` are the agents' actions, 0 to 1. */
const wrongActions = ({ solution }: TeamProbe, greedy: readonly (readonly number[])[]): string[] =>
  solution.flatMap(({ observation, action }, i) =>
    action.flatMap((wanted, a) =>
      wanted === null ? [] : misses(greedy[i]?.[a], wanted, `action of ${IDS[a]} at ${observation}`),
    ),
  );

const titled = teamProbes.filter(isWhole).map((probe) => [probe.name, probe.action, probe] as const);
/** MATD3 has the losses of MADDPG and a second critic, which probes of later rewards and of the other's actions show. */
const OF_BOTH = ["TeamDiscountedReward", "TeamFollow", "TeamShared"];
const central = (["MADDPG", "MATD3"] as const).flatMap((name) =>
  titled
    .filter(([title]) => name === "MADDPG" || OF_BOTH.includes(title))
    .map(([title, action, probe]) => [name, title, action, probe] as const),
);

describe("central critics learn the values, and their policies the actions, of", () => {
  const STEPS = 6000;
  const spec = { batch_size: 64, learn_step: 4, lr_actor: 1e-3, lr_critic: 3e-3, tau: 0.05, gamma: 0.99 };
  /** Wide enough that slopes at one action inform about the others: critics see only discrete actions. */
  const network = {
    latent_dim: 64,
    encoder_config: { hidden_size: [64], layer_norm: false },
    head_config: { hidden_size: [64], layer_norm: false },
  };
  const NOISE = { O_U_noise: false, expl_noise: 0.3 };

  /** The critics' values of joint actions, 0 to 1, at each observation. */
  function valuesOf(agent: AgentState, { environment, action: form }: TeamProbe, asked: readonly Row[]) {
    const family = agent.algorithm === "MADDPG" ? "critics" : "critics_1";
    const team = teamOf(environment);
    // Critics read Box actions on the actors' scale, -1 to 1.
    const given = asked.map(({ action }) => action.map((x) => (form === "discrete" ? x : 2 * x - 1)));
    return ask(
      agent,
      environment.observation_space,
      asked.map(({ observation }) => observation),
      (networks, obs, action) =>
        concat(
          IDS.map((id) => networkNamed(networks, `${family}.${id}`).value(obs, oneHotActions(team, action))),
        ),
      given,
    );
  }
  interface Row {
    readonly observation: readonly number[];
    readonly action: readonly number[];
    readonly value: readonly number[];
  }

  it.each(central)("%s: %s, %s", (name, _title, form, probe) => {
    const { environment, solution } = probe;
    const start = agentOf({ name, ...spec, ...NOISE }, { ...environment, network, seed: 3 });
    // Learned best responses are to the actions in the replay buffer, so random actions must have left it.
    const forgets = probe.name === "TeamFollow" && form === "continuous";
    const off_policy = offPolicyOf({ learning_delay: forgets ? 500 : form === "discrete" ? 1000 : 3000 });
    const turn = { num_envs: 4, evo_steps: STEPS, eval_steps: 1, off_policy };
    const { agent } = compiledTurn(start, environment, turn, { segment: forgets ? 1000 : STEPS });
    const observations = solution.map(({ observation }) => observation);
    const { greedy } = findAlgorithm(name) as OffPolicyAlgorithm;
    const best = ask(agent, environment.observation_space, observations, (networks, obs) => {
      const action: Tensor = greedy(networks, obs, undefined, environment);
      return form === "discrete" ? action : add(action, 0);
    }).map((row) => row.map((x) => (form === "discrete" ? x : (x + 1) / 2)));
    const asked = solution.flatMap(({ observation, q, action: wanted }): Row[] =>
      q
        .filter(({ action }) => !forgets || action.every((x, a) => x === wanted[a]))
        .map(({ action, value }) => ({ observation, action, value })),
    );
    const values = valuesOf(agent, probe, asked);
    const wrongValues = asked.flatMap(({ observation, action, value }, i) =>
      value.flatMap((known, a) =>
        misses(values[i]?.[a], known, `value of ${action} for ${IDS[a]} at ${observation}`),
      ),
    );
    expect([...wrongActions(probe, best), ...wrongValues]).toEqual([]);
  });
});

describe("IPPO learns the values and actions of", () => {
  it.each(titled)("%s, %s", (_name, form, probe) => {
    const { environment, solution } = probe;
    const spec = {
      name: "IPPO",
      lr: 5e-3,
      learn_step: 128,
      batch_size: 64,
      ent_coef: 0,
      gamma: 0.99,
    } as const;
    const start = agentOf(spec, { ...environment, network: SMALL_NETWORK, seed: 3 });
    const turn = { num_envs: 8, evo_steps: 100 * 128, eval_steps: 1 };
    const { agent } = compiledTurn(start, environment, turn);
    const observations = solution.map(({ observation }) => observation);
    const [best, values] = (["greedy", "value"] as const).map((of) =>
      ask(agent, environment.observation_space, observations, (networks, obs) => {
        const { latents } = encodeStep(IPPO, networks, obs, environment);
        return IPPO[of](networks, latents, environment);
      }),
    );
    const wrongValues = solution.flatMap(({ observation, value, action }, i) =>
      value.flatMap((known, a) => {
        // Stochastic continuous policies have lower values than the best ones.
        const isKnown = form === "discrete" || action.every((wanted) => wanted === null);
        return isKnown ? misses(values?.[i]?.[a], known, `value for ${IDS[a]} at ${observation}`) : [];
      }),
    );
    const clipped = (best ?? []).map((row) => row.map((x) => Math.min(1, Math.max(0, x))));
    expect([...wrongActions(probe, clipped), ...wrongValues]).toEqual([]);
  });
});
