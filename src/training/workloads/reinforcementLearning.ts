/** Reinforcement learning as a kind of run. */

import { findAdapter, openGpu } from "../../kernels/wgsl/openGpu.ts";
import { findAlgorithm } from "../../rl/algorithms/registry.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import { scalarsOf } from "../../rl/member/createAgent.ts";
import { SpecError, type TrainingManifest } from "../../specs/index.ts";
import { deviceIn } from "../executors/device.ts";
import { type AgentFacts, decodeAgent, encodeAgent } from "../files/agentFile.ts";
import { AutoExecutor } from "../gpu/AutoExecutor.ts";
import { GpuExecutor } from "../gpu/GpuExecutor.ts";
import type { Member } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { evolutionOf, initialMembers, initialState, planOf, runWarnings } from "../plan/buildRun.ts";
import { agentFactsOf, environmentOf } from "../plan/environmentOf.ts";
import { fitReplay } from "../plan/fitReplay.ts";
import { memoryLayout } from "../plan/memoryLayout.ts";
import { runIssues } from "../plan/runIssues.ts";
import { expectedWork } from "../rl/expectedWork.ts";
import type { RlKinds } from "../rl/kinds.ts";
import { overshootWarning } from "../rl/overshoot.ts";
import { ReplayMirror } from "../rl/ReplayMirror.ts";
import { RL_WORKLOAD, RlWorkload } from "../rl/RlWorkload.ts";
import { decodeShared, encodeShared } from "../rl/replayFiles.ts";
import { rlBench } from "../rl/rlBench.ts";

function isTrained({ algorithm }: TrainingManifest): boolean {
  try {
    findAlgorithm(algorithm.name);
    return true;
  } catch (error) {
    if (error instanceof SpecError) return false;
    throw error;
  }
}

export const reinforcementLearning: WorkloadDefinition<RlKinds> = {
  name: RL_WORKLOAD,
  bench: rlBench,
  standing: (setup) => {
    const mirror = setup.replay ? new ReplayMirror(setup.replay) : null;
    mirror?.store(setup.written);
    return {
      hear: (written) => mirror?.store(written),
      setup: () => ({ ...setup, written: mirror?.contents() ?? [] }),
    };
  },
  expectedWork,
  executor: ({ device, wasm, onNotice }) =>
    device === "webgpu"
      ? new GpuExecutor({ open: openGpu, onNotice })
      : new AutoExecutor({ findAdapter, wasm, onNotice }),
  files: {
    encodeAgent: (agent, facts: Partial<AgentFacts>) => encodeAgent(agent, facts),
    decodeAgent: (bytes, path) => decodeAgent(bytes, path, { verified: true }).agent,
    encodeShared,
    decodeShared,
  },
  runs: {
    trains: isTrained,
    issues: (manifest) => runIssues(manifest),
    warnings: (manifest) => {
      const hyperparameters = scalarsOf(manifest.algorithm);
      const members = Array.from({ length: manifest.training.pop_size }, () => ({
        steps: 0,
        hyperparameters,
      }));
      const over = overshootWarning(planOf(manifest, 0), members);
      const warnings = runWarnings(manifest, environmentOf(manifest).max_episode_steps);
      return over === null ? warnings : [...warnings, over];
    },
    deviceOf: (manifest, asked) => deviceIn(environmentOf(manifest).id, asked),
    prepare: (manifest, seed, population) => {
      const plan = planOf(manifest, seed);
      const { selection, mutation, hp_config } = evolutionOf(manifest, seed, population);
      const { observation_space } = environmentOf(manifest);
      return {
        plan,
        workload: new RlWorkload({ plan, hp_config }),
        selection,
        mutation,
        hyperparameters: hp_config.names,
        ...(observation_space.kind === "Agents" && { agents: observation_space.ids }),
      };
    },
    firstState: (manifest, seed) => {
      const place = memoryLayout(environmentOf(manifest));
      evolutionOf(manifest, seed);
      return initialState(manifest, initialMembers(manifest, place, seed), place);
    },
    fitted: (state, manifest, path) => ({
      ...state,
      replay: state.replay && fitReplay(state.replay, memoryLayout(environmentOf(manifest)), path),
    }),
    facts: agentFactsOf,
  },
};

/** A member of reinforcement learning; null of any other kind of run. */
export const rlAgentOf = (definition: WorkloadDefinition, agent: Member): AgentState | null =>
  // What that definition trains and reads has that type.
  definition.name === RL_WORKLOAD ? (agent as AgentState) : null;
