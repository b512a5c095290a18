import { tensorShape } from "../../evolution/members.ts";
import { type AgentState, networkTensors } from "../../rl/members.ts";
import { networkStructures } from "../../training/workloads.ts";
import type { NetworkWeights, WeightHistogram } from "../protocol/stored.ts";

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

/** An agent's networks except target networks, with histograms of their tensors. */
export const networkWeights = (agent: AgentState): readonly NetworkWeights[] =>
  networkStructures(agent).map((structure) => {
    const network = agent.networks[structure.name];
    const weights = (network ? networkTensors(network.data) : []).map((spec) => ({
      name: spec.name,
      shape: tensorShape(spec),
      histogram: histogramOf(network?.tensors[spec.name] ?? []),
    }));
    return { ...structure, weights };
  });
