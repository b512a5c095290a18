import { SpecError } from "../../specs/index.ts";
import { describeSpace, type Space } from "../spaces/index.ts";

/** @throws SpecError for an action space that an algorithm cannot act in. */
export function requireActions(algorithm: string, space: Space, kinds: readonly Space["kind"][]): void {
  if (kinds.includes(space.kind)) return;
  const allowed = [kinds.slice(0, -1).join(", "), ...kinds.slice(-1)]
    .filter((part) => part !== "")
    .join(" or ");
  throw new SpecError([
    {
      path: "environment.name",
      segments: ["environment", "name"],
      code: "rule",
      message: `${algorithm} cannot act in this environment: an action is ${describeSpace(space)}, allowed: ${allowed}; choose another algorithm or environment`,
    },
  ]);
}
