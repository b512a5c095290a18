/** What an agent says of a position in a game. */
import { describe, expect, it, onTestFinished } from "vitest";
import { policyOnly } from "../../../src/agents/members.ts";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { spaceToJson } from "../../../src/rl/spaces.ts";
import { SandboxedEnvironment } from "../../../src/sandbox/environments.ts";
import { provideSandboxes } from "../../../src/sandbox/sandboxes.ts";
import { Adviser, openAdviser } from "../../../src/stage/Adviser.ts";
import { sha256HexNow } from "../../../src/storage/files.ts";
import { decodeKeptAgent } from "../../../src/training/files.ts";
import { inProcess } from "../../sandbox/inside/support/inProcess.ts";
import { TIC_TAC_TOE } from "../../sandbox/support/modules.ts";
import { agentFile, BOARD_NETWORK } from "../../ui/support/stageAgents.ts";

const environment = "rlkit/TicTacToe";
const env = findCompiledEnvironment(environment);
/** Cells 0, 4 and 8 are taken. */
const mask = [0, 1, 1, 1, 0, 1, 1, 1, 0];
const observation = mask.flatMap((free, cell) => [Number(free === 0 && cell !== 4), Number(cell === 4)]);
const question = { observation, mask };
const best = (values: readonly (number | null)[]) => values.indexOf(Math.max(...values.map((x) => x ?? -9)));

describe("advice", () => {
  it("has the probabilities of legal moves, the likeliest of which it plays, and a value", async () => {
    const adviser = await openAdviser(
      agentFile(1, { algorithm: "PPO", environment, network: BOARD_NETWORK }),
    );
    const { action, ratings, value } = adviser.ask(question);
    expect(ratings?.kind).toBe("probability");
    const values = ratings?.values ?? [];
    expect(values.map((x) => Number(x !== null))).toEqual(mask);
    expect(values.reduce<number>((sum, x) => sum + (x ?? 0), 0)).toBeCloseTo(1, 5);
    expect(action).toBe(best(values));
    expect(value).not.toBeNull();
    // Another position, another view.
    const [other, none] = [[...mask], observation.map(() => 0)];
    other[action] = 0;
    const next = adviser.ask({ observation: none, mask: other });
    expect(next.ratings?.values[action]).toBeNull();
    expect(next.value).not.toBe(value);
    expect(adviser.ask(question)).toMatchObject({ action, ratings, value, search: null });
  });

  it("has the returns expected after legal moves where an agent learns those", async () => {
    const adviser = await openAdviser(
      agentFile(2, { algorithm: "DQN", environment, network: BOARD_NETWORK }),
    );
    const { action, ratings, value } = adviser.ask({ observation, mask: mask.map(() => 1) });
    expect(ratings?.kind).toBe("return");
    expect(action).toBe(best(ratings?.values ?? []));
    expect(value).toBeCloseTo(ratings?.values[action] ?? Number.NaN, 5);
  });

  it("has no value where only the policy was kept", () => {
    const { agent } = decodeKeptAgent(
      agentFile(3, { algorithm: "PPO", environment, network: BOARD_NETWORK }).bytes,
    );
    const { value, ratings } = new Adviser(env, policyOnly(agent)).ask(question);
    expect(value).toBeNull();
    expect(ratings?.values).toHaveLength(9);
  });

  it("is the same in a game in code, whose positions a sandbox copies, as in the game compiled", async () => {
    provideSandboxes(inProcess);
    onTestFinished(() => provideSandboxes(null));
    const script = TIC_TAC_TOE;
    const lane = await SandboxedEnvironment.open(inProcess, {
      name: "user/xo",
      script,
      entrypoint: null,
      options: {},
      num_envs: 1,
    });
    onTestFinished(() => lane.close());
    const rules = env.game?.rules;
    if (!rules) throw new TypeError(`${environment} is a game`);
    const start = await lane.reset({ seed: 1 });
    const file = agentFile(1, { algorithm: "PPO", environment, network: BOARD_NETWORK });
    const module = {
      module: {
        name: "user/xo",
        sha256: sha256HexNow(new TextEncoder().encode(script)),
        source: script,
        script,
      },
      entrypoint: null,
      timeout_s: 10,
      stated_limit: 9,
      players: ["x", "o"],
      saves: true,
      observation_space: spaceToJson(env.observation_space),
      action_space: spaceToJson(env.action_space),
    };
    const [inCode, compiled] = [
      await openAdviser({ ...file, environment: "user/xo", module }),
      await openAdviser(file),
    ];
    let [state, seen] = [rules.start, start.observation];
    for (const [move, waits] of [false, true].entries()) {
      const mask = rules.legal(state).reduce<number[]>((all, cell) => all.with(cell, 1), Array(9).fill(0));
      const asked = { observation: seen, mask };
      const [position] = await lane.positions();
      const found = await inCode.answer({ ...asked, search: { position, waits, simulations: 24 } });
      const expected = await compiled.answer({ ...asked, search: { state, simulations: 24 } });
      expect(found.search?.visits).toEqual(expected.search?.visits);
      expect(found.search?.value).toBeCloseTo(expected.search?.value ?? Number.NaN, 4);
      expect(found).toMatchObject({ action: expected.action, value: expected.value });
      seen = (await lane.step([4 - move])).observation;
      state = rules.next(state, 4 - move);
    }
  });

  it("is refused by an agent of another environment", async () => {
    await expect(openAdviser({ ...agentFile(1), environment })).rejects.toThrow("observation");
  });
});
