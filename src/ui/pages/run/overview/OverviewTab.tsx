import { useStore } from "zustand";
import { playsEpisodes, trainsOnText } from "../../../../specs/sections.ts";
import { playsGame } from "../../../games/isGame.ts";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import type { RunView } from "../../../state/RunView.ts";
import { Tour } from "../../../tour/Tour.tsx";
import { FitnessPanel } from "../fitness/FitnessPanel.tsx";
import { BeforeAfterPanel, LeaguePanel, TrainingPanel, WallPanel } from "../lazyParts.tsx";
import { CompletionsPanel } from "./CompletionsPanel.tsx";
import { EventFeed } from "./EventFeed.tsx";
import { RunStrip } from "./RunStrip.tsx";
import "./OverviewTab.css";

export { preloadParts } from "../lazyParts.tsx";

/** Number of members whose pictures take the whole width. */
const CROWD = 24;

/**
 * A run at a glance: its fitness, its population at play or its members' completions and what they learn from, its
 * progress and its events. For language models, prompts are in the middle.
 */
export function OverviewTab({ session }: { readonly session: RunView }) {
  const view = useStore(session.view);
  const { summary, manifest } = view;
  if (summary === null) return null;
  const writes = summary.can.texts && trainsOnText(manifest);
  const plays = playsEpisodes(manifest);
  const isCrowd = (manifestNumber(manifest, "training.pop_size") ?? 1) >= CROWD;
  return (
    <>
      <Tour />
      {plays && isCrowd && <WallPanel session={session} />}
      <div className={plays && !isCrowd ? "columns overview__columns" : undefined}>
        {plays && !isCrowd && <WallPanel session={session} />}
        <FitnessPanel session={session} />
      </div>
      {playsGame(view) && <LeaguePanel session={session} />}
      {writes && <BeforeAfterPanel session={session} />}
      {trainsOnText(manifest) && (
        <div className={writes ? "columns overview__columns" : undefined}>
          <TrainingPanel session={session} />
          {writes && <CompletionsPanel session={session} />}
        </div>
      )}
      <RunStrip view={view} summary={summary} columns={session.columns} />
      <EventFeed session={session} />
    </>
  );
}
