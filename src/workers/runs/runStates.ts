/** The states from which runs of the workbench start: resumed, or as forks of others. */
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore, RunRecord, RunStore } from "../../storage/index.ts";
import { type RunState, startOf } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { decodeRun } from "../../training/workloads.ts";
import type { AgentRef } from "../protocol/stored.ts";
import type { KeptAgents } from "./KeptAgents.ts";
import type { Runs } from "./Runs.ts";

/**
 * The state from which a stored run resumes: its newest readable checkpoint, else the beginning. The result
 * includes messages for the user.
 */
export async function lastState(
  { runStore, files }: { readonly runStore: RunStore; readonly files: FileStore },
  { id, checkpoint }: RunRecord,
  manifest: TrainingManifest,
  seed: number,
): Promise<{ state: RunState; saved: number; skipped: readonly string[]; warnings: readonly string[] }> {
  const latest = await runStore.latestCheckpoint(id);
  if (!latest && checkpoint) {
    throw new Error(
      "None of this run's checkpoints can be read any more, so it cannot continue; start a new run with the same manifest.",
    );
  }
  const definition = workloadOf(manifest);
  const saved = latest ? [{ name: latest.dir, read: async () => decodeRun(latest.files, latest.dir) }] : [];
  const start = await startOf({ definition, manifest, seed, store: () => files, saved });
  const { state, isResumed, warnings } = start;
  return {
    state,
    saved: isResumed ? state.generation : 0,
    skipped: latest?.skipped ?? [],
    warnings: isResumed ? [] : warnings,
  };
}

/** The whole population that an agent was stored with. @throws Error if it was stored alone. */
export async function populationOf(
  runs: Runs,
  id: string,
  ref: AgentRef,
  manifest: TrainingManifest,
): Promise<RunState> {
  if (ref.kind === "fame" || ref.kind === "past")
    throw new Error(
      "Of agents of past generations only their networks are kept, without their population; fork their weights.",
    );
  const run = runs.active(id);
  const state = run && ref.kind !== "checkpoint" ? structuredClone(run.training) : await saved(runs, id, ref);
  const { algorithm, environment } = await runs.manifest(id);
  const { pop_size } = manifest.training;
  const [from, to] = [
    `${algorithm.name} on ${environment.name}`,
    `${manifest.algorithm.name} on ${manifest.environment.name}`,
  ];
  if (from !== to)
    throw new Error(
      `The population was trained by ${from}, but the manifest names ${to}; fork an agent's weights instead.`,
    );
  if (pop_size !== state.members.length)
    throw new Error(
      `training.pop_size: found ${pop_size}, the population has ${state.members.length} members; give that, or fork an agent's weights.`,
    );
  return workloadOf(manifest).runs.fitted(state, manifest, id);
}

async function saved({ store }: Runs, id: string, ref: AgentRef): Promise<RunState> {
  const all = await store.checkpoints.list(id);
  const found =
    ref.kind === "checkpoint"
      ? all.findLast(({ commit }) => commit.generation === ref.generation)
      : all.at(-1);
  if (!found) throw new Error("The run has no checkpoint to fork from; choose another agent.");
  const { files, dir } = await store.checkpoints.read(id, found.name);
  return decodeRun(files, dir).state;
}

/**
 * The first members of a run with an agent's weights.
 * @throws Error if the agent does not fit the manifest.
 */
export async function seededState(
  agents: KeptAgents,
  id: string,
  ref: AgentRef,
  manifest: TrainingManifest,
  seed: number,
): Promise<RunState> {
  const { agent, definition } = await agents.find(id, ref);
  const { name, runs } = workloadOf(manifest);
  if (definition.name !== name)
    throw new Error("The agent belongs to another kind of run than the manifest; choose another agent.");
  const first = runs.firstState(manifest, seed);
  const forked = runs.fromAgent?.(first, manifest, agent);
  if (forked) return forked;
  throw new Error(`Runs of ${manifest.algorithm.name} cannot begin with an agent's weights.`);
}
