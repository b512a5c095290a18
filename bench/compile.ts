/**
 * `npx tsx bench/compile.ts`: measures the seconds until the shaders of a run are compiled, with networks of
 * the default size. For software WebGPU, where compilation is most of a test's time.
 */

import { type CompiledPurpose, compiledProgram, createAgent } from "../src/agents/members.ts";
import { openGpu } from "../src/kernels/webgpu.ts";
import { type AlgoSpecInput, NetworkSection, parseAlgorithm } from "../src/manifests/index.ts";
import { findCompiledEnvironment } from "../src/rl/environments.ts";
import { machineNote } from "./harness/machine.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";

const OFF_POLICY = ["gradients", "play", "evaluate"] as const;
const ON_POLICY = ["gradients", "collect", "evaluate"] as const;

const CASES: readonly (readonly [AlgoSpecInput, environment: string, readonly CompiledPurpose[]])[] = [
  [{ name: "DQN" }, "CartPole-v1", OFF_POLICY],
  [{ name: "RainbowDQN" }, "CartPole-v1", OFF_POLICY],
  [{ name: "TD3" }, "Pendulum-v1", OFF_POLICY],
  [{ name: "SAC" }, "Pendulum-v1", OFF_POLICY],
  [{ name: "MADDPG" }, "simple_speaker_listener_v4", OFF_POLICY],
  [{ name: "PPO" }, "CartPole-v1", ON_POLICY],
  [{ name: "IPPO" }, "simple_spread_v3", ON_POLICY],
];

const lines: string[][] = [];
for (const [spec, environment, purposes] of CASES) {
  const { observation_space, action_space, ...env } = findCompiledEnvironment(environment);
  const network = NetworkSection.parse({});
  const algorithm = parseAlgorithm(spec);
  const agent = createAgent({ spec: algorithm, observation_space, action_space, network });
  const device = await openGpu();
  const seconds: string[] = [];
  for (const purpose of purposes) {
    const program = compiledProgram(agent, { observation_space, action_space, ...env }, purpose);
    const before = performance.now();
    await device.compile(program);
    seconds.push(formatNumber((performance.now() - before) / 1000, 2));
  }
  device.close();
  lines.push([algorithm.name, environment, ...seconds]);
}
console.log(machineNote());
console.log(markdownTable(["algorithm", "environment", "learning", "acting", "evaluation"], lines));
process.exit(0);
