import type { LineageEvent } from "../../evolution/index.ts";
import { mutationKindOf } from "../../tracking/history.ts";
import type { MemberReport, MutationDetail, NetworkStructure } from "../../tracking/observer.ts";
import { keptEpisodes } from "./GenerationProgress.ts";
import type { Kinds, Workload } from "./Workload.ts";

/** How each member of a generation differs from its parent, for reports. */
export type MemberChange = Pick<MemberReport, "mutation_detail" | "network">;

/** The members at the start of a generation, and those before it. */
interface Descent<K extends Kinds> {
  readonly before: readonly K["agent"][];
  readonly members: readonly K["agent"][];
  /** Empty if members continued unchanged. */
  readonly lineage: readonly LineageEvent[];
  /** Whether these members' networks have not been reported before. */
  readonly isFirst: boolean;
}

/**
 * Changes by slot. A network is reported if it differs from the parent's, or if none were reported before.
 */
export function memberChanges<K extends Kinds>(
  { before, members, lineage, isFirst }: Descent<K>,
  workload: Pick<Workload<K>, "structure">,
): readonly MemberChange[] {
  return members.map((member, slot): MemberChange => {
    const event = lineage[slot];
    const kind = event ? mutationKindOf(event.mutation, member.hyperparameters) : "none";
    const isReshaped = kind === "architecture" || kind === "activation";
    const network = isFirst || isReshaped ? workload.structure?.(member) : undefined;
    const told = isFirst && network ? { network } : {};
    if (!event || kind === "none") return told;
    const source = before.find(({ index }) => index === (event.parent ?? event.index));
    const parent = isReshaped && source ? workload.structure?.(source) : undefined;
    const mutation_detail = detailOf(event, kind, workload.structure?.(member) ?? [], parent ?? []);
    const isOther = network && JSON.stringify(network) !== JSON.stringify(parent);
    return { mutation_detail, ...(isOther ? { network } : told) };
  });
}

function detailOf(
  { mutation, hyperparameters }: LineageEvent,
  kind: MutationDetail["kind"],
  networks: readonly NetworkStructure[],
  parents: readonly NetworkStructure[],
): MutationDetail {
  if (kind === "hyperparameter") {
    const { from, to } = hyperparameters[mutation] ?? {};
    const numbers = typeof from === "number" && typeof to === "number" ? { from, to } : {};
    return { kind, method: mutation, ...numbers };
  }
  const policy = networks[0]?.name;
  if (kind === "parameters") return { kind, ...(policy === undefined ? {} : { network: policy }) };
  const changed = networks.find((network, i) => JSON.stringify(network) !== JSON.stringify(parents[i]));
  const parent = parents.find(({ name }) => name === changed?.name);
  if (!changed || !parent) return { kind, method: mutation };
  const method = kind === "architecture" ? { method: mutation } : {};
  return { kind, network: changed.name, ...method, ...layerChange(changed, parent, kind) };
}

/** The first layer that differs, and how. */
function layerChange(
  { layers }: NetworkStructure,
  parent: NetworkStructure,
  kind: MutationDetail["kind"],
): Pick<MutationDetail, "layer" | "from" | "to"> {
  const layer = layers.findIndex((own, i) => JSON.stringify(own) !== JSON.stringify(parent.layers[i]));
  const [to, from] = [layers[layer], parent.layers[layer]];
  if (kind === "activation") {
    const changed = from?.activation && to?.activation ? { from: from.activation, to: to.activation } : {};
    return { layer, ...changed };
  }
  if (layers.length !== parent.layers.length)
    return { layer: Math.max(0, layer), from: parent.layers.length, to: layers.length };
  if (!to || !from) return {};
  return to.width === from.width
    ? { layer, from: from.parameters, to: to.parameters }
    : { layer, from: from.width, to: to.width };
}

/** When and where a turn ran, as far as that is known. */
type TurnTime = Pick<MemberReport, "milliseconds" | "worker" | "started">;

/** What a report says of when and where a turn ran. */
export const turnTime = ({ milliseconds, worker, started }: TurnTime): TurnTime => ({
  ...(milliseconds === undefined ? {} : { milliseconds }),
  ...(worker === undefined ? {} : { worker }),
  ...(started === undefined ? {} : { started }),
});

interface MemberTaken<K extends Kinds> {
  /** The member at the start of the generation. */
  readonly before: K["agent"];
  /** Null for a member that failed. */
  readonly result: K["result"] | null;
  /** Null if selection has no subpopulations. */
  readonly subpopulation: number | null;
  /** How the member differs from its parent. */
  readonly change: MemberChange;
  readonly time: TurnTime;
  /** Number of members. */
  readonly population: number;
}

/** The report of a member's generation. */
export function memberReport<K extends Kinds>(
  slot: number,
  { before, result, subpopulation, change, time, population }: MemberTaken<K>,
  workload: Pick<Workload<K>, "describe" | "evolved">,
): MemberReport {
  const agent = result?.agent ?? before;
  const parameters = workload.evolved(agent).hp_config?.parameters ?? {};
  const hyperparameters = Object.entries(agent.hyperparameters).flatMap(([name, value]) => {
    if (typeof value === "number") return [[name, value] as const];
    const position = parameters[name]?.categories?.findIndex((category) => category === value) ?? -1;
    return position < 0 ? [] : [[name, position] as const];
  });
  return {
    slot,
    index: agent.index,
    parent: agent.parent,
    subpopulation,
    fitness: result?.fitness ?? Number.NaN,
    ...(result?.agent_fitness ? { agent_fitness: result.agent_fitness } : {}),
    steps: agent.steps,
    score: result?.score ?? null,
    ...(result?.training ? { training: keptEpisodes(result.training, population) } : {}),
    mutation: agent.mut,
    hyperparameters: Object.fromEntries(hyperparameters),
    metrics: result?.metrics ?? {},
    ...(result?.histograms ? { histograms: result.histograms } : {}),
    architecture: workload.describe(agent),
    learn_steps: result?.learn_steps ?? 0,
    ...change,
    ...(result?.evaluation ? { evaluation: result.evaluation } : {}),
    ...time,
  };
}
