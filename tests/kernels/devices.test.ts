import { describe, expect, it } from "vitest";
import { WasmDevice } from "../../src/kernels/devices.ts";
import * as k from "../../src/kernels/index.ts";
import { deviceSuite } from "./suites/devices.ts";
import { devices } from "./support/devices.ts";

for (const device of devices) deviceSuite(device);

describe("compilations of the wasm device", () => {
  it("happen once for programs of equal text", () => {
    const device = new WasmDevice();
    const program = (factor: number) =>
      k.trace("scale", () => {
        const s = k.state("s", [k.sym("n")]);
        s.write(k.mul(s.read(), factor));
      });
    const first = device.compile(program(2));
    expect(device.compile(program(2))).toBe(first);
    expect(device.compilations).toBe(1);
    expect(device.compile(program(3))).not.toBe(first);
    expect(device.compilations).toBe(2);
  });

  it("do not happen for bindings: one module serves widths 1 to 70", () => {
    const device = new WasmDevice();
    const n = k.sym("n");
    const executable = device.compile(
      k.trace("squares", () => k.state("out", [n, 2]).write(k.square(k.state("in", [n, 2]).read()))),
    );
    for (let width = 1; width <= 70; width++) {
      const arena = device.arena(
        ["in", "out"].map((name) => ({ name, shape: [n, 2], dtype: "f32", shared: false }) as const),
        { n: width },
      );
      arena.write("in", new Array<number>(2 * width).fill(width));
      executable.bind(arena).run();
      expect(new Set(arena.read("out"))).toEqual(new Set([width * width]));
    }
    expect(device.compilations).toBe(1);
  });

  it("reuse the memory of what was released, however sizes are mixed", () => {
    const device = new WasmDevice();
    const state = (n: number) => [{ name: "s", shape: [n], dtype: "f32", shared: false }] as const;
    const open = Array.from({ length: 20 }, (_, i) => device.arena(state(1000 + 37 * i), {}));
    const claimed = () => device.claimed;
    const before = claimed();
    for (let i = 0; i < 1000; i++) {
      const at = (i * 7) % open.length;
      open[at]?.release();
      open[at] = device.arena(state(1000 + ((i * 131) % 800)), {});
    }
    expect(claimed()).toBeLessThanOrEqual(before + 2 * 65_536);
    for (const arena of open) arena.release();
    expect(device.bytes).toBe(0);
  });
});
