import { describe, expect, it } from "vitest";
import { visiblePart } from "../../../src/agents/members.ts";
import { PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { Gate, runTurn } from "../../../src/training/loop.ts";
import { MemberTurnRunner } from "../../../src/training/rl/MemberTurnRunner.ts";
import { allWritten } from "../../../src/training/rl/runState.ts";
import {
  type MemberTurn,
  type RunState,
  registeredMembers,
  type TurnOutcome,
} from "../../../src/training/workloads.ts";
import { tinyDqn } from "../../workers/support/manifests.ts";
import { trainWith } from "../../workers/support/trainWith.ts";
import { inThread } from "../support/rlRuns.ts";
import { timeless } from "../support/timeless.ts";

const STEPS = 128;

/** The next turn of member 0, with a learning rate. */
function nextTurn({ members, replay, generation, epsilon }: RunState, lr?: number): MemberTurn {
  const [agent, ring] = [members[0], replay?.rings[0]];
  if (!agent || !replay || !ring) throw new Error("the run has no replay memory");
  const hyperparameters = lr === undefined ? agent.hyperparameters : { ...agent.hyperparameters, lr };
  const visible = replay.rings.map((r) => visiblePart(r, replay.segment, STEPS));
  const off_policy = {
    epsilon,
    eps_end: 0.01,
    eps_decay: 0.99,
    learning_delay: 16,
    ring,
    visible,
    priorities: null,
  };
  const turn = { slot: 0, generation: generation + 1, seed: 7, num_envs: 4, evo_steps: STEPS };
  return {
    agent: { ...agent, hyperparameters },
    turn: { ...turn, eval_loop: 1, eval_steps: null, off_policy },
  };
}

async function newTurnRunner({ replay, members }: RunState): Promise<MemberTurnRunner> {
  if (!replay) throw new Error("the run has no replay memory");
  const setup = { population: members.length, segment: replay.segment, kind: PLAIN_MEMORY };
  const run = { environment: "CartPole-v1", replay: setup, written: allWritten(replay) };
  return MemberTurnRunner.open(run, await registeredMembers(run.environment));
}

const take = (turnRunner: MemberTurnRunner, turn: MemberTurn): Promise<TurnOutcome> =>
  runTurn(turnRunner, turn, new Gate(), () => undefined);

describe("MemberTurnRunner", () => {
  it("leaves the replay memory as it was when a turn fails", async () => {
    const state = await trainWith(inThread(), tinyDqn());
    expect(state.replay?.rings[0]?.count).toBe(state.replay?.segment);
    const expected = await take(await newTurnRunner(state), nextTurn(state));
    expect(expected.ok).toBe(true);

    const turnRunner = await newTurnRunner(state);
    const failed = await take(turnRunner, nextTurn(state, 1e38));
    expect(failed).toMatchObject({ ok: false, slot: 0, diverged: true });
    expect(timeless(await take(turnRunner, nextTurn(state)))).toEqual(timeless(expected));
    turnRunner.close();
  });
});
