/** The initial state of a run: from scratch, with the weights of another run, or from a checkpoint. */

import type { ReplayBuffer } from "../../agents/classes.ts";
import { type AgentState, normalizationNotice } from "../../agents/members.ts";
import { manifestToObject, type TrainingManifest } from "../../manifests/index.ts";
import type { NetworkState } from "../../rl/networks.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import type { SavedRun } from "../loop/runFiles.ts";
import { adoptMemory, fillMemory } from "../options/memoryState.ts";
import { initialMembers, initialState, replaySize, type Spaces } from "../plan/buildRun.ts";
import { fitReplay } from "../plan/fitReplay.ts";
import { dealt, type RunData, withData, withDataStatistics } from "../rl/datasetReplay.ts";
import type { RlKinds } from "../rl/kinds.ts";
import { RL_WORKLOAD, withDemonstrations } from "../rl/RlWorkload.ts";
import type { RunState } from "../rl/runState.ts";
import type { ReadRun } from "../workloads/decodeRun.ts";
import { loadCheckpoint, requireSameKind } from "../workloads/loadCheckpoint.ts";
import { networkDifferences } from "../workloads/networkDifferences.ts";
import {
  membersWithWeights,
  otherNetworks,
  requireStatistics,
  toldOf,
} from "../workloads/startingWeights.ts";
import { ownSection } from "./localTrainerOptions.ts";
import type { TrainerOptions } from "./Trainer.ts";

/** A run whose options have been checked. */
interface CheckedRun {
  readonly manifest: TrainingManifest;
  readonly spaces: Spaces;
  /** The seed of a run without a checkpoint. */
  readonly freshSeed: number;
  readonly given: Readonly<Record<string, NetworkState>>;
  /** The caller's replay buffer, in which the run stores its transitions. */
  readonly memory: ReplayBuffer | null;
  /** Data set of an offline run. */
  readonly data: RunData | null;
  /** Demonstrations of other runs. */
  readonly shown: RunData | null;
}

interface Start {
  readonly state: RunState;
  readonly seed: number;
  readonly warnings: readonly string[];
}

/**
 * @throws StorageError for a checkpoint that cannot be read or does not fit the run; SpecError at settings of
 *   the network section that differ from the loaded networks.
 */
export async function startingRun(options: TrainerOptions, run: CheckedRun): Promise<Start> {
  const { manifest, spaces, given, memory, data, shown } = run;
  const { seed, resume_from_checkpoint } = options;
  const network = options.network ?? ownSection(options.algorithm);
  const store = async (): Promise<FileStore> => options.store ?? (await defaultStore());
  const freshSeed = seed ?? run.freshSeed;
  const use = { layout: spaces, num_envs: manifest.environment.num_envs };
  const fresh = initialMembers(manifest, spaces, freshSeed, given, options.hp_config ?? undefined);
  // The specification requires at least one member.
  const first = fresh[0] as AgentState;
  const start = (members: readonly AgentState[], warnings: readonly string[] = []): Start => {
    const known = data ? members.map((member) => withDataStatistics(member, data)) : members;
    const fresh = initialState(manifest, known, spaces);
    const state = data ? { ...fresh, replay: dealt(data, members.length) } : fresh;
    const whole = withDemonstrations(adoptMemory(state, memory, use), shown, "");
    return { state: whole, seed: freshSeed, warnings };
  };
  if (!resume_from_checkpoint) {
    const path = options.load_weights_from ?? manifest.training.load_weights_from;
    if (path === null) return start(fresh);
    const begun = await membersWithWeights(fresh, { spaces, network, path, store: await store() });
    return start(begun.members, begun.warnings);
  }

  const loaded = await loadCheckpoint(await store(), resume_from_checkpoint);
  if (loaded.kind === "agent") {
    requireSameKind(first, loaded.agent, resume_from_checkpoint);
    requireStatistics(loaded.agent, spaces, resume_from_checkpoint);
    const members = fresh.map(({ index }) => ({ ...loaded.agent, index, parent: null }));
    return start(members, [
      ...toldOf(loaded.notice),
      ...toldOf(normalizationNotice(first, loaded.agent, resume_from_checkpoint)),
      ...overrides(first.hyperparameters, loaded.agent.hyperparameters),
      ...otherNetworks(
        networkDifferences(network, first, loaded.agent),
        `resume_from_checkpoint (${resume_from_checkpoint})`,
      ),
    ]);
  }
  const saved = rlRun(loaded.run, resume_from_checkpoint);
  for (const member of saved.state.members) {
    requireSameKind(first, member, resume_from_checkpoint);
    requireStatistics(member, spaces, resume_from_checkpoint);
  }
  const { replay } = saved.state;
  const fitted = data
    ? withData(saved.state, data, resume_from_checkpoint)
    : { ...saved.state, replay: replay && fitReplay(replay, spaces, resume_from_checkpoint) };
  return {
    state: withDemonstrations(fillMemory(fitted, memory, use), shown, resume_from_checkpoint),
    seed: seed ?? saved.seed,
    warnings: [
      ...resumeWarnings(manifest, saved),
      ...toldOf(normalizationNotice(first, saved.state.members[0] ?? first, resume_from_checkpoint)),
      ...sectionWarnings(network, resume_from_checkpoint, first, saved),
    ],
  };
}

/** @throws StorageError for a run of another workload. */
function rlRun(run: ReadRun, path: string): SavedRun<RlKinds> {
  const { definition, state, ...rest } = run;
  if (definition.name !== RL_WORKLOAD)
    throw new StorageError(
      "corrupt",
      path,
      `is a run of "${definition.name}", allowed one of agents that learn by reinforcement`,
    );
  // The run was decoded by the reinforcement-learning workload.
  return { ...rest, state: state as RunState };
}

/** Warnings for a run without a known manifest, found by comparing the section with the networks. */
function sectionWarnings(
  network: unknown,
  path: string,
  first: AgentState,
  { state, manifest }: SavedRun<RlKinds>,
): string[] {
  const [member] = state.members;
  if (!member || sectionsOf(manifest).environment.name !== undefined) return [];
  return otherNetworks(networkDifferences(network, first, member), `resume_from_checkpoint (${path})`);
}

type Values = Readonly<Record<string, unknown>>;

/** A warning about hyperparameters that the checkpoint overrides. */
function overrides(own: Values, saved: Values): string[] {
  const changed = Object.entries(saved).filter(([name, value]) => name in own && own[name] !== value);
  if (changed.length === 0) return [];
  const list = changed.map(([name, value]) => `${name} ${show(value)}`).join(", ");
  return [`the checkpoint's hyperparameters override the spec's: ${list}`];
}

/** Warnings about differences between the resumed run and its current manifest. */
function resumeWarnings(manifest: TrainingManifest, { state, manifest: saved }: SavedRun<RlKinds>): string[] {
  const { members, replay } = state;
  const { pop_size } = manifest.training;
  const warnings: string[] = [];
  if (members.length !== pop_size) {
    warnings.push(
      `resume_from_checkpoint has ${members.length} members, but training.pop_size is ${pop_size}; the checkpoint's population is used`,
    );
  }
  const size = replaySize(manifest);
  if (replay && !replay.dataset && replay.segment !== Math.floor(size / members.length)) {
    warnings.push(
      `resume_from_checkpoint has a replay buffer of ${replay.segment} transitions for each member, but replay_buffer.max_size is ${size} in all; the checkpoint's replay buffer is used`,
    );
  }
  const [before, now] = [sectionsOf(saved), sectionsOf(manifestToObject(manifest))];
  warnings.push(...overrides(now.algorithm, before.algorithm));
  const [was, is] = [before.environment.name, now.environment.name];
  const networks = was === undefined ? [] : changes(before.network, now.network, "network");
  if (networks.length > 0) {
    warnings.push(
      `resume_from_checkpoint was trained with other networks: ${networks.join("; ")}; the checkpoint's networks are used`,
    );
  }
  if (was !== undefined && was !== is) {
    warnings.push(`resume_from_checkpoint was trained in ${show(was)}, but environment.name is ${show(is)}`);
  }
  const [had, has] = [before, now].map(({ environment }) => JSON.stringify(environment.env_config ?? {}));
  if (was !== undefined && had !== has) {
    warnings.push(
      `resume_from_checkpoint was trained with the environment's options ${had}, but environment.env_config is ${has}`,
    );
  }
  return warnings;
}

/** Descriptions of the settings that differ, with their dotted paths. */
function changes(before: unknown, now: unknown, path: string): string[] {
  if (isMapping(before) && isMapping(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) => changes(before[key], now[key], `${path}.${key}`));
  }
  const same = JSON.stringify(before) === JSON.stringify(now);
  return same ? [] : [`${path} was ${show(before)}, is ${show(now)}`];
}

interface Sections {
  readonly algorithm: Values;
  readonly environment: Values;
  /** Undefined for default networks. */
  readonly network: unknown;
}

/** Sections of a manifest's object form; empty for a run without a manifest. */
function sectionsOf(manifest: unknown): Sections {
  const all = isMapping(manifest) ? manifest : {};
  const section = (name: string): Values => (isMapping(all[name]) ? all[name] : {});
  return { algorithm: section("algorithm"), environment: section("environment"), network: all.network };
}
