/** Agents are tested in games against rules, with and without a search. */
import { describe, expect, it } from "vitest";
import { agentFromState } from "../../../src/agents/classes.ts";
import { SingleAgentAlgorithm } from "../../../src/agents/index.ts";
import type { AlgoSpecInput } from "../../../src/manifests/index.ts";
import { findCompiledEnvironment, make } from "../../../src/rl/environments.ts";
import { agentOf } from "../../rl/support/agents.ts";

const network = {
  latent_dim: 16,
  encoder_config: { arch: "mlp", hidden_size: [16] },
  head_config: { hidden_size: [16] },
};

function player(spec: AlgoSpecInput, id = "rlkit/TicTacToe"): SingleAgentAlgorithm {
  const { observation_space, action_space } = findCompiledEnvironment(id);
  const spaces = { observation_space, action_space };
  const agent = agentFromState(agentOf(spec, { ...spaces, network }), { ...spaces, hp_config: null });
  if (!(agent instanceof SingleAgentAlgorithm)) throw new TypeError(`${spec.name} is a single agent`);
  return agent;
}

const search = { simulations: 64 };
const rhythm = { num_envs: 64, seed: 3, opponent: "rule:one_step" } as const;

describe.each([
  { name: "PPO" },
  { name: "DQN" },
  { name: "RainbowDQN", v_min: -1, v_max: 1 },
  { name: "AlphaZero" },
] as const)("An untrained agent of $name", (spec) => {
  it("loses most games against a rule, and fewer when it searches", () => {
    const agent = player(spec);
    const plain = agent.test("rlkit/TicTacToe", rhythm);
    expect(plain).toBeLessThan(-0.5);
    const searching = agent.test("rlkit/TicTacToe", { ...rhythm, search });
    expect(searching).toBeGreaterThan(plain + 0.3);
    expect(agent.test("rlkit/TicTacToe", { ...rhythm, search })).toBe(searching);
  });
});

describe("A test", () => {
  it("meets random moves when only a search is asked for", () => {
    const agent = player({ name: "PPO" });
    const random = agent.test("rlkit/TicTacToe", { ...rhythm, opponent: "random", search: {} });
    expect(agent.test("rlkit/TicTacToe", { num_envs: 64, seed: 3, search: {} })).toBe(random);
  });

  it.each([
    ["search", "rlkit/KuhnPoker", /search: found rlkit\/KuhnPoker, which has chance and hides information/],
    ["search", "rlkit/LeducPoker", /search: found rlkit\/LeducPoker, which has chance and hides information/],
    ["search", "rlkit/Rally", /search: found rlkit\/Rally, which has chance and hides information/],
    ["opponent", "rlkit/KuhnPoker", /opponent: found "rule:one_step", allowed in rlkit\/KuhnPoker: random$/],
  ])("refuses %s in %s", (option, id, message) => {
    const asked = option === "search" ? { search } : { opponent: "rule:one_step" as const };
    expect(() => player({ name: "PPO" }, id).test(id, asked)).toThrow(message);
  });

  it("refuses options of games elsewhere, and few simulations", () => {
    const agent = player({ name: "PPO" });
    expect(() => agent.test("CartPole-v1", { search })).toThrow(/search: found CartPole-v1, allowed names/);
    const env = make("rlkit/TicTacToe");
    expect(() => agent.test(env, { opponent: "random" })).toThrow(/opponent: found an environment that is/);
    expect(() => agent.test("rlkit/TicTacToe", { search: { simulations: 1 } })).toThrow(
      /search simulations: found 1, allowed integers from 2/,
    );
  });

  it("cannot search with an agent that has no value", () => {
    expect(() => player({ name: "ES" }).test("rlkit/TicTacToe", { search })).toThrow(
      /ES: found no value of positions/,
    );
  });
});

it("A search from given positions refuses games that hide information", () => {
  const id = "rlkit/KuhnPoker";
  expect(() => player({ name: "PPO" }, id).search(id, [])).toThrow(/rlkit\/KuhnPoker: has chance and hides/);
});
