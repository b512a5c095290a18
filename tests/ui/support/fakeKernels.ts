import type { KernelReport } from "../../../src/kernels/devices.ts";

const STRUCTURE =
  "DQN; double=false; actor: q 4 > mlp(1 hidden norm ReLU, output norm ReLU) > latent > mlp(1 hidden norm ReLU, output linear) > 2";

/** Text as long as a real shader's. */
const SHADER = [
  "// DQN.turn",
  "@group(0) @binding(0) var<storage, read_write> heap: array<f32>;",
  ...Array.from(
    { length: 400 },
    (_, i) => `fn k${i}(to: i32, source: i32) { heap[to] = heap[source] * ${i}.0; }`,
  ),
  "@compute @workgroup_size(256) fn main() { k0(0, 1); }",
].join("\n");

/** Programs as a run on a device has them, after so many generations. */
export function fakeKernels(target: KernelReport["target"], generations: number): KernelReport[] {
  const wasm = target === "wasm";
  const program = (name: string, code: Partial<KernelReport>): KernelReport => ({
    id: name,
    name,
    target,
    structures: [STRUCTURE],
    members: [0, 1, 2, 3],
    code_bytes: 12_345,
    kernels: ["matmul 4 x 8", "add maximum", "add maximum"],
    source: wasm ? null : SHADER,
    compile_ms: 21.2,
    copies: wasm ? 3 : 1,
    runs: 8 * generations,
    timed_runs: 8 * generations,
    time_ms: 12.34 * generations,
    ...code,
  });
  return [
    program("DQN.turn", {
      code_bytes: 55_674,
      runs: 40 * generations,
      timed_runs: 40 * generations,
      time_ms: 700 * generations,
    }),
    program("CartPole-v1.reset", {
      structures: [],
      code_bytes: 2100,
      compile_ms: 1.5,
      time_ms: 0.3 * generations,
    }),
    program("DQN.evaluate", { code_bytes: 14_610 }),
  ];
}
