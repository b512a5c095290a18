import { environmentFacts } from "../../manifests/environmentFacts.ts";
import { environmentId } from "../../specs/messages.ts";

/** Names of an observation's and of an action's numbers; null for none. */
export interface NumberNames {
  readonly observation_names: readonly string[] | null;
  readonly action_names: readonly string[] | null;
}

export const NO_NAMES: NumberNames = { observation_names: null, action_names: null };

/** What one of rlkit's own environments calls its numbers. */
export const numberNames = (environment: string): NumberNames =>
  environmentFacts[environmentId(environment)] ?? NO_NAMES;
