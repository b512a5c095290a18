/** The generations of a run as the acts of a film. */
import type { FilmAct, FilmOrder } from "../../../../stage/stageProtocol.ts";
import type { FitnessColumns } from "../../../../tracking/clients.ts";
import { fitnessWord } from "../../../games/fitnessWord.tsx";
import { formatScore } from "../../../lib/format.ts";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import { bestByGeneration } from "../../../series/bestByGeneration.ts";
import { LINEAGE_COLOURS } from "../../../series/lineageColours.ts";
import { castMember } from "../../../stage/stageSettings.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { RunViewState } from "../../../state/RunViewState.ts";
import { timeLapseStops } from "../wall/useTimeLapse.ts";
import type { StageAgents } from "../wall/WallFeed.ts";
import { playerOf, type WallMember, wallMembers } from "../wall/wallMembers.ts";

/** Seconds of a film's generations, and of one of them at most. */
const [WHOLE, MOST] = [25, 6] as const;
/** Seconds of the title, and of the champion alone at the end. */
export const [TITLE, CHAMPION] = [2, 3] as const;

/** Seconds of each of a number of generations. */
export const actSeconds = (acts: number): number => Math.min(MOST, WHOLE / Math.max(1, acts));

type Best = Pick<FitnessColumns, "generation" | "generations" | "population" | "fitness">;

/** The curve of a film. */
export const filmCurve = (
  columns: Best,
  view: Pick<RunViewState, "manifest" | "latest">,
): FilmOrder["curve"] => ({
  label: `Best ${fitnessWord(view)}`,
  generation: columns.generation.slice(0, columns.generations),
  best: bestByGeneration(columns),
  target: manifestNumber(view.manifest, "training.target_score"),
});

/**
 * Reads who plays in a film: of at most twelve generations, what is stored of each, and the champion alone at the end.
 * @param place element whose theme colours the agents
 * @throws Error if nothing is stored, or the abort reason of the signal
 */
export async function filmActs(
  session: RunView,
  agents: StageAgents,
  place: HTMLElement,
  signal: AbortSignal,
): Promise<readonly FilmAct[]> {
  const { history, reports } = session;
  await history.catchUp();
  const { columns } = history;
  const best = columns === null ? [] : bestByGeneration(columns);
  const found: Omit<FilmAct, "seconds">[] = [];
  let shown: readonly WallMember[] = [];
  for (const stop of timeLapseStops(columns?.generation.slice(0, columns.generations) ?? [])) {
    // Without its report, a generation plays without words.
    await reports.load(stop, stop).catch(() => undefined);
    const files = await agents.agentsAt(stop);
    signal.throwIfAborted();
    const generation = files[0]?.generation ?? null;
    if (generation === null || generation === found.at(-1)?.generation) continue;
    shown = wallMembers(files, shown, {
      reportOf: (wanted) => reports.get(wanted),
      columns,
      colourOf: (index, slot) => history.founders.of(index) ?? slot % LINEAGE_COLOURS,
    });
    const value = best[columns?.generation.indexOf(generation) ?? -1];
    found.push({
      generation,
      best: value === undefined || Number.isNaN(value) ? null : formatScore(value),
      members: shown.map((member) => castMember(place, playerOf(member))),
    });
  }
  if (found.length === 0)
    throw new Error(
      "No agents of this run are stored, so nobody can play. Resume the run, or film another one.",
    );
  const acts = found.map((act) => ({ ...act, seconds: actSeconds(found.length) }));
  const [last, champion] = [acts.at(-1), shown.find(({ elite }) => elite)];
  if (last === undefined || champion === undefined || shown.length === 1) return acts;
  return [...acts, { ...last, seconds: CHAMPION, members: [castMember(place, playerOf(champion))] }];
}
