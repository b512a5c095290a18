/** The workload definition of reinforcement learning. */

import {
  type AgentState,
  findAlgorithm,
  policyOnly,
  requireOwnSpaces,
  scalarsOf,
  withAgentWeights,
} from "../../agents/members.ts";
import { findAdapter, openGpu } from "../../kernels/webgpu.ts";
import { algorithmDefinition, SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { AutoExecutor } from "../executors/AutoExecutor.ts";
import { AT_TABLE, alwaysWasm, deviceIn, FITTED_ON_WASM, SHOWN_ON_WASM } from "../executors/device.ts";
import { type AgentFacts, decodeAgent, encodeAgent } from "../files/agentFile.ts";
import { GpuExecutor } from "../gpu/GpuExecutor.ts";
import { populationContender } from "../gpu/populationContender.ts";
import type { Member } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { evolutionOf, initialMembers, initialState, planOf, runWarnings } from "../plan/buildRun.ts";
import { environmentOf, userEnvironmentOf } from "../plan/environmentOf.ts";
import { fitReplay } from "../plan/fitReplay.ts";
import { runIssues } from "../plan/runIssues.ts";
import {
  agentFactsOf,
  isDataAlone,
  loadPlace,
  tableOf,
  tablePlace,
  trainingPlace,
  usesDemonstrations,
} from "../plan/trainingPlace.ts";
import { withData } from "../rl/datasetReplay.ts";
import type { RlKinds, Written } from "../rl/kinds.ts";
import { ReplayMirror } from "../rl/ReplayMirror.ts";
import { overshootWarning, RL_WORKLOAD, RlWorkload, withDemonstrations } from "../rl/RlWorkload.ts";
import { decodeShared, encodeShared } from "../rl/replayFiles.ts";
import { SharedReading } from "./SharedReading.ts";

const number = (value: unknown, otherwise: number): number =>
  typeof value === "number" && value > 0 ? value : otherwise;

/**
 * Expected duration of a member's turn, relative to others: the number of weights, times how often each environment step is
 * learned from. Affects the order of turns, never results.
 */
function expectedWork({ networks, hyperparameters }: AgentState): number {
  const { batch_size, learn_step, update_epochs } = hyperparameters;
  const weights = Object.values(networks)
    .flatMap(({ tensors }) => Object.values(tensors))
    .reduce((sum, tensor) => sum + tensor.length, 0);
  const uses =
    update_epochs === undefined ? number(batch_size, 1) / number(learn_step, 1) : number(update_epochs, 1);
  return weights * (1 + uses);
}

function isTrained({ algorithm }: TrainingManifest): boolean {
  try {
    findAlgorithm(algorithm.name);
    return true;
  } catch (error) {
    if (error instanceof SpecError) return false;
    throw error;
  }
}

/**
 * Imported dynamically, so that the code that steps environments and learns is loaded when training starts,
 * not with the page.
 */
const turnRunner: WorkloadDefinition<RlKinds>["turnRunner"] = async (setup) =>
  (await import("../rl/rlTurnRunner.ts")).rlTurnRunner(setup);

const readsData = (manifest: TrainingManifest): boolean =>
  algorithmDefinition(manifest.algorithm.name).offline || usesDemonstrations(manifest);

/** Demonstrations, then what members wrote: as of the time when all demonstrations are read. */
async function* together(shown: SharedReading<Written>, mirror: ReplayMirror): AsyncGenerator<Written> {
  yield* shown.join();
  yield* mirror.parts();
}

/** The workload of reinforcement learning. */
export const reinforcementLearning: WorkloadDefinition<RlKinds> = {
  name: RL_WORKLOAD,
  turnRunner,
  standing: ({ data, ...setup }) => {
    const reading = data && new SharedReading(data);
    const { replay } = setup;
    // A data set is never written, so it needs no mirror. Beside demonstrations, members' own rows do.
    const isWritten =
      replay !== null && replay.segment > 0 && (!reading || replay.demonstrations !== undefined);
    const mirror = isWritten ? new ReplayMirror(replay) : null;
    mirror?.store(setup.written);
    return {
      hear: (written) => mirror?.store(written),
      setup: () => ({ ...setup, written: [] }),
      news: () =>
        mirror && reading ? together(reading, mirror) : (reading?.join() ?? mirror?.parts() ?? []),
    };
  },
  expectedWork,
  executor: ({ device, wasm, onNotice }) => {
    if (device === "webgpu") return new GpuExecutor({ open: openGpu, onNotice });
    const contender = populationContender({ findAdapter, onNotice });
    return new AutoExecutor({ findAdapter, wasm, contender, onNotice });
  },
  files: {
    encodeAgent: (agent, facts: Partial<AgentFacts>) => encodeAgent(agent, facts),
    decodeAgent: (bytes, path) => decodeAgent(bytes, path, { verified: true }).agent,
    policyOf: policyOnly,
    encodeShared,
    decodeShared,
  },
  runs: {
    trains: isTrained,
    issues: (manifest) => runIssues(manifest, tablePlace(manifest)),
    loadPlace,
    warnings: (manifest) => {
      const hyperparameters = scalarsOf(manifest.algorithm);
      const members = Array.from({ length: manifest.training.pop_size }, () => ({
        steps: 0,
        hyperparameters,
      }));
      const over = overshootWarning(planOf(manifest, 0), members);
      const user = userEnvironmentOf(manifest)?.warnings ?? [];
      const warnings = [...user, ...runWarnings(manifest, trainingPlace(manifest).max_episode_steps)];
      return over === null ? warnings : [...warnings, over];
    },
    deviceOf: (manifest, asked) => {
      if (tableOf(manifest)) return alwaysWasm(asked, AT_TABLE);
      if (manifest.training.fitness === "fqe") return alwaysWasm(asked, FITTED_ON_WASM);
      if (usesDemonstrations(manifest)) return alwaysWasm(asked, SHOWN_ON_WASM);
      return deviceIn(environmentOf(manifest), asked, manifest.algorithm.name);
    },
    prepare: (manifest, seed, population, { recipe } = {}) => {
      const plan = planOf(manifest, seed, recipe);
      const { selection, mutation, hp_config } = evolutionOf(manifest, seed, population, recipe);
      // The table or data of a finished run may be missing, but the run must still be prepared.
      const isTable = manifest.environment.env_type === "bandit" || isDataAlone(manifest);
      const observation_space = isTable ? null : environmentOf(manifest).observation_space;
      return {
        plan,
        workload: new RlWorkload({ plan, hp_config, observation_space }),
        selection,
        mutation,
        hyperparameters: hp_config.names,
        ...(observation_space?.kind === "Agents" && { agents: observation_space.ids }),
      };
    },
    firstState: (manifest, seed) => {
      const place = trainingPlace(manifest).layout;
      evolutionOf(manifest, seed);
      return initialState(manifest, initialMembers(manifest, place, seed), place);
    },
    withWeights: async (state, manifest, _seed, path, store) => {
      const { membersWithWeights } = await import("./startingWeights.ts");
      const spaces = trainingPlace(manifest).layout;
      const { network } = manifest;
      const { members, warnings } = await membersWithWeights(state.members, { spaces, network, path, store });
      return { state: { ...state, members }, warnings };
    },
    fromAgent: (state, manifest, agent) => {
      const members = state.members.map((member) => withAgentWeights(member, agent));
      requireOwnSpaces(agent, trainingPlace(manifest).layout);
      return { ...state, members, started: true };
    },
    fitted: (state, manifest, path) => ({
      ...state,
      replay: state.replay && fitReplay(state.replay, trainingPlace(manifest).layout, path),
    }),
    withData: async (state, manifest, path, store) => {
      if (!readsData(manifest)) return { state, warnings: [] };
      // Imported dynamically, because few runs read data sets.
      const { manifestData, manifestDemonstrations } = await import("../plan/manifestData.ts");
      const { layout } = trainingPlace(manifest);
      const data = await manifestData(manifest, layout, { store });
      const shown = await manifestDemonstrations(manifest, layout, { store });
      return {
        state: withDemonstrations(data ? withData(state, data, path ?? "") : state, shown, path ?? ""),
        warnings: [...(data?.warnings ?? []), ...(shown?.warnings ?? [])],
      };
    },
    facts: agentFactsOf,
  },
};

/** The member as a reinforcement-learning agent; null for any other workload. */
export const rlAgentOf = (definition: WorkloadDefinition, agent: Member): AgentState | null =>
  // Members of that definition have that type.
  definition.name === RL_WORKLOAD ? (agent as AgentState) : null;
