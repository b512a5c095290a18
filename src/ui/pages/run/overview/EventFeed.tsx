import { Hand } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { MutationMark } from "../../../components/marks.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { ScrollRegion } from "../../../components/Table.tsx";
import { formatCount } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { shownRow } from "../../../series/historyCells.ts";
import { highlightHandlers, useHighlight } from "../../../state/highlight.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../../../state/useHistory.ts";
import { mutationWords } from "../descent/agentFacts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { steeringWords, useSteering } from "../steering/steering.ts";
import { noEventsText } from "../waitingText.ts";
import { type FeedEntry, feedEntries, withSteering } from "./feedEntries.ts";

/** Maximum number of events shown; the family tree shows all. */
const LIMIT = 40;

/** Replacements, mutations and the user's steering actions up to the shown generation, newest first. */
export function EventFeed({ session }: { readonly session: RunView }) {
  const { generation: wanted } = useRunRoute();
  const { history, state } = useHistory(session);
  const { columns } = history;
  const { summary, manifest } = useStore(session.view);
  const { actions } = useSteering(session);
  const entries = useMemo(() => {
    const clones = columns === null ? [] : feedEntries(columns, shownRow(columns, wanted), LIMIT);
    return withSteering(clones, actions, wanted, LIMIT);
  }, [columns, actions, wanted]);
  return (
    <Panel title="Events" className="feed" head={<GenerationNote upTo />}>
      {entries.length === 0 ? (
        <p className="empty">
          {state.phase === "loading"
            ? "Loading the run's history…"
            : summary && noEventsText(summary, manifest, wanted)}
        </p>
      ) : (
        <ScrollRegion label="Selection and mutation" className="feed__scroll">
          <ul>
            {entries.map((entry) =>
              "action" in entry ? (
                <li key={`steering ${entry.order}`}>
                  <span className="feed__generation">gen {formatCount(entry.generation)}</span>
                  <Hand size={14} aria-hidden="true" />
                  <span>steered: {steeringWords(entry.action)}</span>
                </li>
              ) : (
                <Entry key={`${entry.generation} ${entry.member}`} entry={entry} session={session} />
              ),
            )}
          </ul>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function Entry({ entry, session }: { readonly entry: FeedEntry; readonly session: RunView }) {
  const route = useRunRoute();
  const { generation, member, parent, replaced, kind } = entry;
  const lit = useHighlight((state) => state.member === member);
  const report = session.reports.get(generation)?.members.find(({ index }) => index === member);
  return (
    <li className={lit ? "feed__lit" : undefined} {...highlightHandlers(member)}>
      <span className="feed__generation">gen {formatCount(generation)}</span>
      <MutationMark kind={kind} />
      <span>
        <a href={formatRoute({ ...route, member })}>#{member}</a>
        {replaced === null ? ` cloned from #${parent}` : ` replaced #${replaced}`}
        {replaced !== null && <span className="feed__from"> (clone of #{parent})</span>}
        {kind !== "none" && `; ${mutationWords(entry, report?.mutation_detail ?? null)}`}
      </span>
    </li>
  );
}
