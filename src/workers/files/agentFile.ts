/** Agents that a run keeps, as files for pages and as text for messages. */

import { type AgentState } from "../../agents/members.ts";
import { tensorShape } from "../../evolution/members.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { layerLinks, networkTensors } from "../../rl/networks.ts";
import { type OpenedModule, openedModule } from "../../sandbox/environments.ts";
import type { Member, WorkloadDefinition } from "../../training/loop.ts";
import { environmentOf, isDataAlone, userEnvironmentOf } from "../../training/plan.ts";
import { networkStructures, rlAgentOf } from "../../training/workloads.ts";
import type { AgentFile, AgentRef, KeptAgent, NetworkWeights, WeightHistogram } from "../protocol/stored.ts";

/** Number of equal bins in a histogram. */
const PARTS = 40;

/** Values that are not finite are not counted. */
export function histogramOf(values: ArrayLike<number>): WeightHistogram {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const counts = new Array<number>(PARTS).fill(0);
  if (min > max) return { min: Number.NaN, max: Number.NaN, counts };
  const width = (max - min) / PARTS;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    const part = width > 0 ? Math.min(PARTS - 1, Math.floor((value - min) / width)) : 0;
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return { min, max, counts };
}

/** An agent's networks except target networks, with their weights and histograms of their tensors. */
export const networkWeights = (agent: AgentState): readonly NetworkWeights[] =>
  networkStructures(agent).map((structure) => {
    const network = agent.networks[structure.name];
    const weights = (network ? networkTensors(network.data) : []).map((spec) => ({
      name: spec.name,
      shape: tensorShape(spec),
      histogram: histogramOf(network?.tensors[spec.name] ?? []),
    }));
    const links = (network ? layerLinks(network.data) : []).map(({ layer, spec, sources }) => ({
      layer,
      shape: tensorShape(spec),
      values: network?.tensors[spec.name] ?? new Float32Array(),
      sources,
    }));
    return { ...structure, weights, links };
  });

/** An agent and its origin. */
export interface FoundAgent {
  readonly agent: Member;
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  readonly generation: number;
  readonly fitness: number | null;
}

/** Options of a registered environment; null for a bandit's table and for data alone. */
const optionsOf = (manifest: TrainingManifest) =>
  manifest.environment.env_type === "bandit" || isDataAlone(manifest)
    ? null
    : (environmentOf(manifest).options ?? null);

const moduleOf = (manifest: TrainingManifest): OpenedModule | null => {
  const own = userEnvironmentOf(manifest);
  return own && openedModule(own);
};

export const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Fitness of the last evaluation. */
export const fitnessOf = ({ fitness }: Member): number | null => finite(fitness.at(-1));

export const encodedAgent = ({
  agent,
  definition,
  manifest,
}: Pick<FoundAgent, "agent" | "definition" | "manifest">): Uint8Array =>
  definition.files.encodeAgent(agent, definition.runs.facts(manifest));

/** @param bytes Output of {@link encodedAgent}; the file gets a copy, which the receiver may keep. */
export function agentFile(found: FoundAgent, bytes: Uint8Array = encodedAgent(found)): AgentFile {
  const { agent, definition, manifest, generation, fitness } = found;
  return {
    bytes: new Uint8Array(bytes),
    environment: manifest.environment.name,
    env_config: rlAgentOf(definition, agent) && optionsOf(manifest),
    module: moduleOf(manifest),
    generation,
    index: agent.index,
    fitness,
  };
}

/** An agent of the newest checkpoint, referred to as one of the last boundary. */
export const asLast = (kept: KeptAgent): KeptAgent => {
  const isElite = kept.ref.kind === "checkpoint" && kept.ref.index === null;
  return { ...kept, ref: isElite ? { kind: "elite" } : { kind: "member", index: kept.index } };
};

/** Text that describes an agent, for messages. */
export function agentText(ref: AgentRef): string {
  switch (ref.kind) {
    case "member":
      return `member ${ref.index} of the last generation`;
    case "elite":
      return "elite of the last generation";
    case "checkpoint":
      return `${ref.index === null ? "elite" : `member ${ref.index}`} of the checkpoint of generation ${ref.generation}`;
    case "past":
      return `agent of the league as of generation ${ref.generation}`;
    case "fame":
      return `elite of generation ${ref.generation}`;
  }
}
