import { useId } from "react";
import type { RunAbilities } from "../../../../workers/pages.ts";
import type { CheckpointSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { DeleteButton } from "../../../components/controls.tsx";
import { saveFile } from "../../../lib/files.ts";
import { formatBytes, formatCount, formatScore, NONE } from "../../../lib/format.ts";
import { navigate } from "../../../routes/navigation.ts";
import { runRoute } from "../../../routes/route.ts";
import { remoteCalls } from "../../../state/remotePlatform.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { FORK_WEIGHTS } from "../agents/agentChoices.tsx";
import { formatMoment } from "../runTexts.ts";

interface Props {
  /** Id of the run. */
  readonly run: string;
  /** Name of the run. */
  readonly name: string;
  /** The operations that the run supports. */
  readonly can: RunAbilities;
  readonly checkpoint: CheckpointSummary;
  /** Whether it is the checkpoint that the run resumes from, which cannot be deleted. */
  readonly last: boolean;
  readonly playing: boolean;
  /** Null if the run has nothing to play. */
  readonly onPlay: ((checkpoint: CheckpointSummary | null) => void) | null;
  /** Called after the checkpoints have changed. */
  readonly onChange: () => void;
}

/** One checkpoint of the table. */
export function CheckpointRow({ run, name, can, checkpoint, last, playing, onPlay, onChange }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const label = useId();
  const { generation, global_step, fitness, bytes, at, pinned } = checkpoint;
  const change = (action: () => Promise<void>): Promise<boolean> =>
    workbench.attempt(async () => {
      await action();
      onChange();
    });
  const download = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const file = await coordinator.agent(run, { kind: "checkpoint", generation, index: null });
      saveFile({
        name: `${name} generation ${generation}.safetensors`,
        type: "application/octet-stream",
        bytes: file.bytes,
      });
    });
  const downloadZip = (): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await remoteCalls().downloadCheckpoint(run, generation)));
  const fork = (how: "resume" | "weights"): Promise<boolean> =>
    workbench.attempt(async () => {
      const ref = { kind: "checkpoint", generation, index: null } as const;
      navigate(runRoute(await coordinator.fork(run, ref, how)));
    });
  const action = (text: string, act: () => void, extra: { pressed?: boolean; title?: string } = {}) => (
    <Button small aria-describedby={label} aria-pressed={extra.pressed} title={extra.title} onClick={act}>
      {text}
    </Button>
  );
  return (
    <tr>
      <th scope="row" id={label}>
        {formatCount(generation)}
        {last && <span className="faint"> newest</span>}
      </th>
      <td className="number">{formatCount(global_step)}</td>
      <td className="number">{formatScore(fitness)}</td>
      <td className="number">{formatBytes(bytes)}</td>
      <td>{Number.isFinite(at) ? formatMoment(at) : NONE}</td>
      {can.edit && (
        <td>
          <input
            type="checkbox"
            className="checkpoints__pin"
            aria-label="Pin"
            checked={pinned}
            aria-describedby={label}
            onChange={() => void change(() => coordinator.pin(run, generation, !pinned))}
          />
        </td>
      )}
      <td className="checkpoints__actions">
        {onPlay !== null && action("Play", () => onPlay(playing ? null : checkpoint), { pressed: playing })}
        {action("Download", () => void download())}
        {can.zip_checkpoint &&
          action("Download zip", () => void downloadZip(), {
            title: "The whole checkpoint; unpack it and continue with rlkit train --resume",
          })}
        {can.fork && (
          <>
            {action("Fork", () => void fork("resume"), {
              title: "Starts a new run that continues with the whole population of this checkpoint",
            })}
            {action("Fork weights", () => void fork("weights"), { title: FORK_WEIGHTS })}
          </>
        )}
        {!last && can.edit && (
          <DeleteButton
            describedBy={label}
            onDelete={() => void change(() => coordinator.deleteCheckpoint(run, generation))}
          />
        )}
      </td>
    </tr>
  );
}
