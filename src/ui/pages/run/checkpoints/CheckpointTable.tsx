import type { CheckpointSummary, RunSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { DeleteButton } from "../../../components/controls.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { saveFile } from "../../../lib/files.ts";
import { formatBytes, formatCount, formatScore, NONE } from "../../../lib/format.ts";
import { navigate } from "../../../routes/navigation.ts";
import { runRoute } from "../../../routes/route.ts";
import { remoteCalls } from "../../../state/remotePlatform.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { FORK_WEIGHTS } from "../agents/agentChoices.tsx";
import { formatMoment } from "../runTexts.ts";

interface Props {
  readonly summary: RunSummary;
  readonly checkpoints: readonly CheckpointSummary[];
  /** Generation of the checkpoint that plays; null for none. */
  readonly played: number | null;
  /** Null if the run has nothing to play. */
  readonly onPlay: ((checkpoint: CheckpointSummary | null) => void) | null;
  /** Called after the checkpoints have changed. */
  readonly onChange: () => void;
}

/** The checkpoints, with what can be done with each. */
export function CheckpointTable({ summary, checkpoints, played, onPlay, onChange }: Props) {
  const word = useFitnessWord();
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const { id, can } = summary;
  // The run resumes from it, so it cannot be deleted.
  const isLast = ({ generation }: CheckpointSummary) => generation === summary.last_checkpoint?.generation;
  const refOf = (generation: number) => ({ kind: "checkpoint", generation, index: null }) as const;
  const change = (action: () => Promise<void>): Promise<boolean> =>
    workbench.attempt(async () => {
      await action();
      onChange();
    });
  const download = (generation: number): Promise<boolean> =>
    workbench.attempt(async () => {
      const { bytes } = await coordinator.agent(id, refOf(generation));
      const name = `${summary.name} generation ${generation}.safetensors`;
      saveFile({ name, type: "application/octet-stream", bytes });
    });
  const downloadZip = (generation: number): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await remoteCalls().downloadCheckpoint(id, generation)));
  const fork = (generation: number, how: "resume" | "weights"): Promise<boolean> =>
    workbench.attempt(async () => navigate(runRoute(await coordinator.fork(id, refOf(generation), how))));
  const actions = (checkpoint: CheckpointSummary, label: string) => {
    const { generation } = checkpoint;
    const playing = played === generation;
    const action = (text: string, act: () => void, title?: string, pressed?: boolean) => (
      <Button small aria-describedby={label} aria-pressed={pressed} title={title} onClick={act}>
        {text}
      </Button>
    );
    return (
      <>
        {onPlay && action("Play", () => onPlay(playing ? null : checkpoint), undefined, playing)}
        {action("Download", () => void download(generation))}
        {can.zip_checkpoint &&
          action(
            "Download zip",
            () => void downloadZip(generation),
            "The whole checkpoint; unpack it and continue with rlkit train --resume",
          )}
        {can.fork && (
          <>
            {action(
              "Fork",
              () => void fork(generation, "resume"),
              "Starts a new run that continues with the whole population of this checkpoint",
            )}
            {action("Fork weights", () => void fork(generation, "weights"), FORK_WEIGHTS)}
          </>
        )}
        {!isLast(checkpoint) && can.edit && (
          <DeleteButton
            describedBy={label}
            onDelete={() => void change(() => coordinator.deleteCheckpoint(id, generation))}
          />
        )}
      </>
    );
  };
  const pin: Column<CheckpointSummary> = {
    head: "Pinned",
    cell: ({ generation, pinned }, _, label) => (
      <input
        type="checkbox"
        className="checkpoints__pin"
        aria-label="Pin"
        checked={pinned}
        aria-describedby={label}
        onChange={() => void change(() => coordinator.pin(id, generation, !pinned))}
      />
    ),
  };
  return (
    <Table
      label="Checkpoints table"
      columns={[
        {
          head: "Generation",
          cell: (checkpoint) => (
            <>
              {formatCount(checkpoint.generation)}
              {isLast(checkpoint) && <span className="faint"> newest</span>}
            </>
          ),
        },
        { head: "Steps", number: true, cell: ({ global_step }) => formatCount(global_step) },
        { head: headOf(word), number: true, cell: ({ fitness }) => formatScore(fitness) },
        { head: "Size", number: true, cell: ({ bytes }) => formatBytes(bytes) },
        { head: "Saved", cell: ({ at }) => (Number.isFinite(at) ? formatMoment(at) : NONE) },
        ...(can.edit ? [pin] : []),
        {
          head: "Actions",
          hidden: true,
          classOf: () => "checkpoints__actions",
          cell: (checkpoint, _, label) => actions(checkpoint, label),
        },
      ]}
      rows={checkpoints}
      keyOf={({ generation }) => generation}
    />
  );
}
