/** The numbers of an observation that agents may normalise: those of Boxes, except images and bytes. */
import { type AgentSpaces, isComposite, isImage, type SimpleSpace, type Space } from "./Space.ts";

/** Adjacent numbers of an element that are normalised, all of one agent. */
export interface NormalizedRun {
  /** Index of the first number in an element, and how many numbers follow. */
  readonly start: number;
  readonly size: number;
  /** Place of the first number's statistics among those of all runs. */
  readonly at: number;
  /** Index of the agent that observes them; 0 for a single agent. */
  readonly agent: number;
}

const hasScale = (space: SimpleSpace): boolean =>
  space.kind === "Box" && space.dtype !== "uint8" && !isImage(space);

/** Simple spaces in element order, each with the index of its agent. */
function partsOf(space: Space) {
  if (!isComposite(space)) return [{ space, start: 0, size: sizeOf(space), agent: 0 }];
  if (space.kind !== "Agents") return space.parts.map((part) => ({ ...part, agent: 0 }));
  const ends = space.agents.map(({ start, size }) => start + size);
  return space.parts.map((part) => ({ ...part, agent: ends.findIndex((end) => part.start < end) }));
}

const sizeOf = ({ shape }: Pick<Space, "shape">): number => shape.reduce((product, dim) => product * dim, 1);

/** The normalised numbers of an observation, in order; empty if it has none. */
export function normalizedRuns(space: Space): readonly NormalizedRun[] {
  const runs: NormalizedRun[] = [];
  let at = 0;
  for (const { space: part, start, size, agent } of partsOf(space)) {
    if (!hasScale(part)) continue;
    const last = runs.at(-1);
    const adjoins = last?.agent === agent && last.start + last.size === start;
    if (adjoins) runs.splice(-1, 1, { ...last, size: last.size + size });
    else runs.push({ start, size, at, agent });
    at += size;
  }
  return runs;
}

/** How many numbers of an observation have statistics, and how many rewards a step has. */
export const statisticsSizes = ({ observation_space }: Pick<AgentSpaces, "observation_space">) => ({
  observations: normalizedRuns(observation_space).reduce((sum, { size }) => sum + size, 0),
  rewards: observation_space.kind === "Agents" ? observation_space.ids.length : 1,
});
