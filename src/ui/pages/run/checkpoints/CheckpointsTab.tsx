import { useCallback, useMemo, useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes } from "../../../../specs/sections.ts";
import type { CheckpointSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { AgentPlayer } from "../agents/AgentPlayer.tsx";
import { fittest } from "../descent/LineageGraph.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { HOLDS, noCheckpointText } from "../runTexts.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { CheckpointTable } from "./CheckpointTable.tsx";

/** The checkpoints of a run, with actions to play, download, fork, pin and delete them. */
export function CheckpointsTab({ session }: { readonly session: RunView }) {
  const { id } = useRunRoute();
  const summary = useStore(session.view, (view) => view.summary);
  const manifest = useStore(session.view, (view) => view.manifest);
  const { coordinator } = useWorkbench();
  const ask = useCallback(() => coordinator.checkpoints(id), [coordinator, id]);
  // Read again whenever one is written.
  const { value: checkpoints, problem, again } = useAnswer(ask, summary?.last_checkpoint?.generation);
  const [played, setPlayed] = useState<CheckpointSummary | null>(null);
  const plays = playsEpisodes(manifest);
  if (summary === null) return null;
  return (
    <Panel title="Checkpoints">
      {problem !== null && (
        <div className="empty" role="alert">
          <p>{problem}</p>
          <Button onClick={again}>Try again</Button>
        </div>
      )}
      {problem === null && checkpoints === undefined && <p className="loading dim">Loading checkpoints…</p>}
      {checkpoints?.length === 0 && (
        <p className="empty">
          {HOLDS.checkpoints} {noCheckpointText(summary)}
        </p>
      )}
      {checkpoints !== undefined && checkpoints.length > 0 && (
        <CheckpointTable
          summary={summary}
          checkpoints={checkpoints}
          played={played?.generation ?? null}
          onPlay={plays ? setPlayed : null}
          onChange={again}
        />
      )}
      {played !== null && <Player session={session} run={id} generation={played.generation} />}
    </Panel>
  );
}

interface PlayerProps {
  readonly session: RunView;
  readonly run: string;
  readonly generation: number;
}

/** Plays the elite of a checkpoint. */
function Player({ session, run, generation }: PlayerProps) {
  const { history } = useHistory(session);
  const agent = useMemo(() => ({ kind: "checkpoint", generation, index: null }) as const, [generation]);
  const { columns, colours } = history;
  const row = columns === null ? -1 : columns.generation.indexOf(generation);
  const cell = columns === null || row < 0 ? -1 : fittest(columns, row);
  return (
    <section className="checkpoints__player rule-above panel__body" aria-label="Checkpoint playing">
      <h3>Elite of generation {formatCount(generation)}</h3>
      <AgentPlayer key={generation} run={run} agent={agent} colour={colours.of(columns?.index[cell] ?? -1)} />
    </section>
  );
}
