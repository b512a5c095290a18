import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { DQN, PPO } from "../../../src/agents/index.ts";
import {
  type AgentState,
  bindAgent,
  type CompiledPurpose,
  compiledProgram,
  DeviceReplay,
  findAlgorithm,
  offPolicyContents,
  offPolicySizes,
  progressContents,
  Residence,
  rolloutSizes,
} from "../../../src/agents/members.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { type AlgoSpecInput, listAlgorithms } from "../../../src/manifests/index.ts";
import { findCompiledEnvironment, makeVector } from "../../../src/rl/environments.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { smallTask } from "../../rl/support/smallTask.ts";
import { compiledTurn, hostTurn, offPolicyOf } from "../../rl/support/turns.ts";

const KINDS = ["linear", "cosine"] as const;
const cartPole = findCompiledEnvironment("CartPole-v1");
const SEGMENT = 64;

/** The factor after part `done` of a run, as the documentation defines it. */
function factorOf(kind: "linear" | "cosine", final: number, done: number): number {
  const part = Math.min(1, done);
  return 1 - (1 - final) * (kind === "linear" ? part : (1 - Math.cos(Math.PI * part)) / 2);
}

const device = new WasmDevice();
afterAll(() => device.close());

/** A member in the buffers of its programs, at a place in its run. */
function loaded(
  agent: AgentState,
  purpose: CompiledPurpose,
  schedule: { progress: number; progress_step: number },
  num_envs = 2,
) {
  const isOff = findAlgorithm(agent.algorithm).kind === "off_policy";
  const off = offPolicyOf(purpose === "lessons" ? { offline: true } : {});
  const replay = isOff ? new DeviceReplay(device, cartPole, 1, SEGMENT) : null;
  const residence = new Residence(device, replay?.arena);
  const sizes = isOff ? offPolicySizes(agent, num_envs, off, SEGMENT) : rolloutSizes(agent, num_envs);
  const program = compiledProgram(agent, cartPole, purpose);
  const reset = compiledProgram(agent, cartPole, "reset");
  residence.prepare(agent, [program, reset], bindAgent(agent, sizes));
  residence.load(agent);
  residence.setKey(5, 0, 1, 1);
  if (isOff) residence.write(offPolicyContents({ slot: 0, evo_steps: 64, num_envs }, SEGMENT, off));
  residence.write(progressContents({ schedule }));
  residence.run(reset);
  return {
    /** The value of a hyperparameter after a run of the program, for off-policy members of this many steps. */
    after: (name: string, steps = 1): number => {
      residence.set("turn.steps", steps);
      residence.run(program);
      return residence.number(`hp.${name}`);
    },
    release: () => {
      residence.release();
      replay?.release();
    },
  };
}

const relative = (found: number, expected: number, scale: number): number =>
  Math.abs(found - expected) / scale;

describe("a scheduled value", () => {
  it.each(KINDS)("follows the formula in every vector step (%s)", (kind) => {
    const place = fc.record({
      lr: fc.double({ min: 1e-6, max: 1, noNaN: true }),
      final: fc.double({ min: 0, max: 3, noNaN: true }),
      progress: fc.double({ min: 0, max: 1.2, noNaN: true }),
      progress_step: fc.double({ min: 0, max: 0.1, noNaN: true }),
      steps: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(place, ({ lr, final, progress, progress_step, steps }) => {
        // A batch that is never complete, so nothing is learnt.
        const spec = {
          name: "DQN",
          batch_size: SEGMENT + 1,
          lr,
          lr_schedule: kind,
          lr_final: final,
        } as const;
        const member = loaded(agentOf(spec, cartPole), "turn", { progress, progress_step });
        const found = member.after("lr", steps);
        member.release();
        const expected = lr * factorOf(kind, final, progress + (steps - 1) * progress_step);
        expect(relative(found, expected, lr * Math.max(1, final))).toBeLessThan(1e-5);
        expect(found).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  it("changes between the learning phases of a turn, each with its steps from its start", () => {
    const agent = agentOf(
      {
        name: "PPO",
        learn_step: 16,
        batch_size: 8,
        lr: 0.01,
        lr_schedule: "linear",
        clip_coef_schedule: "cosine",
        clip_coef_final: 0.5,
        ent_coef_schedule: "linear",
        ent_coef_final: 2,
      },
      cartPole,
    );
    // Eight vector steps a phase.
    const member = loaded(agent, "turn", { progress: 0.25, progress_step: 0.025 });
    for (const done of [0.25, 0.45, 0.65, 0.85, 1, 1]) {
      expect(member.after("lr")).toBeCloseTo(0.01 * factorOf("linear", 0, done), 8);
    }
    member.release();
    const again = loaded(agent, "turn", { progress: 0.25, progress_step: 0.025 });
    expect(again.after("clip_coef")).toBeCloseTo(0.2 * factorOf("cosine", 0.5, 0.25), 6);
    expect(again.after("ent_coef")).toBeCloseTo(0.01 * factorOf("linear", 2, 0.45), 7);
    again.release();
  });

  it("changes with the learning steps of members that only learn", () => {
    const spec = { name: "CQN", batch_size: 4, lr: 0.01, lr_schedule: "linear", lr_final: 0.5 } as const;
    const member = loaded(agentOf(spec, cartPole), "lessons", { progress: 0.5, progress_step: 0.01 });
    expect(member.after("lr", 1)).toBeCloseTo(0.01 * factorOf("linear", 0.5, 0.5), 8);
    expect(member.after("lr", 10)).toBeCloseTo(0.01 * factorOf("linear", 0.5, 0.6), 8);
    member.release();
  });
});

/** Each algorithm that learns by acting, with the rates that its optimisers name. */
const acting = listAlgorithms().flatMap(({ name, runs, language_model, offline, bandit }) =>
  runs && !language_model && !offline && !bandit ? [name] : [],
);

describe("a schedule at one place", () => {
  const half = { progress: 0.5, progress_step: 0 };

  it.each(acting)("multiplies every rate of %s, and is seen in no other way", (name) => {
    const algorithm = findAlgorithm(name);
    const { environment, network } = smallTask(algorithm);
    const sizes =
      algorithm.kind === "evolution"
        ? { perturbations: 4 }
        : { batch_size: 8, learn_step: algorithm.kind === "on_policy" ? 32 : 2 };
    const rates = [...new Set(Object.values(algorithm.optimizers).map(({ lr }) => lr))];
    // Powers of two, whose products are exact.
    const member = (rate: number, fields: object = {}): AgentState =>
      agentOf(
        {
          name,
          ...sizes,
          ...Object.fromEntries(rates.map((lr) => [lr, rate])),
          ...fields,
        } as AlgoSpecInput,
        { ...environment, network },
      );
    const turn = { evo_steps: 64, num_envs: 2, eval_steps: 5 };
    const scheduled = compiledTurn(member(2 ** -8, { lr_schedule: "linear", lr_final: 0.5 }), environment, {
      ...turn,
      schedule: half,
    });
    const slower = compiledTurn(member(2 ** -8 * 0.75), environment, turn);
    expect(scheduled.learn_steps).toBeGreaterThan(0);
    const { hyperparameters, ...rest } = scheduled.agent;
    expect(rest).toEqual({ ...slower.agent, hyperparameters: undefined });
    for (const lr of rates) expect(hyperparameters[lr]).toBe(2 ** -8);
    expect(hyperparameters).toMatchObject({ lr_schedule: "linear", lr_final: 0.5 });
  });

  it.each(["PPO", "DQN"] as const)("is the same in environments that the host steps (%s)", (name) => {
    const fields = { batch_size: 8, learn_step: name === "PPO" ? 16 : 2, lr: 0.01 };
    const member = (schedule: object) => agentOf({ name, ...fields, ...schedule } as AlgoSpecInput, cartPole);
    const turn = { evo_steps: 64, num_envs: 2, eval_steps: 5 };
    const run = (schedule: object, place: object) =>
      hostTurn(member(schedule), makeVector("CartPole-v1", 2), { ...turn, ...place }).agent.networks;
    const moving = { schedule: { progress: 0.2, progress_step: 0.01 } };
    const plain = run({}, {});
    // A factor of 1 changes nothing, whatever the place.
    expect(run({ lr_schedule: "cosine", lr_final: 1 }, moving)).toEqual(plain);
    expect(run({ lr_schedule: "linear" }, { schedule: { progress: 0, progress_step: 0 } })).toEqual(plain);
    expect(run({ lr_schedule: "linear" }, moving)).not.toEqual(plain);
    // At its end, a rate of 0 teaches nothing.
    const start = member({ lr_schedule: "linear" }).networks;
    const { actor } = run({ lr_schedule: "linear" }, { schedule: { progress: 1, progress_step: 0 } });
    expect(actor).toEqual(start.actor);
  });
});

describe("an agent outside a run", () => {
  const { observation_space, action_space } = cartPole;
  const spaces = { observation_space, action_space, seed: 1 };

  it("learns at its own rate", () => {
    const rows = { obs: [0.1, 0.2, 0.3, 0.4], next_obs: [0.2, 0.1, 0.4, 0.3] };
    const learnt = (schedule: object) => {
      const agent = new DQN({ ...spaces, batch_size: 2, lr: 0.01, ...schedule });
      agent.learn({
        obs: Float32Array.from([...rows.obs, ...rows.next_obs]),
        action: Int32Array.from([0, 1]),
        reward: Float32Array.from([1, 0]),
        next_obs: Float32Array.from([...rows.next_obs, ...rows.obs]),
        done: Float32Array.from([0, 1]),
      });
      return agent.state.networks;
    };
    expect(learnt({ lr_schedule: "cosine", lr_final: 0.1 })).toEqual(learnt({}));
  });

  it("refuses a factor without a schedule, and unknown schedules", () => {
    const make = (fields: object) => () => new PPO({ ...spaces, ...fields });
    expect(make({ lr_final: 0.1 })).toThrow(
      "lr_final: found 0.1, which has no effect with lr_schedule: constant; set lr_schedule to linear or cosine, or leave this key out",
    );
    expect(make({ lr_schedule: "step" })).toThrow(/lr_schedule/);
    expect(make({ lr_schedule: "linear", lr_final: -0.1 })).toThrow(/lr_final/);
  });
});
