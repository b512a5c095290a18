import { bindAgent, createAgent, Residence, structureOf } from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import { NetworkSection, parseAlgorithm } from "../../src/manifests/index.ts";
import { findEnvironment } from "../../src/rl/environments.ts";
import { learnProgram, type OffPolicyStructure } from "../../src/rl/programs.ts";
import type { Row } from "../harness/Row.ts";
import { median } from "../harness/statistics.ts";
import { MADDPG_STEP, TEAM_NETWORK } from "../subjects/teams.ts";

const [BLOCKS, STEPS] = [15, 20];

/** Milliseconds per learning step: both agents' critics and policies, and all target networks. */
function learningStep(): number {
  const { environment, batch } = MADDPG_STEP;
  const { observation_space, action_space } = findEnvironment(environment);
  const layout = { observation_space, action_space };
  const spec = parseAlgorithm({ name: "MADDPG", batch_size: batch });
  const agent = createAgent({ spec, ...layout, network: NetworkSection.parse(TEAM_NETWORK) });
  const program = learnProgram(structureOf(agent) as OffPolicyStructure, layout);
  const residence = new Residence(new WasmDevice());
  residence.prepare(agent, [program], bindAgent(agent, { num_envs: 1, batch }));
  residence.load(agent);
  residence.arena.write("batch.discount", new Float32Array(batch).fill(0.95));
  const times: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const start = performance.now();
    for (let step = 0; step < STEPS; step++) residence.run(program);
    times.push((performance.now() - start) / STEPS);
  }
  return median(times);
}

export const maddpgStep: Row = {
  name: "maddpg-step",
  title:
    "one MADDPG learning step, simple_speaker_listener_v4, networks of 64, layer norm, batch 256; one core",
  figures: [{ name: "rlkit, wasm", unit: "ms", target: { at_most: 3.5 }, digits: 2 }],
  measure: async () => [learningStep()],
};
