/** The champion's perturbed copies on the wall of an evolution strategy. */
import type { GenerationReport } from "../../../../tracking/observer.ts";
import type { Player } from "../../../stage/stageSettings.ts";
import { playerOf, type WallMember } from "./wallMembers.ts";

/** Most copies on the wall, and in user-written environments, each of which is a sandbox. */
const MOST = { registered: 256, own: 16 } as const;

export interface WallCopies {
  /** The member that is perturbed. */
  readonly champion: WallMember;
  /** Copies on the wall, and copies of an iteration. */
  readonly shown: number;
  readonly perturbations: number;
  /** Standard deviation of the noise, without a schedule. */
  readonly sigma: number;
  readonly players: readonly Player[];
}

interface CopiedRun {
  /** Report of the members' generation. */
  readonly report: GenerationReport | undefined;
  readonly seed: number;
  /** Environment steps of a member in the whole run. */
  readonly steps: number;
}

/**
 * The copies that the next iteration draws if the champion keeps its slot; null for algorithms without copies, and before
 * the first evaluation.
 */
export function wallCopies(
  members: readonly WallMember[],
  { report, seed, steps }: CopiedRun,
): WallCopies | null {
  const champion = members.find(({ elite }) => elite);
  const own = report?.members.find(({ index }) => index === champion?.index);
  const { perturbations, sigma } = own?.hyperparameters ?? {};
  if (!champion || !own || perturbations === undefined || sigma === undefined) return null;
  const shown = Math.min(champion.file.module === null ? MOST.registered : MOST.own, perturbations);
  const player = playerOf(champion);
  const turn = {
    seed,
    slot: own.slot,
    generation: champion.file.generation + 1,
    progress: Math.min(1, own.steps / steps),
  };
  const players = Array.from({ length: shown }, (_, copy) => {
    const keyOf = (agent: string): string => `${agent}~${copy}`;
    const { key, ancestors = [] } = player;
    // A copy comes from its place among the copies before, or from the member itself.
    const from = [...ancestors.map(keyOf), key, ...ancestors];
    return {
      ...player,
      key: keyOf(key),
      ancestors: from,
      note: null,
      champion: false,
      copy: { ...turn, copy },
    };
  });
  return { champion, shown, perturbations, sigma, players };
}
