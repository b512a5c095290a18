/** What a device tells of its compiled programs. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";

const n = k.sym("n");

/** `s` times `factor`, for agents of a structure. */
function scaling(factor: number, structure = ""): k.Program {
  const program = k.trace("scale", () => {
    const s = k.state("s", [n]);
    s.write(k.mul(s.read(), factor));
  });
  return { ...program, structure };
}

export function kernelReportSuite({ name, create }: TestDevice): void {
  describe(`kernel reports of ${name}`, () => {
    let device: Device;
    beforeEach(async () => {
      device = await create();
    });
    afterEach(() => device.close());

    /** Runs a program so many times on as many numbers, and reads the result. */
    async function run(program: k.Program, times: number, size: number): Promise<number> {
      const bound = (await device.compile(program)).bind(device.arena(program.states.values(), { n: size }));
      for (let i = 0; i < times; i++) await bound.run();
      const arena = device.arena(program.states.values(), { n: size });
      return (await arena.read("s")).length;
    }

    const only = () => {
      const reports = device.kernels();
      expect(reports).toHaveLength(1);
      return reports[0] as (typeof reports)[number];
    };

    it("have none before anything is compiled, and none after close", async () => {
      expect(device.kernels()).toEqual([]);
      await device.compile(scaling(2));
      expect(device.kernels()).toHaveLength(1);
      device.close();
      expect(device.kernels()).toEqual([]);
    });

    it("name the program, its kernels and their size", async () => {
      await device.compile(scaling(2));
      const report = only();
      expect(report).toMatchObject({ name: "scale", target: device.kind, copies: 1, runs: 0, timed_runs: 0 });
      expect(report.kernels.join()).toContain("mul");
      expect(report.code_bytes).toBeGreaterThan(50);
      expect(report.compile_ms).toBeGreaterThan(0);
    });

    it("have the source where it is text", async () => {
      await device.compile(scaling(2));
      const { source, code_bytes } = only();
      const shader = device.kind === "webgpu";
      expect(source !== null).toBe(shader);
      expect(/^\/\/ scale\n[^]*@compute/.test(source ?? "")).toBe(shader);
      expect(new TextEncoder().encode(source ?? "").length === code_bytes).toBe(shader);
    });

    it("count runs of all members and the time they took", async () => {
      await run(scaling(2), 3, 5);
      await run(scaling(2), 4, 50_000);
      const { runs, timed_runs, time_ms } = only();
      expect(runs).toBe(7);
      expect(timed_runs).toBe(7);
      expect(time_ms).toBeGreaterThan(0);
      await run(scaling(2), 1, 5);
      expect(only()).toMatchObject({ runs: 8, timed_runs: 8 });
      expect(only().time_ms).toBeGreaterThanOrEqual(time_ms ?? Number.NaN);
    });

    it("keep the times of programs apart that run in turn", async () => {
      const programs = [scaling(2), scaling(3)];
      const bound = await Promise.all(
        programs.map(async (program) =>
          (await device.compile(program)).bind(device.arena(program.states.values(), { n: 4 })),
        ),
      );
      for (let round = 0; round < 5; round++) for (const one of bound) await one.run();
      await run(scaling(3), 1, 4);
      const counts = device.kernels().map(({ runs, timed_runs }) => [runs, timed_runs]);
      expect(counts).toEqual([
        [5, 5],
        [6, 6],
      ]);
    });

    it("have equal names for equal programs only", async () => {
      const other = await create();
      for (const one of [device, other]) for (const factor of [2, 3]) await one.compile(scaling(factor));
      const ids = device.kernels().map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      expect(other.kernels().map(({ id }) => id)).toEqual(ids);
      other.close();
    });

    it("tell who asked in this generation or the last", async () => {
      const asked = () => device.kernels().map(({ members, structures }) => ({ members, structures }));
      for (const slot of [5, 0, 2]) await device.compile(scaling(2, slot === 5 ? "deep" : "flat"), slot);
      expect(asked()).toEqual([{ members: [0, 2, 5], structures: ["deep", "flat"] }]);
      device.age();
      await device.compile(scaling(2, "flat"), 0);
      expect(asked()).toEqual([{ members: [0, 2, 5], structures: ["deep", "flat"] }]);
      device.age();
      expect(asked()).toEqual([{ members: [0], structures: ["flat"] }]);
      device.age();
      expect(asked()).toEqual([{ members: [], structures: [] }]);
    });

    it("leave out what was dropped", async () => {
      await device.compile(scaling(2));
      for (let age = 0; age < 9; age++) {
        device.age();
        await device.compile(scaling(3));
      }
      expect(only().runs).toBe(0);
    });
  });
}
