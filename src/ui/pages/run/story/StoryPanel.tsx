import { useMemo } from "react";
import { useStore } from "zustand";
import { isEvidence } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { formatCount } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { formatRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { LineageGraph } from "../descent/LineageGraph.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { championStory } from "./championStory.ts";
import { MutationTests } from "./MutationTests.tsx";
import { storyText } from "./storyText.ts";
import "./StoryPanel.css";

/** Pause between two stories while a run trains, in milliseconds: each reads the whole history. */
const PAUSE_MS = 2000;

interface Props {
  readonly session: RunView;
  readonly columns: HistoryColumns;
  readonly graph: LineageGraph;
  /** Row of the shown generation. */
  readonly row: number;
}

/** How the run's best agent came about, in sentences that link to the agents they are about. */
export function StoryPanel({ session, columns, graph, row }: Props) {
  const route = useRunRoute();
  const champion = useStore(session.view, (view) => view.summary?.champion?.index ?? null);
  const isNewest = row === columns.generations - 1;
  const shown = useMemo(() => ({ columns, graph, row, champion }), [columns, graph, row, champion]);
  const calm = useCalmly(shown, PAUSE_MS);
  const story = useMemo(() => championStory(calm.columns, calm.graph, calm.row, calm.champion), [calm]);
  if (story === null) return null;
  const isAhead = story.lead !== null && story.lead.value > 0 && isEvidence(story.lead.interval);
  const verb = isNewest && champion === story.index ? "won" : isAhead ? "leads" : "became the elite";
  return (
    <section className="story" aria-label="How this one won">
      <h3>
        How agent #{story.index} {verb}
      </h3>
      <ol>
        {storyText(story).map(({ text, evidence }) => (
          <li key={text}>
            {text}{" "}
            <a
              href={formatRoute({ ...route, member: evidence.index })}
              aria-label={`Agent ${evidence.index} of generation ${formatCount(evidence.generation)}`}
            >
              #{evidence.index}
            </a>
          </li>
        ))}
      </ol>
      {story.steps.length > 0 && (
        <>
          <p className="panel__text panel__text--small">
            Luck favours the gains of a line that won. A test trains a member again with its mutation and
            without it.
          </p>
          <MutationTests session={session} steps={story.steps} />
        </>
      )}
    </section>
  );
}
