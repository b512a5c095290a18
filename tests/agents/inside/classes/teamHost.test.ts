import { describe, expect, it } from "vitest";
import { rolloutSteps } from "../../../../src/agents/host/hostRollout.ts";
import { IPPO } from "../../../../src/agents/index.ts";
import { DeviceReplay, HostMemberRunner, type TurnResult } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { CompiledVectorEnvironment, prepareProgram } from "../../../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../../../src/rl/faces.ts";
import { HAD_LEFT } from "../../../../src/rl/programs.ts";
import { Agents, hostLayout } from "../../../../src/rl/spaces.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { Relay, Scouts } from "../../../rl/support/relay.ts";
import { compiledTurn, finish, hostTurn, offPolicyOf, turnOf } from "../../../rl/support/turns.ts";

const OFF = { batch_size: 16, learn_step: 4, lr_actor: 1e-3, lr_critic: 1e-3 } as const;
const cases = [
  ["MADDPG", { name: "MADDPG", ...OFF }],
  ["MATD3", { name: "MATD3", ...OFF }],
  ["IPPO", { name: "IPPO", batch_size: 24, learn_step: 64, lr: 1e-3 }],
] as const;

/** Masks all actions, in the infos of a step, of each agent for which `isShut` returns true. */
class ShutScouts extends Scouts {
  readonly #isShut: (isGone: boolean) => boolean;

  constructor(isShut: (isGone: boolean) => boolean) {
    super();
    this.#isShut = isShut;
  }

  override step(actions: Readonly<Record<string, number | ArrayLike<number>>>) {
    const taken = super.step(actions);
    const infos = Object.entries(taken.infos).map(([id, info]) => {
      const size = info.action_mask?.length ?? 0;
      const isShut = this.#isShut(taken.terminations[id] ?? false);
      return [id, isShut ? { action_mask: new Array<number>(size).fill(0) } : info] as const;
    });
    return { ...taken, infos: Object.fromEntries(infos) };
  }
}

const scoutSpaces = {
  observation_space: new Agents(new Scouts().observation_spaces),
  action_space: new Agents(new Scouts().action_spaces),
};

describe("a turn of several agents that the host steps", () => {
  it.each(cases)("ends with the bits of one that runs on the device (%s)", (_name, spec) => {
    const agent = agentOf(spec, Relay);
    const turn = { evo_steps: 256, num_envs: 4, eval_loop: 2 };
    const host = hostTurn(agent, new CompiledVectorEnvironment(Relay, 4, prepareProgram), turn);
    const compiled = compiledTurn(agent, Relay, turn);
    expect(host.learn_steps).toBeGreaterThan(10);
    // In a replay buffer of host environments, observations are followed by masks.
    const kept = ({ off_policy, ...result }: TurnResult) => {
      const { reward, done, action, ended } = off_policy?.written.rows ?? {};
      return { ...result, score: null, rows: { reward, done, action, ended } };
    };
    expect(kept(host)).toEqual(kept(compiled));
    expect(host.score).toBeCloseTo(compiled.score as number, 4);
  });

  it.each(cases)("takes legal actions only, of agents that are there (%s)", (_name, spec) => {
    const scouts = [new Scouts(), new Scouts()];
    const env = new SyncVectorEnvironment(scouts.map((scout) => () => scout));
    const result = hostTurn(agentOf(spec, scoutSpaces), env, { evo_steps: 128, num_envs: 2 });
    expect(result.learn_steps).toBeGreaterThan(0);
    expect(scouts.map(({ illegal }) => illegal)).toEqual([0, 0]);
    // The scout's best action is never legal.
    expect(result.agent_fitness).toEqual({ scout_0: expect.any(Number), carrier_0: 5 });
    expect(result.agent_fitness?.scout_0).toBeLessThanOrEqual(2);
    expect(result.fitness).toBe((result.agent_fitness?.scout_0 ?? 0) + 5);
  });

  it.each(cases)(
    "lets masks forbid everything to who chooses no more, and to nobody else (%s)",
    (_name, spec) => {
      const turned = (isShut: (isGone: boolean) => boolean) => {
        const scouts = [new ShutScouts(isShut), new ShutScouts(isShut)];
        const env = new SyncVectorEnvironment(scouts.map((scout) => () => scout));
        const result = hostTurn(agentOf(spec, scoutSpaces), env, { evo_steps: 128, num_envs: 2 });
        return { learn_steps: result.learn_steps, illegal: scouts.map(({ illegal }) => illegal) };
      };
      expect(turned((isGone) => isGone)).toEqual({ learn_steps: expect.any(Number), illegal: [0, 0] });
      expect(() => turned((isGone) => !isGone)).toThrow("found no legal choice");
    },
  );

  it("keeps in its memory what was legal, and who had left", () => {
    const device = new WasmDevice();
    const replay = new DeviceReplay(device, hostLayout(scoutSpaces), 1, 64);
    const env = new SyncVectorEnvironment([() => new Scouts()]);
    const runner = new HostMemberRunner(device, env, replay);
    const agent = agentOf({ name: "MADDPG", ...OFF, batch_size: 64 }, scoutSpaces);
    finish(runner.turn(agent, turnOf({ num_envs: 1, evo_steps: 6, off_policy: offPolicyOf() })));
    const rows = replay.read(0, 0, 6);
    const row = (values: ArrayLike<number>, at: number, width: number) =>
      Array.from(values).slice(at * width, (at + 1) * width);
    // Observations [1 + 2], then masks [3 + 2].
    expect(row(rows.obs, 0, 8)).toEqual([0, 0, 1, 0, 1, 0, 0, 1]);
    expect(row(rows.next_obs, 0, 8)).toEqual([1, 1, 1, 1, 1, 0, 1, 1]);
    expect(row(rows.done, 1, 2)).toEqual([1, 0]);
    // An agent that has left has a zero observation and no masked actions.
    expect(row(rows.obs, 2, 8)).toEqual([0, 2, 1, 1, 1, 1, 0, 1]);
    expect([2, 3].map((at) => row(rows.done, at, 2))).toEqual([
      [HAD_LEFT, 0],
      [HAD_LEFT, 0],
    ]);
    expect(row(rows.done, 4, 2)).toEqual([HAD_LEFT, 1]);
    expect(row(rows.reward, 3, 2)).toEqual([0, 1]);
    expect(Array.from(rows.ended)).toEqual([0, 0, 0, 0, 1, 1]);
    expect(row(rows.obs, 5, 8)).toEqual(row(rows.obs, 0, 8));
    runner.release();
    replay.release();
  });

  it("collects who was there in each step of a rollout, also of one that begins within an episode", () => {
    const env = new SyncVectorEnvironment([() => new Scouts()]);
    const agent = new IPPO({ ...scoutSpaces, learn_step: 3 });
    const collected = (options: object) => {
      agent.rollout_buffer.clear();
      const steps = rolloutSteps({ agent, env, n_steps: 3, ...options });
      let next = steps.next();
      while (!next.done) next = steps.next();
      const [, last_obs, last_done, last_scores, last_info, last_left] = next.value;
      return { last_obs, last_done, last_scores, last_info, last_left };
    };
    const last = collected({});
    expect(Array.from(agent.rollout_buffer.rollout().present ?? [])).toEqual([1, 1, 1, 1, 0, 1]);
    expect(Array.from(last.last_left ?? [])).toEqual([1, 0]);
    collected(last);
    const { present, done, terminated, reward } = agent.rollout_buffer.rollout();
    expect(Array.from(present ?? [])).toEqual([0, 1, 0, 1, 1, 1]);
    expect(Array.from(done)).toEqual([0, 1, 0]);
    expect(Array.from(terminated)).toEqual([1, 0, 1, 1, 0, 0]);
    expect(Array.from(reward).slice(0, 4)).toEqual([0, 1, 0, 1]);
  });
});
