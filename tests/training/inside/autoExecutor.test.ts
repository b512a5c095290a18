/** Device "auto": which device trains, why, and what happens when the GPU fails. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Slice } from "../../../src/agents/members.ts";
import { PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { AutoExecutor } from "../../../src/training/executors/AutoExecutor.ts";
import { GpuExecutor, stepsPerSecond } from "../../../src/training/executors.ts";
import {
  type PopulationContenderOptions,
  populationContender,
} from "../../../src/training/gpu/populationContender.ts";
import { Gate, StoppedError } from "../../../src/training/loop.ts";
import type { MemberTurn, RunSetup } from "../../../src/training/workloads.ts";
import { type MockGpu, mockGpu } from "../../kernels/support/mockGpu.ts";
import { tinyDqn, tinyPpo } from "../../workers/support/manifests.ts";
import { buildRun, trainWith } from "../../workers/support/trainWith.ts";
import { inThread } from "../support/rlRuns.ts";
import { ScriptedExecutor } from "../support/scriptedExecutor.ts";
import { timeless } from "../support/timeless.ts";

/** Rates as they would be measured: of the GPU, and of WebAssembly. */
const rates =
  (gpu: number, wasm: number): NonNullable<PopulationContenderOptions["rateOf"]> =>
  async (executor) =>
    executor instanceof GpuExecutor ? gpu : wasm;

function auto(mock: MockGpu, given: Partial<PopulationContenderOptions> = {}) {
  const notices: string[] = [];
  const options = {
    findAdapter: async () => mock.adapter,
    onNotice: (message: string) => void notices.push(message),
    ...given,
  };
  const contender = populationContender({ rateOf: rates(2000, 1000), busy: 1, ...options });
  const executor = new AutoExecutor({ ...options, wasm: inThread(), contender });
  return { executor, notices };
}

const withInfo = (mock: MockGpu, info: object): GPUAdapter =>
  Object.assign(Object.create(mock.adapter), { info: Object.assign(Object.create(mock.adapter.info), info) });

const manifest = tinyPpo({ pop_size: 2, max_steps: 384 });

type Manifest = ReturnType<typeof tinyDqn> | ReturnType<typeof tinyPpo>;

/** The first generation of a run. */
function firstTurns(from: Manifest = manifest): { setup: RunSetup; turns: MemberTurn[] } {
  const { members, replay } = buildRun(from, inThread()).state;
  const memory = replay && { population: members.length, segment: replay.segment, kind: PLAIN_MEMORY };
  const ring = { position: 0, count: 0 };
  const visible = members.map(() => ({ start: 0, length: 0 }));
  const off_policy = replay && {
    epsilon: 1,
    eps_end: 0.1,
    eps_decay: 0.99,
    learning_delay: 0,
    ring,
    visible,
    priorities: null,
  };
  const turn = { generation: 1, seed: 7, num_envs: 4, evo_steps: 128, eval_loop: 1, eval_steps: null };
  return {
    setup: {
      workload: "rl",
      environment: from.environment.name,
      members: members.length,
      replay: memory,
      written: [],
    },
    turns: members.map((agent, slot) => ({ agent, turn: { ...turn, slot, off_policy } })),
  };
}

describe("auto", () => {
  // So that no measurement is cut short, or given up, on a slow machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("takes WebAssembly where there is no adapter, and says why", async () => {
    const { executor } = auto(await mockGpu(), {
      findAdapter: () => Promise.reject(new Error("no adapter")),
    });
    const state = await trainWith(executor, manifest);
    expect(executor).toMatchObject({ device: "wasm", label: "WASM SIMD, this thread" });
    expect(executor.reason).toBe("WebAssembly trains: no adapter.");
    expect(state).toEqual(await trainWith(inThread(), manifest));
  });

  it.each([
    { isFallbackAdapter: true },
    { description: "SwiftShader Device (LLVM 10.0.0)" },
    { description: "llvmpipe (LLVM 15, 256 bits)" },
    { architecture: "swiftshader" },
  ])("does not take software for a GPU: %o", async (info) => {
    const mock = await mockGpu();
    const { executor } = auto(mock, { findAdapter: async () => withInfo(mock, info) });
    const { setup } = firstTurns();
    await executor.open(setup);
    expect(executor.device).toBe("wasm");
    expect(executor.reason).toContain("no GPU, only a software adapter");
    await executor.close();
  });

  it("takes the GPU where it is faster, with what it compiled to find out", async () => {
    const mock = await mockGpu();
    const { executor, notices } = auto(mock, { rateOf: measuredAs(2000, 1000) });
    const { setup, turns } = firstTurns();
    await executor.open(setup);
    const outcomes = await executor.generation(turns, [], () => undefined);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(executor).toMatchObject({ device: "webgpu", label: "WebGPU, Mock 9000" });
    expect(executor.reason).toContain("about 2,000 steps per second against 1,000");
    // A reset, the turn, an evaluation.
    expect(mock.counts.pipelines).toBe(3);
    expect(notices).toEqual([]);
    await executor.close();
  });

  it("takes WebAssembly where the GPU is slower", async () => {
    const { executor } = auto(await mockGpu(), { rateOf: rates(1000, 2000) });
    expect(await trainWith(executor, manifest)).toEqual(await trainWith(inThread(), manifest));
    expect(executor.device).toBe("wasm");
    expect(executor.reason).toContain("about 2,000 steps per second against 1,000");
  });

  it("takes WebAssembly where the GPU fails while it is measured", async () => {
    const { executor } = auto(await mockGpu(), {
      rateOf: async (measured) => {
        if (measured instanceof GpuExecutor) throw new Error("a workgroup is too large");
        return 1;
      },
    });
    await trainWith(executor, manifest);
    expect(executor.reason).toBe(
      "WebAssembly trains: the GPU cannot train this population (a workgroup is too large).",
    );
  });

  it("does not wait for a compiler that takes too long", async () => {
    const { executor } = auto(await mockGpu(), {
      rateOf: (measured) =>
        measured instanceof GpuExecutor ? new Promise(() => undefined) : Promise.resolve(1),
    });
    const { setup, turns } = firstTurns();
    await executor.open(setup);
    const outcomes = executor.generation(turns, [], () => undefined);
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await outcomes).every(({ ok }) => ok)).toBe(true);
    expect(executor.reason).toContain("not compiled within 15 s");
    await executor.close();
  });

  it("goes on with WebAssembly from the last boundary when the GPU is lost for good", async () => {
    const mocks = [await mockGpu(), await mockGpu()];
    let opened = 0;
    const dqn = tinyDqn({ pop_size: 2, max_steps: 256 });
    const { setup, turns } = firstTurns(dqn);
    const expected = inThread();
    await expected.open(setup);
    const { executor, notices } = auto(mocks[0] as MockGpu, {
      findAdapter: async () => {
        const mock = mocks[opened++];
        if (!mock) throw new Error("no adapter");
        return mock.adapter;
      },
    });
    await executor.open(setup);
    const slices: Slice[] = [];
    for (const { counts, lose } of mocks) whenRead(counts, () => lose("the driver was restarted"));
    const outcomes = await executor.generation(turns, [], (slice) => slices.push(slice));
    expect(timeless(outcomes)).toEqual(timeless(await expected.generation(turns, [], () => undefined)));
    expect(executor.device).toBe("wasm");
    expect(notices).toEqual([
      expect.stringMatching(/^The GPU was lost .* runs again on a fresh device\.$/),
      expect.stringMatching(
        /^The GPU failed \(.*the driver was restarted.*\); the run continues with WebAssembly/,
      ),
    ]);
    // 128 steps of each member, whatever was told before.
    expect(slices.reduce((sum, { env_steps }) => sum + env_steps, 0)).toBe(2 * 128);
    await executor.close();
    await expected.close();
  });

  const unmeasured = async () => {
    throw new Error("nothing is to be measured");
  };

  it.each([
    ["wasm", "WebAssembly trains: it trained this run before."],
    ["webgpu", "The GPU trains: it trained this run before."],
  ] as const)("stays on %s, which trained the run before, without measuring", async (trainedOn, reason) => {
    const { executor, notices } = auto(await mockGpu(), { rateOf: unmeasured });
    const { setup, turns } = firstTurns();
    await executor.open({ ...setup, trainedOn });
    const outcomes = await executor.generation(turns, [], () => undefined);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(executor).toMatchObject({ device: trainedOn, reason });
    expect(notices).toEqual([]);
    await executor.close();
  });

  it("says so when the GPU that trained the run before is not there", async () => {
    const mock = await mockGpu();
    for (const [findAdapter, why] of [
      [() => Promise.reject(new Error("no adapter")), "no adapter"],
      [
        async () => withInfo(mock, { architecture: "swiftshader" }),
        "there is no GPU, only a software adapter",
      ],
    ] as const) {
      const { executor, notices } = auto(mock, { findAdapter, rateOf: unmeasured });
      const { setup, turns } = firstTurns();
      await executor.open({ ...setup, trainedOn: "webgpu" });
      const outcomes = await executor.generation(turns, [], () => undefined);
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      expect(executor).toMatchObject({ device: "wasm", reason: expect.stringContaining(why) });
      expect(notices).toEqual([
        expect.stringMatching(
          /^A GPU trained this run so far, but none is available here \(.*\); the run continues with WebAssembly/,
        ),
      ]);
      await executor.close();
    }
  });

  it("keeps in a run's state what trained it", async () => {
    const { executor } = auto(await mockGpu(), { rateOf: rates(1000, 2000) });
    expect((await trainWith(executor, manifest)).device).toBe("wasm");
    const run = buildRun(manifest, auto(await mockGpu()).executor);
    expect(run.state.device).toBeNull();
    await run.train();
    expect(run.state.device).toBe("webgpu");
  });

  it("measures while it is held, and ends when it is aborted meanwhile", async () => {
    const run = new Gate();
    const { executor } = auto(await mockGpu(), {
      rateOf: async (_measured, _setup, _turns, gate) => {
        run.pause();
        expect([run.isHeld, gate?.isHeld]).toEqual([true, false]);
        run.abort();
        expect(gate?.isAborted).toBe(true);
        return 1;
      },
    });
    const { setup, turns } = firstTurns();
    await executor.open(setup, run);
    await expect(executor.generation(turns, [], () => undefined)).rejects.toBeInstanceOf(StoppedError);
    await executor.close();
  });
});

/** Measures in earnest, and then says what it is told to. */
const measuredAs =
  (gpu: number, wasm: number): NonNullable<PopulationContenderOptions["rateOf"]> =>
  async (executor, setup, turns) => {
    await stepsPerSecond(executor, setup, turns);
    return rates(gpu, wasm)(executor, setup, turns);
  };

/** Does something when the third read-back is asked for: one that comes in the midst of a generation. */
function whenRead(counts: MockGpu["counts"], happen: () => void): void {
  let value = 0;
  Object.defineProperty(counts, "readBacks", {
    get: () => value,
    set: (next: number) => {
      value = next;
      if (value === 3) happen();
    },
  });
}

describe("a measurement", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ["DQN", firstTurns(tinyDqn({ pop_size: 2 }))],
    ["PPO", firstTurns()],
  ])("of %s finds some steps per second, and leaves the agents alone", async (_, { setup, turns }) => {
    const before = structuredClone(turns);
    expect(await stepsPerSecond(inThread(), setup, turns)).toBeGreaterThan(0);
    expect(turns).toEqual(before);
  });

  it("earns learning steps for the transitions of all, if the run does so later", async () => {
    const { setup, turns } = firstTurns(tinyDqn({ pop_size: 2 }));
    const earning = turns.map(({ agent, turn }) => ({
      agent,
      turn: { ...turn, off_policy: turn.off_policy && { ...turn.off_policy, earned: turn.num_envs } },
    }));
    const earnedIn = async (measured: readonly MemberTurn[]) => {
      const executor = new ScriptedExecutor(() => 1);
      await stepsPerSecond(executor, setup, measured);
      return new Set(executor.trained.flat().map(({ turn }) => turn.off_policy?.earned));
    };
    expect(await earnedIn(earning)).toEqual(new Set([8]));
    expect(await earnedIn(turns)).toEqual(new Set([undefined]));
  });

  it("says why a population cannot be trained", async () => {
    const { setup, turns } = firstTurns();
    const gpu = new GpuExecutor({ open: () => Promise.reject(new Error("no adapter")) });
    await expect(stepsPerSecond(gpu, setup, turns)).rejects.toThrow("no adapter");
  });
});
