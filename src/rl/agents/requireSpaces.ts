import { show } from "../../specs/explainName.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { Agents, Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple } from "../spaces/index.ts";

const SPACES = { Agents, Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple } as const;

const isSpace = (value: unknown): boolean => Object.values(SPACES).some((space) => value instanceof space);

/** @throws TypeError naming the space that is missing or none. */
export function requireSpaces(what: string, options: Partial<AgentSpaces>): void {
  for (const name of ["observation_space", "action_space"] as const) {
    if (isSpace(options[name])) continue;
    throw new TypeError(
      `${what}: ${name}: found ${show(options[name])}, allowed a space (${Object.keys(SPACES).join(", ")}); an environment has it as ${name}, lanes as single_${name}`,
    );
  }
}
