/** rlkit's learning step: DQN's `learn` on the wasm device. */

import { type AgentState, bindAgent, Residence, structureOf } from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import { learnProgram, type OffPolicyStructure } from "../../src/rl/programs.ts";
import { type Batch, batchContents, environment, type Learner, SIZES } from "./dqnProblem.ts";

export function wasmDqn(agent: AgentState, batch: Batch): Learner {
  const program = learnProgram(structureOf(agent) as OffPolicyStructure, environment);
  const residence = new Residence(new WasmDevice());
  residence.prepare(agent, [program], bindAgent(agent, { num_envs: 1, batch: SIZES.batch }));
  residence.load(agent);
  residence.write(batchContents(batch));
  let before = 0;
  const step = () => residence.run(program);
  return {
    step,
    loss: () => {
      // The metric is a running sum over learning steps.
      before = residence.number("metric.loss");
      step();
      return residence.number("metric.loss") - before;
    },
  };
}
