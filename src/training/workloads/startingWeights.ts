/** New members with the networks of a saved agent, for runs that begin with `load_weights_from`. */

import { type AgentState, normalizationNotice, requireOwnStatistics } from "../../agents/members.ts";
import { SpecError, type SpecIssue } from "../../manifests/index.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { reasonOf } from "../../storage/files.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import { inAlgorithmOf, loadBestFile, withWeightsOf } from "./loadCheckpoint.ts";
import {
  describeDifference,
  mayHaveEvolved,
  type NetworkDifference,
  networkDifferences,
} from "./networkDifferences.ts";

interface Beginning {
  readonly spaces: AgentSpaces;
  /** The network section, as far as it was given. */
  readonly network: unknown;
  /** Of the saved agent, as `load_weights_from` names it. */
  readonly path: string;
  readonly store: FileStore;
}

/**
 * The members with the networks of a saved agent.
 * @throws StorageError for an agent that cannot be read or does not fit the run; SpecError at settings of the network
 *   section that differ from its networks.
 */
export async function membersWithWeights(
  members: readonly AgentState[],
  { spaces, network, path, store }: Beginning,
): Promise<{ readonly members: readonly AgentState[]; readonly warnings: readonly string[] }> {
  // The specification requires at least one member.
  const first = members[0] as AgentState;
  const { agent: held, notice } = await loadBestFile(store, path);
  const taken = members.map((member) => withWeightsOf(member, held, path));
  const agent = inAlgorithmOf(first, held, path);
  requireStatistics(agent, spaces, path);
  const differences = networkDifferences(network, first, agent);
  requireSection(differences, path);
  return {
    members: taken,
    warnings: [
      ...toldOf(notice),
      ...toldOf(normalizationNotice(first, agent, path)),
      ...otherNetworks(differences, `load_weights_from (${path})`),
    ],
  };
}

/** @throws StorageError "corrupt" for running statistics of another observation space. */
export function requireStatistics(agent: AgentState, spaces: AgentSpaces, path: string): void {
  try {
    requireOwnStatistics(agent, spaces);
  } catch (error) {
    throw new StorageError("corrupt", path, `does not fit the environment: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

export const toldOf = (notice: string | null): string[] => (notice === null ? [] : [notice]);

/**
 * @throws SpecError naming each setting that differs from the file's networks and that evolution does not
 *   change.
 */
function requireSection(all: readonly NetworkDifference[], path: string): void {
  const differences = all.filter((difference) => !mayHaveEvolved(difference));
  if (differences.length === 0) return;
  const of = `load_weights_from (${path})`;
  const issues = differences.map((difference): SpecIssue => {
    const segments = difference.path.split(".");
    const message = `${describeDifference(difference, of)}, which the run would start with; give the same settings, or leave network out`;
    return { code: "rule", path: difference.path, segments, message };
  });
  throw new SpecError(issues, "manifest");
}

/** A warning if the section's networks differ from those that the run continues with. */
export function otherNetworks(differences: readonly NetworkDifference[], of: string): string[] {
  if (differences.length === 0) return [];
  const list = differences.map((difference) => `${difference.path}: ${describeDifference(difference, of)}`);
  return [`${list.join("; ")}; those networks are used`];
}
