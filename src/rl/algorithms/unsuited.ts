import { SpecError } from "../../specs/index.ts";
import { describeSpace, type Space } from "../spaces/index.ts";

/** The error for an action space that an algorithm cannot act in. */
export function unsuitedAction(algorithm: string, space: Space, allowed: string): SpecError {
  return new SpecError([
    {
      path: "environment.name",
      segments: ["environment", "name"],
      code: "rule",
      message: `${algorithm} cannot act in this environment: an action is ${describeSpace(space)}, allowed: ${allowed}; choose another algorithm or environment`,
    },
  ]);
}
