import { agentContents, bindAgent, GpuMembers, structureOf } from "../../src/agents/members.ts";
import { openGpu } from "../../src/kernels/webgpu.ts";
import { learnProgram, type OffPolicyStructure } from "../../src/rl/programs.ts";
import type { Row } from "../harness/Row.ts";
import { median } from "../harness/statistics.ts";
import { batchContents, environment, plainAgent, randomBatch, SIZES } from "../subjects/dqnProblem.ts";

const MEMBERS = [1, 8, 64] as const;
const [BLOCKS, STEPS] = [15, 50];

/** Microseconds per learning step and member if `count` members learn together. */
async function agentStep(count: number): Promise<number> {
  const device = await openGpu();
  const members = new GpuMembers(device);
  const [agent, batch] = [plainAgent(), randomBatch()];
  const program = learnProgram(structureOf(agent) as OffPolicyStructure, environment);
  for (let slot = 0; slot < count; slot++) {
    await members.prepare(slot, [program], bindAgent(agent, { num_envs: 1, batch: SIZES.batch }));
    members.write(slot, agentContents(agent));
    members.write(slot, batchContents(batch));
  }
  const programs = members.together(Array.from({ length: count }, (_, slot) => ({ slot, program })));
  const times: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const start = performance.now();
    for (let step = 0; step < STEPS; step++) programs.run();
    await device.idle();
    times.push(((performance.now() - start) * 1000) / (STEPS * count));
  }
  device.close();
  return median(times);
}

export const dqnStepWebgpu: Row = {
  name: "dqn-step-webgpu",
  title: "one DQN learning step of members that learn together, MLP 4-64-64-2, batch 64, Adam; WebGPU",
  device: "webgpu",
  figures: MEMBERS.map((count) => ({
    name: `${count} ${count === 1 ? "member" : "members"}, each agent's step`,
    unit: "us",
    digits: 2,
    ...(count === 64 ? { target: { at_most: 2 } } : {}),
  })),
  measure: async () => {
    const times: number[] = [];
    for (const count of MEMBERS) times.push(await agentStep(count));
    return times;
  },
};
