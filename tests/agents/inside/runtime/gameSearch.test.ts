/** Searches by an agent's own networks, beside the plain search with the same networks asked one by one. */
import { describe, expect, it } from "vitest";
import { agentFromState } from "../../../../src/agents/classes.ts";
import { SingleAgentAlgorithm } from "../../../../src/agents/index.ts";
import { AgentSession, type AgentState, GameSearch, policyOnly } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { findCompiledEnvironment, type GameState } from "../../../../src/rl/environments.ts";
import {
  type Evaluation,
  hostGumbel,
  hostPuct,
  plainSearch,
} from "../../../rl/inside/programs/search/plainSearch.ts";
import { positions } from "../../../rl/inside/programs/search/searched.ts";
import { agentOf } from "../../../rl/support/agents.ts";

const game = findCompiledEnvironment("rlkit/ConnectFour");
const rules = game.game?.rules ?? expect.fail("is a game");
const { observation_space, action_space } = game;
const network = {
  latent_dim: 16,
  encoder_config: { arch: "mlp", hidden_size: [16] },
  head_config: { hidden_size: [16] },
};
const made = (spec: AlgoSpecInput): AgentState =>
  agentOf(spec, { observation_space, action_space, network, seed: 4 });

/** The agent's networks on one position. */
function judgeOf(agent: AgentState): (state: GameState) => Evaluation {
  const session = new AgentSession(new WasmDevice(), { observation_space, action_space }, agent, 0);
  const { arena } = session.open(["policy", "value"], { num_envs: 1 });
  return (state) => {
    const seen = rules.observe(state, rules.player(state));
    const legal = rules.legal(state);
    arena.write("observation", seen);
    arena.write(
      "action_mask",
      Array.from({ length: action_space.kind === "Discrete" ? 7 : 0 }, () => 1),
    );
    arena.write("act.obs", seen);
    session.run("policy");
    session.run("value");
    if (arena.has("logits"))
      return { logits: Array.from(arena.view("logits")), value: arena.view("act.value")[0] ?? 0 };
    const returns = Array.from(arena.view("q_values"));
    return { logits: returns.map((x) => 10 * x), value: Math.max(...legal.map((a) => returns[a] as number)) };
  };
}

describe.each([
  ["PPO", made({ name: "PPO", share_encoders: false })],
  ["DQN", made({ name: "DQN" })],
  ["AlphaZero", made({ name: "AlphaZero", c_puct: 2 })],
  ["AlphaZero by Gumbel's rule", made({ name: "AlphaZero", search: "gumbel", max_considered: 4 })],
] as const)("%s", (name, agent) => {
  it("tries the actions that a plain search tries", () => {
    const simulations = 24;
    const states = positions(rules, 12);
    const found = new GameSearch(new WasmDevice(), agent, game, { simulations }).search(states);
    const judge = judgeOf(agent);
    const rule = name.endsWith("rule")
      ? hostGumbel({ simulations, max_considered: 4, c_scale: 0.1 })
      : hostPuct({ c_init: name === "AlphaZero" ? 2 : 1.25 });
    for (const [i, state] of states.entries()) {
      const { visits, value, action } = plainSearch(rules, judge, state, { simulations, rule });
      expect(found[i]?.visits).toEqual(visits);
      expect(found[i]?.value).toBeCloseTo(value, 4);
      expect(found[i]?.action).toBe(action);
    }
  });
});

describe("An agent's search", () => {
  const agent = agentFromState(made({ name: "PPO" }), { observation_space, action_space, hp_config: null });
  if (!(agent instanceof SingleAgentAlgorithm)) throw new TypeError("PPO is a single agent");

  it("wins where a stone wins", () => {
    const state = [3, 0, 3, 0, 3, 0].reduce(rules.next, rules.start);
    const [found] = agent.search("rlkit/ConnectFour", [state], { simulations: 64 });
    expect(found?.action).toBe(3);
    expect(found?.visits.reduce((a, b) => a + b)).toBe(64);
    expect(agent.search("rlkit/ConnectFour", [])).toEqual([]);
  });

  it.each([
    ["rlkit/LeducPoker", 8, /rlkit\/LeducPoker: found .*chance|observation_space/],
    ["CartPole-v1", 8, /observation_space/],
    ["rlkit/ConnectFour", 1, /search simulations: found 1, allowed integers from 2/],
  ])("is refused in %s with %i simulations", (id, simulations, message) => {
    expect(() => agent.search(id, [], { simulations })).toThrow(message);
  });

  it("needs a value", () => {
    const mute = policyOnly(made({ name: "PPO" }));
    expect(() => new GameSearch(new WasmDevice(), mute, game, { simulations: 4 })).toThrow(
      /PPO: found no value of positions/,
    );
  });
});
