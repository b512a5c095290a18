import { Cpu, Pause, Play } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { Sparkline } from "../components/Sparkline.tsx";
import { formatCount } from "../lib/format.ts";
import { formatRoute, runRoute } from "../routes/route.ts";
import { liveRun } from "../state/runList.ts";
import { useWorkbench, useWorkbenchState } from "../state/Workbench.ts";

/** The live run, shown on every page: its progress, and a button that pauses or resumes it. */
export function LiveRun() {
  const workbench = useWorkbench();
  const run = useWorkbenchState(({ list, leaving }) => liveRun(list, leaving));
  if (run === null) return null;
  const { id, name, state, generation, sparkline, device } = run;
  const paused = state === "paused";
  const toggle = (): Promise<boolean> =>
    workbench.attempt(() => workbench.coordinator[paused ? "resume" : "pause"](id), `hold ${id}`);
  const act = `${paused ? "Resume" : "Pause"} ${name}`;
  return (
    <section className="live-run" aria-label="Live run">
      <a className="live-run__name" href={formatRoute(runRoute(id))} title={name}>
        <span className={`live-run__dot live-run__dot--${state}`} aria-hidden="true" />
        <span className="rail__text">{name}</span>
      </a>
      <Button quiet small icon aria-label={act} title={act} onClick={() => void toggle()}>
        {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
      </Button>
      <span className="live-run__generation rail__text">gen {formatCount(generation)}</span>
      <span className="live-run__sparkline rail__text">
        <Sparkline values={sparkline} />
      </span>
      {device !== null && (
        <span className="live-run__device rail__text">
          <Cpu aria-hidden="true" />
          {device}
        </span>
      )}
    </section>
  );
}
