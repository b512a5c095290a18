import { SpecError } from "../../specs/checks.ts";
import { describeSpace, type Space } from "../spaces/index.ts";

/**
 * Message about a multi-agent algorithm with a single-agent environment, or the reverse; null if they match.
 * @param environment Name of the environment in the message.
 */
export function agentsProblem(
  { name, multi_agent }: { readonly name: string; readonly multi_agent: boolean },
  space: Space,
  environment: string,
): string | null {
  if (multi_agent === (space.kind === "Agents")) return null;
  return space.kind === "Agents"
    ? `${name} trains a single agent, but ${environment} has several (${space.ids.join(", ")}); choose a multi-agent algorithm or a single-agent environment`
    : `${name} trains several agents, but ${environment} has only one; choose a multi-agent environment or a single-agent algorithm`;
}

/** @throws SpecError when the algorithm does not support the action space. */
export function requireActions(algorithm: string, space: Space, kinds: readonly Space["kind"][]): void {
  if (kinds.includes(space.kind)) return;
  const allowed = [kinds.slice(0, -1).join(", "), ...kinds.slice(-1)]
    .filter((part) => part !== "")
    .join(" or ");
  const multi_agent = kinds.includes("Agents");
  throw new SpecError([
    {
      path: "environment.name",
      segments: ["environment", "name"],
      code: "rule",
      message:
        agentsProblem({ name: algorithm, multi_agent }, space, "this environment") ??
        `${algorithm} cannot act in this environment: an action is ${describeSpace(space)}, allowed: ${allowed}; choose another algorithm or environment`,
    },
  ]);
}
