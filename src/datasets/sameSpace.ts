import { describeSpace, type SingleAgentSpace, type Space } from "../rl/spaces.ts";
import { DatasetError } from "./DatasetError.ts";

/** Whether two spaces have elements of the same sizes and choices; bounds may differ. */
function isAlike(a: Space, b: Space): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "Discrete" && b.kind === "Discrete") return a.n === b.n && a.start === b.start;
  if (a.kind === "MultiDiscrete" && b.kind === "MultiDiscrete") return a.nvec.join() === b.nvec.join();
  if ((a.kind === "Dict" && b.kind === "Dict") || (a.kind === "Tuple" && b.kind === "Tuple")) {
    if (a.parts.length !== b.parts.length) return false;
    return a.parts.every((part) => {
      const other = b.parts.find(({ key }) => key === part.key);
      return other !== undefined && isAlike(part.space, other.space);
    });
  }
  return a.shape.join() === b.shape.join();
}

/** @throws DatasetError if the data's space differs from the environment's. */
export function requireSameSpace(
  name: "observation_space" | "action_space",
  found: SingleAgentSpace | null,
  needed: Space,
  source: string,
): void {
  if (found === null || isAlike(found, needed)) return;
  throw new DatasetError(
    source,
    `${name}: found ${describeSpace(found)}, allowed ${describeSpace(needed)} (the environment's); use data from this environment, or evaluate in the environment of the data`,
  );
}
