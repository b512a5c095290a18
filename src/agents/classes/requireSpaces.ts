import {
  type AgentSpaces,
  Agents,
  Box,
  Dict,
  Discrete,
  MultiBinary,
  MultiDiscrete,
  type SingleAgentSpace,
  type Space,
  Tuple,
} from "../../rl/spaces.ts";
import { show } from "../../specs/messages.ts";

const SPACES = { Agents, Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple } as const;

/** An observation or action space, or the spaces of several agents by id, as in a parallel environment. */
export type SpaceOption = Space | Readonly<Record<string, SingleAgentSpace>>;

const isSpace = (value: unknown): value is Space =>
  Object.values(SPACES).some((space) => value instanceof space);

/** Whether the value is a record of spaces by agent. */
const areSpaces = (value: unknown): value is Readonly<Record<string, SingleAgentSpace>> =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(isSpace);

function spaceOf(what: string, name: "observation_space" | "action_space", given: unknown): Space {
  if (isSpace(given)) return given;
  if (areSpaces(given)) return new Agents(given);
  throw new TypeError(
    `${what}: ${name}: found ${show(given)}, allowed a space (${Object.keys(SPACES).join(", ")}), or those of several agents by id; an environment has it as ${name}, one of several agents as ${name}s, lanes as single_${name}`,
  );
}

/**
 * The spaces of an agent, with spaces by id converted to `Agents`.
 * @throws TypeError naming the space that is missing or invalid; RangeError naming the agent whose id or
 *   space is invalid.
 */
export const requireSpaces = (
  what: string,
  options: { readonly observation_space?: unknown; readonly action_space?: unknown },
): AgentSpaces => ({
  observation_space: spaceOf(what, "observation_space", options.observation_space),
  action_space: spaceOf(what, "action_space", options.action_space),
});
