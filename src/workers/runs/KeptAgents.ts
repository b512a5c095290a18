/** Agents kept of runs: members and elite of the last boundary and of checkpoints, and elites of generations. */

import type { TrainingManifest } from "../../manifests/index.ts";
import { type CheckpointInfo, type FameEntry, isStorageError } from "../../storage/index.ts";
import { thinned } from "../../tracking/history.ts";
import type { MemberReport } from "../../tracking/observer.ts";
import {
  decodePopulation,
  ELITE_FILE,
  type Member,
  memberFile,
  type WorkloadDefinition,
} from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { rlAgentOf } from "../../training/workloads.ts";
import {
  agentFile,
  agentText,
  asLast,
  encodedAgent,
  type FoundAgent,
  finite,
  fitnessOf,
  networkWeights,
} from "../files/agentFile.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { AgentRef, KeptAgent } from "../protocol/stored.ts";
import { reportsBetween } from "./pastReports.ts";
import type { Runs } from "./Runs.ts";
import type { RunHistory } from "./runHistory.ts";

/** Every elite of this many generations is listed, as are those that were better than all before. */
const LISTED_EVERY = 10;
/** Most elites of generations that are listed. */
const MOST_LISTED = 200;

/** The elites of generations that are listed among a run's agents. */
function notable(elites: readonly FameEntry[]): readonly FameEntry[] {
  let best = Number.NEGATIVE_INFINITY;
  const found = elites.filter(({ generation, fitness }) => {
    const isBetter = fitness !== null && fitness > best;
    if (isBetter) best = fitness;
    return isBetter || generation % LISTED_EVERY === 0;
  });
  return thinned(found, MOST_LISTED);
}

/** Null for a file that others deleted or damaged. */
function ignoreLost(error: unknown): null {
  if (isStorageError(error, "not_found") || isStorageError(error, "corrupt")) return null;
  throw error;
}

/** File name of a member in a checkpoint. */
const MEMBER_FILE = /^member_\d+\.safetensors$/;
/** File name of an agent of a league in a checkpoint, with its generation. */
const PAST_FILE = /^past_(\d+)\.safetensors$/;

export class KeptAgents {
  readonly #runs: Runs;
  /**
   * Encoded files of agents in memory, cached because an agent never changes and a checksum
   * covers the whole file.
   */
  readonly #files = new WeakMap<Member, { readonly id: string; readonly bytes: Uint8Array }>();

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  readonly calls = {
    agents: async (id) => {
      await this.#runs.record(id);
      const { store } = this.#runs;
      const history = await this.#runs.history(id);
      const checkpoints = await store.checkpoints.list(id);
      const fame = await store.fame.list(id);
      const saved: KeptAgent[] = [];
      for (const { commit } of checkpoints.toReversed())
        saved.push(...(await this.#ofCheckpoint(id, history, commit.generation)));
      const newest = checkpoints.at(-1)?.commit.generation;
      return [
        ...(this.#live(id) ?? saved.filter(({ generation }) => generation === newest).map(asLast)),
        ...saved,
        ...(await this.#past(id, checkpoints.at(-1))),
        ...notable(fame).map(({ generation, index, fitness }) => {
          return { ref: { kind: "fame", generation }, index, generation, fitness } as const;
        }),
      ];
    },

    agent: async (id, ref) => {
      const found = await this.find(id, ref);
      const known = this.#files.get(found.agent);
      const bytes = known?.id === id ? known.bytes : encodedAgent(found);
      this.#files.set(found.agent, { id, bytes });
      return agentFile(found, bytes);
    },

    players: async (id, wanted) => {
      await this.#runs.record(id);
      const manifest = await this.#manifest(id);
      const definition = workloadOf(manifest);
      const { files } = definition;
      if (!files.policyOf) return [];
      const { agents, generation } = await this.#nearest(id, wanted, definition);
      return agents.map((agent) => {
        const policy = files.policyOf?.(agent) ?? agent;
        return agentFile({ agent: policy, definition, manifest, generation, fitness: fitnessOf(agent) });
      });
    },

    eliteAt: async (id, generation) => {
      await this.#runs.record(id);
      const manifest = await this.#manifest(id);
      const definition = workloadOf(manifest);
      if (!definition.files.policyOf) return null;
      const kept = await this.#runs.store.fame.at(id, generation);
      if (!kept) return null;
      const { entry, policy, path } = kept;
      const agent = definition.files.decodeAgent(policy, path);
      const { generation: own, fitness, pinned } = entry;
      const file = agentFile({ agent, definition, manifest, generation: own, fitness });
      return { ...file, ref: { kind: "fame", generation: own }, pinned };
    },

    pinElite: async (id, generation, on) => {
      await this.#runs.record(id);
      await this.#runs.store.fame.pin(id, generation, on);
    },

    network: async (id, ref) => {
      const { agent, definition } = await this.find(id, ref);
      const player = rlAgentOf(definition, agent);
      return player ? networkWeights(player) : [];
    },
  } satisfies Partial<Coordinator>;

  /** Elite and members of the last boundary in memory; null if the run is not in memory. */
  #live(id: string): readonly KeptAgent[] | null {
    const run = this.#runs.active(id);
    if (!run) return null;
    const { members, generation } = run.training;
    const { elite } = run;
    const kept = (ref: AgentRef, agent: Member): KeptAgent => {
      return { ref, index: agent.index, generation, fitness: fitnessOf(agent) };
    };
    return [
      ...(elite ? [kept({ kind: "elite" }, elite)] : []),
      ...members.map((agent) => kept({ kind: "member", index: agent.index }, agent)),
    ];
  }

  /** Elite and members of a checkpoint, as recorded in the log; none if the log entry is lost. */
  async #ofCheckpoint(id: string, history: RunHistory, generation: number): Promise<readonly KeptAgent[]> {
    const [report] = await reportsBetween(this.#runs.store, id, history, generation, generation);
    if (!report) return [];
    const kept = (ref: AgentRef, { index, fitness }: MemberReport): KeptAgent => {
      return { ref, index, generation, fitness: finite(fitness) };
    };
    const elite = report.members[report.elite];
    return [
      ...(elite ? [kept({ kind: "checkpoint", generation, index: null }, elite)] : []),
      ...report.members.map((member) =>
        kept({ kind: "checkpoint", generation, index: member.index }, member),
      ),
    ];
  }

  /** Agents of the league in a checkpoint, with their ratings as of then. */
  async #past(id: string, checkpoint: CheckpointInfo | undefined): Promise<readonly KeptAgent[]> {
    if (!checkpoint?.commit.files.some(({ path }) => PAST_FILE.test(path))) return [];
    const { store } = this.#runs;
    const { generation: last } = checkpoint.commit;
    const { files } = workloadOf(await this.#manifest(id));
    const [report] = await reportsBetween(store, id, await this.#runs.history(id), last, last);
    const saved = await store.checkpoints.read(id, checkpoint.name, (path) => PAST_FILE.test(path));
    return [...saved.files].flatMap(([path, bytes]): KeptAgent[] => {
      const generation = Number(PAST_FILE.exec(path)?.[1] ?? Number.NaN);
      if (Number.isNaN(generation)) return [];
      const { index } = files.decodeAgent(bytes, `${saved.dir}/${path}`);
      const player = report?.league?.players.find((one) => one.id === `generation ${generation}`);
      return [{ ref: { kind: "past", generation }, index, generation, fitness: finite(player?.rating) }];
    });
  }

  async #nearest(
    id: string,
    wanted: number | null,
    definition: WorkloadDefinition,
  ): Promise<{ readonly agents: readonly Member[]; readonly generation: number }> {
    const { store } = this.#runs;
    const run = this.#runs.active(id);
    if (run && (wanted === null || wanted === run.training.generation))
      return { agents: run.training.members, generation: run.training.generation };
    const checkpoints = await store.checkpoints.list(id);
    const saved = checkpoints.map(({ commit }) => commit.generation);
    const whole = wanted === null ? [] : (await store.populations.list(id)).map((one) => one.generation);
    // Where populations are kept, one of a generation nearby says more than a single policy of the wanted one.
    const hasWhole = (whole[0] ?? Number.POSITIVE_INFINITY) <= (wanted ?? 0);
    const single =
      wanted === null || hasWhole ? [] : (await store.fame.list(id)).map((one) => one.generation);
    // If two are equally near, the first wins: a whole population before a single policy.
    const known = [...saved, ...whole, ...single];
    const target = wanted ?? saved.at(-1) ?? 0;
    const generation = known.reduce(
      (a, b) => (Math.abs(b - target) < Math.abs(a - target) ? b : a),
      Infinity,
    );
    const checkpoint = checkpoints.findLast(({ commit }) => commit.generation === generation);
    if (checkpoint) return { agents: await this.#population(id, checkpoint, definition), generation };
    const kept =
      whole.includes(generation) && (await store.populations.read(id, generation).catch(ignoreLost));
    if (kept) return { agents: decodePopulation(kept.policy, definition.files, kept.path), generation };
    const famous = await this.#famous(id, generation, definition);
    return famous ? { agents: [famous.agent], generation } : { agents: [], generation: 0 };
  }

  /** All members of a checkpoint by slot. */
  async #population(
    id: string,
    { name }: CheckpointInfo,
    { files }: WorkloadDefinition,
  ): Promise<readonly Member[]> {
    const isMember = (path: string): boolean => MEMBER_FILE.test(path);
    const saved = await this.#runs.store.checkpoints.read(id, name, isMember);
    return [...saved.files.keys()].filter(isMember).flatMap((_, slot) => {
      const bytes = saved.files.get(memberFile(slot));
      return bytes ? [files.decodeAgent(bytes, `${saved.dir}/${memberFile(slot)}`)] : [];
    });
  }

  /** @throws Error if that agent is not kept. */
  async find(id: string, ref: AgentRef): Promise<FoundAgent> {
    await this.#runs.record(id);
    const manifest = await this.#manifest(id);
    const definition = workloadOf(manifest);
    const found = await this.#agent(id, ref, definition);
    if (found) return { manifest, definition, fitness: fitnessOf(found.agent), ...found };
    throw new Error(`The ${agentText(ref)} is not stored; choose another agent.`);
  }

  async #manifest(id: string): Promise<TrainingManifest> {
    return this.#runs.active(id)?.manifest ?? this.#runs.manifest(id);
  }

  async #agent(
    id: string,
    ref: AgentRef,
    definition: WorkloadDefinition,
  ): Promise<Pick<FoundAgent, "agent" | "generation"> | null> {
    const { store } = this.#runs;
    switch (ref.kind) {
      case "elite":
        return this.#runs.elite(id);
      case "member": {
        const run = this.#runs.active(id);
        if (!run) {
          const newest = (await store.checkpoints.list(id)).at(-1);
          return newest ? this.#saved(id, newest, ref.index, definition) : null;
        }
        const { members, generation } = run.training;
        const agent = members.find(({ index }) => index === ref.index);
        return agent ? { agent, generation } : null;
      }
      case "checkpoint": {
        const all = await store.checkpoints.list(id);
        const checkpoint = all.findLast(({ commit }) => commit.generation === ref.generation);
        return checkpoint ? this.#saved(id, checkpoint, ref.index, definition) : null;
      }
      case "past": {
        const newest = (await store.checkpoints.list(id)).at(-1);
        const found =
          newest && (await this.#file(id, newest, `past_${ref.generation}.safetensors`, definition));
        return found ? { agent: found, generation: ref.generation } : null;
      }
      case "fame":
        return this.#famous(id, ref.generation, definition);
    }
  }

  /** An agent of a checkpoint by its file; null if there is no such file. */
  async #file(
    id: string,
    { name, commit }: CheckpointInfo,
    path: string,
    { files }: WorkloadDefinition,
  ): Promise<Member | null> {
    if (!commit.files.some((listed) => listed.path === path)) return null;
    const saved = await this.#runs.store.checkpoints.read(id, name, (other) => other === path);
    const bytes = saved.files.get(path);
    return bytes ? files.decodeAgent(bytes, `${saved.dir}/${path}`) : null;
  }

  async #famous(
    id: string,
    generation: number,
    definition: WorkloadDefinition,
  ): Promise<Pick<FoundAgent, "agent" | "generation"> | null> {
    try {
      const { policy, path } = await this.#runs.store.fame.read(id, generation);
      return { agent: definition.files.decodeAgent(policy, path), generation };
    } catch (error) {
      if (isStorageError(error, "not_found")) return null;
      throw error;
    }
  }

  /** A member of a checkpoint by its identity, or the elite if `index` is null. */
  async #saved(
    id: string,
    checkpoint: CheckpointInfo,
    index: number | null,
    definition: WorkloadDefinition,
  ): Promise<Pick<FoundAgent, "agent" | "generation"> | null> {
    const { store } = this.#runs;
    const { generation, files: listed } = checkpoint.commit;
    const read = (path: string) => this.#file(id, checkpoint, path, definition);
    if (index === null) {
      const agent = await read(ELITE_FILE);
      return agent && { agent, generation };
    }
    const history = await this.#runs.history(id);
    const [report] = await reportsBetween(store, id, history, generation, generation);
    const slots = listed.filter(({ path }) => MEMBER_FILE.test(path)).map((_, slot) => slot);
    const likely = report?.members.findIndex((member) => member.index === index) ?? -1;
    // The log may be lost; then all members are searched.
    for (const slot of likely >= 0 ? [likely, ...slots] : slots) {
      const agent = await read(memberFile(slot));
      if (agent?.index === index) return { agent, generation };
    }
    return null;
  }
}
