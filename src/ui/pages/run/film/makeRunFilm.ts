import type { FilmShape, FilmTheme, FromStage, PosterOrder } from "../../../../stage/stageProtocol.ts";
import type { RunSummary } from "../../../../workers/protocol.ts";
import { fitnessWord, headOf } from "../../../games/fitnessWord.tsx";
import { tokenColours } from "../../../lib/drawing.ts";
import { formatCount, formatScore, formatThings } from "../../../lib/format.ts";
import { askStage } from "../../../stage/askStage.ts";
import { castMember, stageTheme } from "../../../stage/stageSettings.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { StageAgents } from "../wall/WallFeed.ts";
import { filmActs, filmCurve, TITLE } from "./filmActs.ts";
import type { FilmChoice } from "./filmChoices.ts";
import { treePicture } from "./treePicture.ts";

/** A run to be filmed. */
export interface FilmedRun {
  readonly session: RunView;
  readonly summary: RunSummary;
  readonly agents: StageAgents;
}

/** The colours that apply to an element. */
export function filmTheme(place: HTMLElement): FilmTheme {
  const { surface, target, "ink-2": soft } = tokenColours(place, ["surface", "target", "ink-2"]);
  return { ...stageTheme(place), surface, soft, target };
}

async function posterOrder(
  { session, summary, agents }: FilmedRun,
  place: HTMLElement,
): Promise<Omit<PosterOrder, "title" | "about" | "theme">> {
  const { history } = session;
  await history.catchUp();
  const { columns, colours } = history;
  if (columns === null || columns.generations === 0)
    throw new Error("No generation has ended, so there is no family tree. Try again after the first one.");
  const file = await agents.file({ kind: "elite" });
  const { index, fitness, generation } = file;
  return {
    champion: castMember(place, { key: String(index), file, colour: history.founders.of(index) ?? 0 }),
    tree: await treePicture(columns, colours, summary.champion?.index ?? null, place),
    facts: [
      ["Champion", `#${index}`],
      [headOf(fitnessWord(session.view.getState())), formatScore(fitness)],
      ["Generation", `${formatCount(generation)} of ${formatCount(columns.generations)}`],
      ["Members", formatCount(columns.population)],
      ["Steps", formatCount(summary.global_step)],
    ],
  };
}

/**
 * Makes the file of a film or a poster.
 * @param place element whose theme is used
 * @param tell hears how much is made, 0 to 1
 * @throws Error that says why it could not be made, or the abort reason of the signal
 */
export async function makeRunFilm(
  run: FilmedRun,
  { format }: FilmChoice,
  shape: FilmShape,
  place: HTMLElement,
  tell: (done: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { session, summary, agents } = run;
  const filmed = (message: FromStage): Uint8Array<ArrayBuffer> | null => {
    if (message.kind === "filming") tell(message.done);
    return message.kind === "filmed" ? message.bytes : null;
  };
  const about = `${summary.algorithm} on ${summary.environment}`;
  const shared = { title: summary.name, about, theme: filmTheme(place) };
  if (format === null) {
    const order = { ...shared, ...(await posterOrder(run, place)) };
    return askStage((sandboxes) => ({ kind: "poster", order, sandboxes }), filmed, signal, [order.tree]);
  }
  const acts = await filmActs(session, agents, place, signal);
  const { columns } = session;
  const text = `${formatThings(columns.population, "member")}, ${formatThings(columns.generations, "generation")}`;
  const opening = { seconds: TITLE, text };
  const order = {
    ...shared,
    shape,
    opening,
    acts,
    curve: filmCurve(columns, session.view.getState()),
    format,
  };
  return askStage((sandboxes) => ({ kind: "film", order, sandboxes }), filmed, signal);
}
