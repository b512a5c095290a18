import { useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes } from "../../../../specs/sections.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { type Fact, Facts, fact } from "../../../components/Facts.tsx";
import { MutationMark } from "../../../components/marks.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { slotColour } from "../../../lib/drawing.ts";
import { formatCount, formatScore, messageOf } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { navigate } from "../../../routes/navigation.ts";
import { formatRoute, runRoute } from "../../../routes/route.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { AgentPlayer } from "../agents/AgentPlayer.tsx";
import { FORK_WEIGHTS } from "../agents/agentChoices.tsx";
import { type AgentFacts, mutationWords } from "../descent/agentFacts.ts";
import { useKeptAgent, useReports } from "../history/stored.ts";
import { LazyRecordDialog } from "../lazyParts.tsx";
import { useRunRoute } from "../shownGeneration.tsx";
import { ParentComparison } from "./ParentComparison.tsx";
import "./LineageTab.css";

/** A button that copies the URL of a view. @param href the URL hash */
function CopyLink({ href }: { readonly href: string }) {
  const workbench = useWorkbench();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const address = new URL(href, window.location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      setCopied(href);
    } catch (error) {
      workbench.alert(`The link could not be copied (${messageOf(error)}): ${address}`);
    }
  };
  return (
    <Button small onClick={() => void copy()}>
      <span aria-live="polite">{copied === href ? "Link copied" : "Copy link"}</span>
    </Button>
  );
}

interface Props {
  readonly session: RunView;
  readonly columns: HistoryColumns;
  readonly colours: LineageColours;
  readonly facts: AgentFacts;
  /** Cell of its parent when it was cloned; -1 for an initial agent. */
  readonly parentCell: number;
  readonly onClose: () => void;
}

/** Maximum number of later mutations listed. */
const MOST_LATER = 5;

const FATES: Readonly<Record<AgentFacts["fate"], string>> = {
  elite: "Best of its generation",
  ancestor: "Ancestor of the elite",
  survives: "Its lineage survives",
  ended: "Its lineage ended",
};

/** One agent: its origin, its fitness, and its actions. */
export function AgentCard({ session, columns, colours, facts, parentCell, onClose }: Props) {
  const word = useFitnessWord();
  const { population } = columns;
  const colour = colours.of(facts.index);
  const route = useRunRoute();
  const workbench = useWorkbench();
  const summary = useStore(session.view, (view) => view.summary);
  useReports(session, facts.first, facts.first);
  const keeping = useKeptAgent(route.id, facts.index, useCalmly(summary?.generation ?? 0, 3000));
  const plays = useStore(session.view, ({ manifest }) => playsEpisodes(manifest));
  const [playing, setPlaying] = useState(false);
  const [recording, setRecording] = useState(false);
  const report = session.reports.get(facts.first)?.members.find(({ index }) => index === facts.index);
  const fork = (): void => {
    if (keeping.state !== "kept") return;
    const { ref } = keeping.agent;
    void workbench.attempt(async () => {
      navigate(runRoute(await workbench.coordinator.fork(route.id, ref, "weights")));
    });
  };
  const rows: readonly Fact[] = [
    [
      "Generations",
      facts.first === facts.last
        ? formatCount(facts.first)
        : `${formatCount(facts.first)} to ${formatCount(facts.last)}`,
    ],
    fact(
      "Mutation",
      <>
        <MutationMark kind={facts.kind} />{" "}
        {facts.parent === null && facts.kind === "none"
          ? "none (initial member)"
          : mutationWords(facts, report?.mutation_detail ?? null)}
      </>,
    ),
    ...facts.later.slice(-MOST_LATER).map((later) =>
      fact(
        `In generation ${formatCount(later.generation)}`,
        <>
          <MutationMark kind={later.kind} /> {mutationWords(later, null)}
        </>,
      ),
    ),
    ...(report === undefined || parentCell >= 0
      ? []
      : [fact("Networks", <span className="mono">{report.architecture}</span>)]),
    fact(
      "Parent",
      facts.parent === null ? (
        "none (initial member)"
      ) : (
        <a href={formatRoute({ ...route, member: facts.parent })}>Agent #{facts.parent}</a>
      ),
    ),
    fact(
      "Clones",
      <>
        {facts.children.length === 0 && "none"}
        {facts.children.slice(0, 8).map((child) => (
          <a key={child} href={formatRoute({ ...route, member: child })}>
            #{child}
          </a>
        ))}
        {facts.children.length > 8 && ` and ${formatCount(facts.children.length - 8)} more`}
      </>,
    ),
  ];
  return (
    <section className="agent-card grid gap-3 small panel__body" aria-label={`Agent ${facts.index}`}>
      <header>
        <h3>
          <i className="colour" style={{ background: slotColour(colour) }} /> Agent #{facts.index}
        </h3>
        <Button small quiet onClick={onClose}>
          Close
        </Button>
      </header>
      <p>
        {FATES[facts.fate]}. {headOf(word)} <strong>{formatScore(facts.fitness)}</strong>
        {facts.rank !== null && `, rank ${facts.rank} of ${population}`} in generation{" "}
        {formatCount(facts.last)}.
      </p>
      <Facts className="agent-card__facts" rows={rows} />
      {parentCell >= 0 && (
        <ParentComparison
          key={facts.index}
          session={session}
          columns={columns}
          colours={colours}
          facts={facts}
          parentCell={parentCell}
          plays={plays}
        />
      )}
      <div className="row">
        {keeping.state === "kept" && (
          <>
            <Button small aria-pressed={playing} onClick={() => setPlaying(!playing)}>
              Play
            </Button>
            {summary?.can.fork && (
              <Button small title={FORK_WEIGHTS} onClick={fork}>
                Fork weights
              </Button>
            )}
            <Button small title="Records its episodes as a data set" onClick={() => setRecording(true)}>
              Record
            </Button>
          </>
        )}
        <CopyLink href={formatRoute({ ...route, member: facts.index })} />
      </div>
      {keeping.state === "gone" && (
        <p className="dim">
          Its weights are not stored, so it cannot be played or forked. Weights are stored only for the last
          generation, checkpoints and the elites of generations.
        </p>
      )}
      {keeping.state === "failed" && <p className="dim">{keeping.problem}</p>}
      {playing && keeping.state === "kept" && summary !== null && (
        <AgentPlayer key={facts.index} run={route.id} agent={keeping.agent.ref} colour={colour} />
      )}
      {recording && keeping.state === "kept" && (
        <LazyRecordDialog run={route.id} agent={keeping.agent.ref} onClose={() => setRecording(false)} />
      )}
    </section>
  );
}
