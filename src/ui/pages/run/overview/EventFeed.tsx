import { Hand } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import type { StandingEntry } from "../../../../training/loop.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { MutationMark } from "../../../components/marks.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { ScrollRegion } from "../../../components/Table.tsx";
import { formatCount } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { shownRow } from "../../../series/historyCells.ts";
import { highlightHandlers, useHighlight } from "../../../state/highlight.ts";
import type { RunView } from "../../../state/RunView.ts";
import { type Difference, differences, mutationWords } from "../descent/agentFacts.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { evolves, HOLDS, noEventsText } from "../runTexts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { steeringWords, useSteering } from "../steering/steering.ts";

/** The creation of a member. */
interface FeedEntry {
  readonly generation: number;
  readonly member: number;
  /** Index of the agent that it was cloned from. */
  readonly parent: number;
  /** Index of the agent that it replaced; null if that agent survives in another slot or was its parent. */
  readonly replaced: number | null;
  readonly kind: (typeof MUTATION_KINDS)[number];
  /** Label of the mutation. */
  readonly mutation: string;
  /** Hyperparameters that differ from its parent's. */
  readonly differences: readonly Difference[];
}

/**
 * Merges clones and steering actions, newest first: steering acts after the selection of its generation.
 *
 * @param wanted the last generation to include; null for all
 * @param limit maximum number of entries
 */
export function withSteering(
  clones: readonly FeedEntry[],
  actions: readonly StandingEntry[],
  wanted: number | null,
  limit: number,
): readonly (FeedEntry | StandingEntry)[] {
  const steered = actions.filter(({ generation }) => wanted === null || generation <= wanted).toReversed();
  return [...steered, ...clones].toSorted((a, b) => b.generation - a.generation).slice(0, limit);
}

/**
 * The clones of a run, newest first, and by slot within a generation.
 *
 * @param row row of the last generation to include
 * @param limit maximum number of entries
 */
export function feedEntries(columns: HistoryColumns, row: number, limit: number): FeedEntry[] {
  const entries: FeedEntry[] = [];
  for (let at = row; at >= 1 && entries.length < limit; at -= 1) entries.push(...clonesOf(columns, at));
  return entries.slice(0, limit);
}

function clonesOf(columns: HistoryColumns, row: number): FeedEntry[] {
  const { population, index, parent, generation } = columns;
  const [start, before] = [row * population, (row - 1) * population];
  const past = new Map<number, number>();
  for (let cell = before; cell < start; cell += 1) past.set(index[cell] ?? -1, cell);
  const living = new Set(index.subarray(start, start + population));
  const entries: FeedEntry[] = [];
  for (let slot = 0; slot < population; slot += 1) {
    const cell = start + slot;
    const member = index[cell] ?? -1;
    const from = past.get(parent[cell] ?? -1);
    if (past.has(member) || from === undefined) continue;
    const occupant = index[before + slot] ?? -1;
    entries.push({
      generation: generation[row] ?? 0,
      member,
      parent: parent[cell] ?? -1,
      replaced: living.has(occupant) || occupant === parent[cell] ? null : occupant,
      kind: MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none",
      mutation: columns.mutations[columns.mutation[cell] ?? -1] ?? "None",
      differences: differences(columns, from, cell),
    });
  }
  return entries;
}

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
    <Panel title="Events" className="fill feed" head={<GenerationNote upTo />}>
      {entries.length === 0 ? (
        <p className="empty">
          {state.phase === "loading"
            ? "Loading the run's history…"
            : summary &&
              `${evolves(manifest) ? `${HOLDS.events} ` : ""}${noEventsText(summary, manifest, wanted)}`}
        </p>
      ) : (
        <ScrollRegion label="Selection and mutation" className="feed__scroll scrolls">
          <ul>
            {entries.map((entry) =>
              "action" in entry ? (
                <li key={`steering ${entry.position}`}>
                  <span className="dim">gen {formatCount(entry.generation)}</span>
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
      <span className="dim">gen {formatCount(generation)}</span>
      <MutationMark kind={kind} />
      <span>
        <a href={formatRoute({ ...route, member })}>#{member}</a>
        {replaced === null ? ` cloned from #${parent}` : ` replaced #${replaced}`}
        {replaced !== null && <span className="dim"> (clone of #{parent})</span>}
        {kind !== "none" && `; ${mutationWords(entry, report?.mutation_detail ?? null)}`}
      </span>
    </li>
  );
}
