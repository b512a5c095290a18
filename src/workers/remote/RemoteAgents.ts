/** Agents of a platform's run: members and elites of its checkpoints. */
import { z } from "zod";
import type { RemoteClient } from "../../remote/index.ts";
import { ELITE_FILE, type Member, memberFile } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { rlAgentOf } from "../../training/workloads.ts";
import {
  agentFile,
  agentText,
  asLast,
  type FoundAgent,
  finite,
  fitnessOf,
  networkWeights,
} from "../files/agentFile.ts";
import type {
  AgentFile,
  AgentRef,
  CheckpointSummary,
  Download,
  EliteFile,
  KeptAgent,
  NetworkWeights,
} from "../protocol/stored.ts";
import type { RemoteRun } from "./RemoteRun.ts";

const Checkpoints = z.array(
  z.looseObject({
    name: z.string(),
    generation: z.int(),
    global_step: z.number(),
    fitness: z.number().nullable(),
    size: z.number(),
    created_at: z.iso.datetime(),
  }),
);

/** Maximum number of agents in memory. */
const MOST_AGENTS = 64;

export class RemoteAgents {
  readonly #client: RemoteClient;
  readonly #run: RemoteRun;
  /** By checkpoint and file, the most recently used last. */
  readonly #agents = new Map<string, Promise<Member>>();

  constructor(client: RemoteClient, run: RemoteRun) {
    this.#client = client;
    this.#run = run;
  }

  /** The checkpoints, newest first. */
  async checkpoints(): Promise<readonly CheckpointSummary[]> {
    const rows = await this.#rows();
    return rows.toReversed().map(({ generation, global_step, fitness, size, created_at }) => ({
      ...{ generation, global_step, fitness },
      bytes: size,
      at: Date.parse(created_at),
      // The platform decides which checkpoints are kept, not this browser's policy.
      pinned: true,
    }));
  }

  /** A checkpoint as a zip. */
  async zip(generation: number): Promise<Download> {
    const row = (await this.#rows()).find((one) => one.generation === generation);
    if (!row) throw new Error(`The platform has no checkpoint of generation ${generation}.`);
    const { name, zip } = await this.#client.downloadCheckpoint(this.#run.experiment, row.name);
    const { environment, algorithm } = this.#run.manifest;
    const subject = `${environment.name}-${algorithm.name}`.replaceAll("/", "-");
    return { name: `${subject}-${name}.zip`, type: "application/zip", bytes: zip };
  }

  /** All kept agents: those of the newest checkpoint as the last boundary, then those of each checkpoint. */
  list(): readonly KeptAgent[] {
    const newest = this.#newest();
    const saved = this.#run.checkpoints
      .toReversed()
      .flatMap(({ generation }) => this.#ofCheckpoint(generation));
    const last = saved.filter(({ generation }) => generation === newest).map(asLast);
    return [...last, ...saved];
  }

  /** @throws Error if that agent is not kept. */
  async file(ref: AgentRef): Promise<AgentFile> {
    return agentFile(await this.find(ref));
  }

  /** Policies of the newest checkpoint's members by slot, or of the checkpoint nearest to a generation. */
  async players(wanted: number | null): Promise<readonly AgentFile[]> {
    const { manifest } = this.#run;
    const definition = workloadOf(manifest);
    const { files } = definition;
    const target = wanted ?? this.#newest();
    if (!files.policyOf || target === null) return [];
    const generation = this.#run.checkpoints
      .map((checkpoint) => checkpoint.generation)
      .reduce((a, b) => (Math.abs(b - target) <= Math.abs(a - target) ? b : a), Number.POSITIVE_INFINITY);
    const members = this.#members(generation);
    const agents = await Promise.all(members.map((_, slot) => this.#agent(generation, memberFile(slot))));
    return agents.map((agent) => {
      const policy = files.policyOf?.(agent) ?? agent;
      return agentFile({ agent: policy, definition, manifest, generation, fitness: fitnessOf(agent) });
    });
  }

  /** The elite of the newest checkpoint up to a generation, else of the first one; null without checkpoints. */
  async eliteAt(wanted: number): Promise<EliteFile | null> {
    const { manifest, checkpoints } = this.#run;
    const saved = checkpoints.findLast(({ generation }) => generation <= wanted) ?? checkpoints[0];
    const { files } = workloadOf(manifest);
    if (!files.policyOf || !saved) return null;
    const ref: AgentRef = { kind: "checkpoint", generation: saved.generation, index: null };
    const found = await this.find(ref);
    // The platform decides which checkpoints are kept, as of `checkpoints`.
    return { ...agentFile({ ...found, agent: files.policyOf(found.agent) }), ref, pinned: true };
  }

  /** The agent's networks; none for a language model. @throws Error if that agent is not kept. */
  async network(ref: AgentRef): Promise<readonly NetworkWeights[]> {
    const { agent, definition } = await this.find(ref);
    const player = rlAgentOf(definition, agent);
    return player ? networkWeights(player) : [];
  }

  /** @throws Error if that agent is not kept. */
  async find(ref: AgentRef): Promise<FoundAgent> {
    const { manifest } = this.#run;
    const generation = ref.kind === "checkpoint" ? ref.generation : this.#newest();
    const path = this.#pathOf(ref, generation);
    if (generation === null || path === null)
      throw new Error(`The platform does not store the ${agentText(ref)}; choose another agent.`);
    const agent = await this.#agent(generation, path);
    return { agent, definition: workloadOf(manifest), manifest, generation, fitness: fitnessOf(agent) };
  }

  /** Generation of the newest checkpoint; null before the first. */
  #newest(): number | null {
    return this.#run.checkpoints.at(-1)?.generation ?? null;
  }

  #members(generation: number) {
    return this.#run.reports(generation, generation)[0]?.members ?? [];
  }

  #pathOf(ref: AgentRef, generation: number | null): string | null {
    if (ref.kind === "elite" || (ref.kind === "checkpoint" && ref.index === null)) return ELITE_FILE;
    if (ref.kind === "fame" || ref.kind === "past" || generation === null) return null;
    const slot = this.#members(generation).findIndex(({ index }) => index === ref.index);
    return slot < 0 ? null : memberFile(slot);
  }

  #ofCheckpoint(generation: number): readonly KeptAgent[] {
    const [report] = this.#run.reports(generation, generation);
    if (!report) return [];
    const elite = report.members[report.elite];
    return [...(elite ? [{ ...elite, isElite: true }] : []), ...report.members].map((member) => ({
      ref: { kind: "checkpoint", generation, index: "isElite" in member ? null : member.index },
      index: member.index,
      generation,
      fitness: finite(member.fitness),
    }));
  }

  async #rows() {
    return Checkpoints.parse(await this.#client.listCheckpoints(this.#run.experiment));
  }

  /** An agent of a checkpoint by its file, cached because it never changes. */
  #agent(generation: number, path: string): Promise<Member> {
    const key = `${generation}/${path}`;
    const agent = this.#agents.get(key) ?? this.#read(generation, path);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    for (const oldest of this.#agents.keys()) {
      if (this.#agents.size <= MOST_AGENTS) break;
      this.#agents.delete(oldest);
    }
    agent.catch(() => {
      if (this.#agents.get(key) === agent) this.#agents.delete(key);
    });
    return agent;
  }

  async #read(generation: number, path: string): Promise<Member> {
    const { experiment, manifest } = this.#run;
    const bytes = await this.#client.downloadCheckpointFile(experiment, `generation_${generation}`, path);
    return workloadOf(manifest).files.decodeAgent(bytes, `${experiment}/generation ${generation}/${path}`);
  }
}
