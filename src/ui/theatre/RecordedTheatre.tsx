import { Pause, Play } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../components/Button.tsx";
import { formatCount } from "../lib/format.ts";
import { whenIdle } from "../lib/whenIdle.ts";
import { preloadStage } from "../stage/StageClient.ts";
import { wantsStillness } from "../stage/stageSettings.ts";
import { loadRecording, RECORDED_ENVIRONMENT } from "./loadRecording.ts";
import type { Act } from "./recordedActs.ts";
import { TheatreLegend } from "./TheatreLegend.tsx";
import { useRecordedShow } from "./useRecordedShow.ts";
import "./theatre.css";

/** What happened at the end of the generation before, and how far this one gets. */
function actText({ members, best, fell, mutated }: Act, isFirst: boolean): string {
  const champion = `Champion's score: ${formatCount(best)}.`;
  if (isFirst) return `${members} beginners. ${champion}`;
  return `${fell} fell away, ${mutated} copies mutated. ${champion}`;
}

/** Loads ahead of its use what the theatre plays, and where. */
export function preloadShow(): void {
  preloadStage(RECORDED_ENVIRONMENT);
  void loadRecording().catch(() => undefined);
}

interface Props {
  /** Called once, when the first agents move. */
  readonly onMoving: () => void;
}

/** A recorded run at play. It needs no runs, and nothing of the engine in this thread. */
export function RecordedTheatre({ onMoving }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [playing, setPlaying] = useState(() => !wantsStillness());
  const [{ acts, at, changing, moving, problem }, showAct] = useRecordedShow(host, playing);
  useEffect(() => (moving ? whenIdle(onMoving) : undefined), [moving, onMoving]);
  const slider = useId();
  const act = acts[at];
  return (
    <>
      <div
        className="theatre__stage canvases relative cropped"
        ref={host}
        data-moving={moving}
        data-act={at}
        data-changing={changing}
        data-members={act?.members ?? 0}
      />
      {problem !== null && <output className="bad theatre__problem">{problem}</output>}
      <div className="row theatre__foot">
        <Button small onClick={() => setPlaying(!playing)}>
          {playing ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
          {playing ? "Pause" : "Play"}
        </Button>
        <label htmlFor={slider} className="theatre__generation">
          Generation {act?.generation ?? 1}
        </label>
        <input
          id={slider}
          type="range"
          min={0}
          max={Math.max(0, acts.length - 1)}
          value={Math.max(0, at)}
          disabled={acts.length === 0}
          aria-valuetext={`Generation ${act?.generation ?? 1} of ${acts.length}`}
          onChange={({ target }) => showAct(Number(target.value))}
        />
        <p className="quiet theatre__caption">{act && actText(act, at === 0)}</p>
        <TheatreLegend />
      </div>
    </>
  );
}
