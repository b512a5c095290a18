/** Tests what a mutation did, by training its member again without it. */

import { mean } from "../../evolution/members.ts";
import { parseManifestObject } from "../../manifests/index.ts";
import { COUNT, checkOptions, FUNCTION, type OptionRules, STORE, TEXT } from "../../specs/checks.ts";
import { COMMIT_FILE, inspectCheckpoints } from "../../storage/checkpoints.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, joinPath, parentPath, readCheckpoint, StorageError } from "../../storage/index.ts";
import {
  EvolutionTally,
  isEvidence,
  type MutationExplanation,
  type MutationTrial,
  meanInterval,
} from "../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../tracking/observer.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import type { Executor } from "../loop/executor.ts";
import type { Member, TrainingDevice } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { openManifestModule } from "../plan/manifestModule.ts";
import { keptModule } from "../rl/moduleFile.ts";
import { RL_WORKLOAD } from "../rl/RlWorkload.ts";
import { type ReplayStart, RunReplay } from "../session/RunReplay.ts";
import { decodeRun, type ReadRun } from "../workloads/decodeRun.ts";

/** Options of {@link explainMutation}. */
export interface ExplainOptions {
  /**
   * Generation that a member began with the mutation, and its slot, such as "7/2" (default: the mutation with the largest
   * gain on the champion's line, for which the whole run is trained again).
   */
  readonly mutation?: string;
  /** Number of new seeds (default: 10). */
  readonly seeds?: number;
  /** Generations that the member trains for, with and without the mutation (default: 1). */
  readonly generations?: number;
  /** Threads for generations that are trained again (default: this thread). */
  readonly accelerator?: Accelerator;
  /** Store of the run (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore;
  /** Called with what happens next, in one line. */
  readonly onProgress?: (message: string) => void;
  /** Called after each generation with the share of them that is done, 0 to 1. */
  readonly onShare?: (share: number) => void;
  /** Ends the work early. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionRules = {
  mutation: TEXT,
  seeds: COUNT,
  generations: COUNT,
  accelerator: { allowed: "an Accelerator", allows: (value) => value instanceof Accelerator },
  store: STORE,
  onProgress: FUNCTION,
  onShare: FUNCTION,
  signal: { allowed: "an AbortSignal", allows: (value) => value instanceof AbortSignal },
};

const SEEDS = 10;

interface MutationId {
  readonly generation: number;
  readonly slot: number;
}

function mutationId(text: string): MutationId {
  const [, generation, slot] = /^([1-9]\d*)\/(\d+)$/.exec(text) ?? [];
  if (generation !== undefined && slot !== undefined)
    return { generation: Number(generation), slot: Number(slot) };
  throw new RangeError(
    `mutation: found "${text}", allowed a generation from 1 and a slot from 0, such as "7/2"`,
  );
}

/** The saved boundaries of a run's directory, or those up to a checkpoint in it, oldest first. @throws StorageError. */
async function boundariesOf(store: FileStore, path: string): Promise<readonly ReplayStart[]> {
  const isOne = await store.exists(joinPath(path, COMMIT_FILE));
  const { complete } = await inspectCheckpoints(store, isOne ? parentPath(path) : path);
  const end = isOne ? complete.find(({ dir }) => dir === path)?.commit.generation : undefined;
  const found = complete
    .filter(({ commit }) => commit.generation <= (end ?? commit.generation))
    .map(({ dir, commit: { generation } }) => ({
      generation,
      name: dir,
      read: async () => decodeRun((await readCheckpoint(store, dir)).files, dir),
    }))
    .sort((a, b) => a.generation - b.generation);
  if (found.length > 0) return found;
  throw new StorageError(
    "not_found",
    path,
    "holds no checkpoint of a run; give a directory that rlkit train wrote, or a checkpoint in it",
  );
}

async function manifestOf({ manifest, definition }: ReadRun, store: FileStore, dir: string) {
  if (definition.name !== RL_WORKLOAD)
    throw new RangeError(
      `${dir}: found a run of ${definition.name}, and only runs of reinforcement learning can be explained`,
    );
  const opened = await openManifestModule(parseManifestObject(manifest), {
    store,
    kept: await keptModule(store, dir),
  });
  await definition.runs.loadPlace?.(opened.manifest, store);
  return opened.manifest;
}

const isSame = (one: Pick<Member, "index" | "fitness">, other: Pick<Member, "index" | "fitness">): boolean =>
  one.index === other.index &&
  one.fitness.length === other.fitness.length &&
  one.fitness.every((value, at) => Object.is(value, other.fitness[at]));

const differs = (dir: string, what: string): Error =>
  new Error(
    `${dir}: ${what}, so the run cannot be explained: it was trained by another version of rlkit or on another device, steered, or started from other weights`,
  );

const idText = ({ generation, slot }: MutationId): string => `${generation}/${slot}`;

/** @throws RangeError naming the mutations of that generation. */
function noMutation({ generation, slot }: MutationId, { lineage }: GenerationReport): RangeError {
  const others = lineage
    .filter(({ mutation }) => mutation !== "None")
    .map((each) => `${generation}/${each.slot}`);
  return new RangeError(
    `mutation: found "${generation}/${slot}", whose member began its generation unchanged; mutations of that generation: ${others.join(", ") || "none"}`,
  );
}

/** @throws Error if a member was evaluated otherwise in the generation after its mutation, as far as that is known. */
function requireRecorded(
  { index, generation, fitness }: MutationId & { readonly index: number; readonly fitness: number },
  { state }: ReadRun,
  dir: string,
  recorded?: number,
): void {
  const found =
    recorded ??
    state.members.find((member) => member.index === index)?.fitness.at(generation - 1 - state.generation);
  if (found !== undefined && !Object.is(found, fitness))
    throw differs(
      dir,
      `member ${index} had ${found} in generation ${generation}, and has ${fitness} when trained again`,
    );
}

/** The run's generations, trained again from its beginning. @throws Error if they differ from what was recorded. */
async function recorded(
  replay: RunReplay,
  last: ReadRun,
  dir: string,
  onReport: () => void,
): Promise<readonly GenerationReport[]> {
  const reports: GenerationReport[] = [];
  const { generation, members } = last.state;
  const { files } = await replay.boundary(generation, null, (report) => {
    reports.push(report);
    onReport();
  });
  const { state } = decodeRun(files, dir);
  if (!members.every((member, slot) => isSame(member, state.members[slot] ?? member)))
    throw differs(dir, "its generations end otherwise when they are trained again");
  return reports;
}

/**
 * The mutation with the largest gain on the line of the member that the run delivers.
 * @throws RangeError for a line without one.
 */
function strongestOf(reports: readonly GenerationReport[], { state }: ReadRun, dir: string): MutationId {
  const tally = new EvolutionTally();
  const gains = reports.map((report) => tally.add(report).gains);
  const delivered = state.champion ?? state.elite;
  let at = reports.findLastIndex(({ members }) =>
    members.some(({ index, steps }) => index === delivered?.index && steps === delivered?.steps),
  );
  let index = delivered?.index ?? -1;
  let best: (MutationId & { readonly gain: number }) | null = null;
  for (; at >= 0; at -= 1) {
    const member: MemberReport | undefined = reports[at]?.members.find((each) => each.index === index);
    if (!member) break;
    const { slot, parent, mutation_detail } = member;
    // A mutation without unmutated siblings has no gain, and can be tested all the same.
    const gain = gains[at]?.[slot]?.value ?? Number.NEGATIVE_INFINITY;
    if (mutation_detail && (best === null || gain > best.gain))
      best = { generation: reports[at]?.generation ?? 0, slot, gain };
    const before = reports[at - 1]?.members;
    if (!before?.some((each) => each.index === index)) index = parent ?? -1;
  }
  if (best) return best;
  throw new RangeError(`${dir}: the line of its champion has no mutation that could be explained`);
}

/**
 * Tests what a mutation did to its member: from the generation boundary before it, the member trains once with the
 * mutation and once with its parent's values, hyperparameters and networks, on the run's seed and on new ones. The
 * other members rest. Generations up to that boundary are trained again from the nearest checkpoint before it, or from
 * the run's beginning.
 * @param path A run's directory, or a checkpoint in it.
 * @throws StorageError for a directory without a checkpoint, or one that cannot be read; TypeError and RangeError
 *   for options, for a mutation that is none, and for runs without any; Error for a run that does not replay to the same
 *   bits; the signal's reason when it ends the work.
 *
 * @example
 * ```ts
 * const { difference, interval } = await explainMutation("runs/first", { seeds: 20 });
 * ```
 */
export async function explainMutation(
  path: string,
  options: ExplainOptions = {},
  ...positional: never[]
): Promise<MutationExplanation> {
  checkOptions("explainMutation", options, OPTIONS, { example: "{ seeds: 20 }", positional });
  const { accelerator = null, onProgress = () => undefined } = options;
  return explainWith(path, options, ({ alone, ...choice }) =>
    makeExecutor({ ...choice, accelerator: alone ? null : accelerator, onNotice: onProgress }),
  );
}

/** What trains a run again. */
interface ExplainExecutor {
  readonly definition: WorkloadDefinition;
  readonly device: TrainingDevice;
  /** Whether one member trains alone. */
  readonly alone: boolean;
}

/** As {@link explainMutation}, with executors of the caller's. */
export async function explainWith(
  path: string,
  options: Omit<ExplainOptions, "accelerator"> & {
    /** Fitness of the mutation's member after its first generation (default: as the newest checkpoint tells). */
    readonly recorded?: number | undefined;
  },
  makeExecutor: (choice: ExplainExecutor) => Executor,
): Promise<MutationExplanation> {
  const { seeds = SEEDS, generations = 1, signal = null } = options;
  const { onProgress = () => undefined, onShare = () => undefined } = options;
  const asked = options.mutation === undefined ? null : mutationId(options.mutation);
  const store = options.store ?? (await defaultStore());
  const saved = await boundariesOf(store, path);
  // There is at least one.
  const { name: dir, read } = saved.at(-1) as ReplayStart;
  const last = await read();
  const { definition, state, seed } = last;
  const manifest = await manifestOf(last, store, dir);
  const { device, members, recipe, generation: end } = state;
  const replay = new RunReplay({
    definition,
    manifest,
    seed,
    recipe,
    population: members.length,
    saved,
    store,
    signal,
    makeExecutor: (alone) => makeExecutor({ definition, device: device ?? "wasm", alone }),
  });
  if (asked && (asked.generation > end || asked.slot >= members.length))
    throw new RangeError(
      `mutation: found "${idText(asked)}", allowed generations 1 to ${end} and slots 0 to ${members.length - 1}`,
    );
  let [done, total] = [0, 2 * (seeds + 1) * generations + (asked ? 0 : end)];
  const onReport = () => onShare(++done / total);
  if (!asked) onProgress(`Trains generations 1 to ${end} again, to find the line of the champion`);
  const id = asked ?? strongestOf(await recorded(replay, last, dir, onReport), last, dir);
  if (id.generation + generations - 1 > end)
    throw new RangeError(
      `generations: found ${generations}, allowed 1 to ${end - id.generation + 1} for mutation ${idText(id)} (the run has ${end} generations)`,
    );

  const from = replay.startOf(id.generation - 1);
  const missing = id.generation - 1 - (from?.generation ?? 0);
  if (missing > 0)
    onProgress(
      `No checkpoint of generation ${id.generation - 1}: trains ${missing} generations again from ${from?.name ?? "the run's beginning"}. training.checkpoint_steps keeps more checkpoints`,
    );
  total += missing;
  const boundary = await replay.boundary(id.generation - 1, from, onReport);
  const fitnessOf = (report: GenerationReport): number => report.fitnesses[id.slot] ?? Number.NaN;
  const trial = async (ownSeed: number) => {
    const branch = { slot: id.slot, seed: ownSeed, generations };
    const own = await replay.branch(boundary, { ...branch, isUndone: false }, onReport);
    const other = await replay.branch(boundary, { ...branch, isUndone: true }, onReport);
    const lines = { with_mutation: own.map(fitnessOf), without: other.map(fitnessOf) };
    const with_mutation = lines.with_mutation.at(-1) ?? Number.NaN;
    const without = lines.without.at(-1) ?? Number.NaN;
    const told = { seed: ownSeed, with_mutation, without, difference: with_mutation - without, lines };
    return { first: own[0], told };
  };

  onProgress(`Mutation ${idText(id)}: trains with it and without it on ${seeds + 1} seeds`);
  const { first, told: own_seed } = await trial(seed);
  const event = first.lineage[id.slot];
  if (!event || event.mutation === "None") throw noMutation(id, first);
  // Without episodes that settle ties, which the branch does not play.
  if (manifest.training.tie_episodes === 0)
    requireRecorded({ ...id, index: event.index, fitness: fitnessOf(first) }, last, dir, options.recorded);
  const new_seeds: MutationTrial[] = [];
  for (let step = 1; step <= seeds; step += 1) new_seeds.push((await trial(seed + step)).told);
  const differences = new_seeds.map(({ difference }) => difference);
  const interval = meanInterval(differences);
  const { index, parent, mutation, hyperparameters } = event;
  const parents = decodeRun(boundary.files, boundary.name).state.members;
  const origin = parents.find((member) => member.index === (parent ?? index));
  return {
    ...id,
    index,
    parent,
    mutation,
    hyperparameters,
    before: origin?.fitness.at(-1) ?? null,
    generations,
    own_seed,
    new_seeds,
    difference: mean(differences),
    interval,
    is_evidence: isEvidence(interval),
  };
}
