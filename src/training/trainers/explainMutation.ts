/** Tests what a mutation did, by training its member again without it. */

import { mean } from "../../evolution/members.ts";
import { parseManifestObject } from "../../manifests/index.ts";
import { COUNT, checkOptions, FUNCTION, type OptionRules, STORE, TEXT } from "../../specs/checks.ts";
import { COMMIT_FILE, inspectCheckpoints } from "../../storage/checkpoints.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, joinPath, parentPath, readCheckpoint, StorageError } from "../../storage/index.ts";
import { EvolutionTally, type Interval, isEvidence, meanInterval } from "../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../tracking/observer.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import type { Member } from "../loop/Workload.ts";
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
}

const OPTIONS: OptionRules = {
  mutation: TEXT,
  seeds: COUNT,
  generations: COUNT,
  accelerator: { allowed: "an Accelerator", allows: (value) => value instanceof Accelerator },
  store: STORE,
  onProgress: FUNCTION,
};

/** Fitness of a member with its mutation and without, from the same random draws. */
export interface MutationTrial {
  readonly seed: number;
  readonly with_mutation: number;
  readonly without: number;
  /** The first minus the second. */
  readonly difference: number;
}

/** What a mutation did to its member's next generations. */
export interface MutationExplanation {
  /** Generation that the member began with the mutation, and its slot. */
  readonly generation: number;
  readonly slot: number;
  /** Identity of the member, and of the one that it was copied from. */
  readonly index: number;
  readonly parent: number | null;
  /** Label of the mutation, and the hyperparameters that it moved. */
  readonly mutation: string;
  readonly hyperparameters: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  /** Generations that the member trained for. */
  readonly generations: number;
  /** With the seed of the run itself, whose selection may have favoured the luck of this mutation. */
  readonly own_seed: MutationTrial;
  readonly new_seeds: readonly MutationTrial[];
  /** Mean difference on the new seeds. */
  readonly difference: number;
  /** Its interval of 95 %; null for one seed. */
  readonly interval: Interval | null;
  /** Whether the interval leaves out 0. */
  readonly is_evidence: boolean;
}

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

/** @throws Error if a member that the run still has was evaluated otherwise in the generation after its mutation. */
function requireRecorded(
  { index, generation, fitness }: MutationId & { readonly index: number; readonly fitness: number },
  { state }: ReadRun,
  dir: string,
): void {
  const found = state.members
    .find((member) => member.index === index)
    ?.fitness.at(generation - 1 - state.generation);
  if (found !== undefined && !Object.is(found, fitness))
    throw differs(
      dir,
      `member ${index} had ${found} in generation ${generation}, and has ${fitness} when trained again`,
    );
}

/** The run's generations, trained again from its beginning. @throws Error if they differ from what was recorded. */
async function recorded(replay: RunReplay, last: ReadRun, dir: string): Promise<readonly GenerationReport[]> {
  const reports: GenerationReport[] = [];
  const { generation, members } = last.state;
  const { files } = await replay.boundary(generation, null, (report) => reports.push(report));
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
 *   bits.
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
  const { seeds = SEEDS, generations = 1, accelerator = null, onProgress = () => undefined } = options;
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
    makeExecutor: (alone) =>
      makeExecutor({
        definition,
        device: device ?? "wasm",
        accelerator: alone ? null : accelerator,
        onNotice: onProgress,
      }),
  });
  if (asked && (asked.generation > end || asked.slot >= members.length))
    throw new RangeError(
      `mutation: found "${idText(asked)}", allowed generations 1 to ${end} and slots 0 to ${members.length - 1}`,
    );
  if (!asked) onProgress(`Trains generations 1 to ${end} again, to find the line of the champion`);
  const id = asked ?? strongestOf(await recorded(replay, last, dir), last, dir);
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
  const boundary = await replay.boundary(id.generation - 1, from);
  const fitnessOf = (reports: GenerationReport): number => reports.fitnesses[id.slot] ?? Number.NaN;
  const trial = async (ownSeed: number) => {
    const branch = { slot: id.slot, seed: ownSeed, generations };
    const own = await replay.branch(boundary, { ...branch, isUndone: false });
    const other = await replay.branch(boundary, { ...branch, isUndone: true });
    const [with_mutation, without] = [fitnessOf(own.last), fitnessOf(other.last)];
    return {
      first: own.first,
      told: { seed: ownSeed, with_mutation, without, difference: with_mutation - without },
    };
  };

  onProgress(`Mutation ${idText(id)}: trains with it and without it on ${seeds + 1} seeds`);
  const { first, told: own_seed } = await trial(seed);
  const event = first.lineage[id.slot];
  if (!event || event.mutation === "None") throw noMutation(id, first);
  // Without episodes that settle ties, which the branch does not play.
  if (manifest.training.tie_episodes === 0)
    requireRecorded({ ...id, index: event.index, fitness: fitnessOf(first) }, last, dir);
  const new_seeds: MutationTrial[] = [];
  for (let step = 1; step <= seeds; step += 1) new_seeds.push((await trial(seed + step)).told);
  const differences = new_seeds.map(({ difference }) => difference);
  const interval = meanInterval(differences);
  const { index, parent, mutation, hyperparameters } = event;
  return {
    ...id,
    index,
    parent,
    mutation,
    hyperparameters,
    generations,
    own_seed,
    new_seeds,
    difference: mean(differences),
    interval,
    is_evidence: isEvidence(interval),
  };
}
