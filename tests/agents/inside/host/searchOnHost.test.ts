/** Searches in a game in code, beside those in the same game compiled. */
import { describe, expect, it } from "vitest";
import { searchOnHost } from "../../../../src/agents/host/searchOnHost.ts";
import { AgentSession, type AgentState, GameSearch, policyOnly } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";
import type { Info } from "../../../../src/rl/faces.ts";
import { SandboxedEnvironment } from "../../../../src/sandbox/environments.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { inProcess } from "../../../sandbox/inside/support/inProcess.ts";
import { TIC_TAC_TOE } from "../../../sandbox/support/modules.ts";

const compiled = findCompiledEnvironment("rlkit/TicTacToe");
const rules = compiled.game?.rules ?? expect.fail("is a game");
const { observation_space, action_space } = compiled;
const SIMULATIONS = 24;
/** Moves of each lane; lanes 1, 3 and 5 have the second player's seat. One is as near to its end as can be. */
const OPENINGS = [[], [4], [4, 0], [0, 4, 8], [0, 1, 4, 8, 3, 6], [4, 0, 8, 1, 2, 6, 3, 5]];

const made = (spec: AlgoSpecInput): AgentState => agentOf(spec, { observation_space, action_space, seed: 4 });
const sessionOf = (agent: AgentState) =>
  new AgentSession(new WasmDevice(), { observation_space, action_space }, agent, 0);

/** The game's lanes after the openings, and what they show. */
async function begun(script = TIC_TAC_TOE) {
  const num_envs = OPENINGS.length;
  const env = await SandboxedEnvironment.open(inProcess, {
    name: "user/tic-tac-toe",
    script,
    entrypoint: null,
    options: {},
    num_envs,
  });
  const first = await env.reset({ seed: 1 });
  const [observation, info] = [first.observation, [...first.info]];
  const size = observation.length / num_envs;
  for (let move = 0; move < 9; move++) {
    const wanted = Uint8Array.from(OPENINGS, (moves) => Number(moves.length > move));
    const next = await env.step(
      OPENINGS.map((moves) => moves[move] ?? 0),
      wanted,
    );
    for (const [lane, moves] of wanted.entries()) {
      if (moves === 0) continue;
      observation.set(next.observation.subarray(lane * size, (lane + 1) * size), lane * size);
      info[lane] = next.info[lane] as Info;
    }
  }
  return { env, seen: { observation, info, wanted: new Uint8Array(num_envs).fill(1) } };
}

describe.each([
  ["PPO", made({ name: "PPO", share_encoders: false })],
  ["DQN", made({ name: "DQN" })],
  ["AlphaZero", made({ name: "AlphaZero", c_puct: 2 })],
  ["AlphaZero by Gumbel's rule", made({ name: "AlphaZero", search: "gumbel", max_considered: 4 })],
] as const)("%s", (_name, agent) => {
  it("searches a game in code as the same game compiled", async () => {
    const states = OPENINGS.map((moves) => moves.reduce(rules.next, rules.start));
    const expected = new GameSearch(new WasmDevice(), agent, compiled, { simulations: SIMULATIONS }).search(
      states,
    );
    const { env, seen } = await begun();
    const found = await searchOnHost(sessionOf(agent), env, seen, { simulations: SIMULATIONS });
    for (const [lane, { action, visits, value }] of expected.entries()) {
      expect({ lane, visits: found[lane]?.visits }).toEqual({ lane, visits });
      expect(found[lane]?.action).toBe(action);
      expect(found[lane]?.value).toBeCloseTo(value, 4);
    }
    // The games are where they were, and lanes that are not wanted are left out.
    const some = { ...seen, wanted: Uint8Array.of(0, 1, 0, 0, 0, 1) };
    const again = await searchOnHost(sessionOf(agent), env, some, { simulations: SIMULATIONS });
    expect(again.map((one, lane) => one && { ...one, lane })).toEqual(
      found.map((one, lane) => (some.wanted[lane] === 1 ? { ...one, lane } : null)),
    );
    env.close();
  });
});

describe("a search in a game in code is refused", () => {
  const agent = made({ name: "PPO" });

  it.each([
    [
      "without save and load",
      "save() {",
      "kept() {",
      "load({",
      "placed({",
      /user\/tic-tac-toe: found no save\(\) and load/,
    ],
    [
      "where load throws",
      "this.cells = cells;",
      'throw new Error("no room");',
      "",
      "",
      /user\/tic-tac-toe: env\.load\(\) of lane 0.*no room; allowed: it takes every state/,
    ],
  ])("%s", async (_name, from, to, also, then, message) => {
    const { env, seen } = await begun(TIC_TAC_TOE.replace(from, to).replace(also, then));
    await expect(searchOnHost(sessionOf(agent), env, seen, { simulations: 2 })).rejects.toThrow(message);
    env.close();
  });

  it("for an agent without a value", async () => {
    const { env, seen } = await begun();
    const search = searchOnHost(sessionOf(policyOnly(agent)), env, seen, { simulations: 2 });
    await expect(search).rejects.toThrow(/PPO: found no value of positions/);
    env.close();
  });
});
