/** What an agent says of a position in a game. */
import { describe, expect, it } from "vitest";
import { policyOnly } from "../../../src/agents/members.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { Adviser, openAdviser } from "../../../src/stage/Adviser.ts";
import { decodeKeptAgent } from "../../../src/training/files.ts";
import { agentFile, BOARD_NETWORK } from "../../ui/support/stageAgents.ts";

const environment = "rlkit/TicTacToe";
const env = findEnvironment(environment);
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

  it("is refused by an agent of another environment", async () => {
    await expect(openAdviser({ ...agentFile(1), environment })).rejects.toThrow("observation");
  });
});
