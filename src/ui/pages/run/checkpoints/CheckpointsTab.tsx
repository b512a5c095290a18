import { useCallback, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes } from "../../../../specs/sections.ts";
import type { CheckpointSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { type ColumnHead, TableFrame } from "../../../components/Table.tsx";
import { formatCount, messageOf } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../../../state/useHistory.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { AgentPlayer } from "../agents/AgentPlayer.tsx";
import { fittest } from "../descent/LineageGraph.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { noCheckpointText } from "../waitingText.ts";
import { CheckpointRow } from "./CheckpointRow.tsx";
import "./CheckpointsTab.css";

/** A run's checkpoints as last read. */
export interface Checkpoints {
  /** Newest first; null until read. */
  readonly checkpoints: readonly CheckpointSummary[] | null;
  readonly problem: string | null;
  /** Reads the checkpoints again. */
  readonly read: () => void;
}

/**
 * The checkpoints of a run, read again whenever one is written.
 * @param newest generation of the latest checkpoint
 */
function useCheckpoints(id: string, newest: number): Checkpoints {
  const { coordinator } = useWorkbench();
  const [checkpoints, setCheckpoints] = useState<readonly CheckpointSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(0);
  useEffect(() => {
    let wanted = true;
    const ask = async (): Promise<void> => {
      try {
        const found = await coordinator.checkpoints(id);
        if (!wanted) return;
        setCheckpoints(found);
        setProblem(null);
      } catch (error) {
        if (wanted) setProblem(messageOf(error));
      }
    };
    void ask();
    return () => {
      wanted = false;
    };
  }, [coordinator, id, newest, reading]);
  const read = useCallback(() => setReading((before) => before + 1), []);
  return { checkpoints, problem, read };
}

const COLUMNS: readonly ColumnHead[] = [
  { head: "Generation" },
  { head: "Steps", number: true },
  { head: "Fitness", number: true },
  { head: "Size", number: true },
  { head: "Saved" },
  { head: "Pinned" },
  { head: "Actions", hidden: true },
];

/** The checkpoints of a run, with actions to play, download, fork, pin and delete them. */
export function CheckpointsTab({ session }: { readonly session: RunView }) {
  const { id } = useRunRoute();
  const summary = useStore(session.view, (view) => view.summary);
  const manifest = useStore(session.view, (view) => view.manifest);
  const { checkpoints, problem, read } = useCheckpoints(id, summary?.last_checkpoint?.generation ?? 0);
  const [played, setPlayed] = useState<CheckpointSummary | null>(null);
  const plays = playsEpisodes(manifest);
  if (summary === null) return null;
  return (
    <Panel title="Checkpoints">
      {problem !== null && (
        <div className="empty" role="alert">
          <p>{problem}</p>
          <Button onClick={read}>Try again</Button>
        </div>
      )}
      {problem === null && checkpoints === null && <p className="loading">Loading checkpoints…</p>}
      {checkpoints?.length === 0 && <p className="empty">{noCheckpointText(summary)}</p>}
      {checkpoints !== null && checkpoints.length > 0 && (
        <TableFrame
          label="Checkpoints table"
          columns={COLUMNS.filter(({ head }) => head !== "Pinned" || summary.can.edit)}
        >
          <tbody>
            {checkpoints.map((checkpoint) => (
              <CheckpointRow
                key={checkpoint.generation}
                run={id}
                name={summary.name}
                can={summary.can}
                checkpoint={checkpoint}
                last={checkpoint.generation === summary.last_checkpoint?.generation}
                playing={played?.generation === checkpoint.generation}
                onPlay={plays ? setPlayed : null}
                onChange={read}
              />
            ))}
          </tbody>
        </TableFrame>
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
    <section className="checkpoints__player" aria-label="Checkpoint playing">
      <h3>Elite of generation {formatCount(generation)}</h3>
      <AgentPlayer key={generation} run={run} agent={agent} colour={colours.of(columns?.index[cell] ?? -1)} />
    </section>
  );
}
