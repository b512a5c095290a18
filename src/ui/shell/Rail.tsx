import { Cpu, Pause, Play } from "lucide-react";
import { useEffect } from "react";
import { IconButton } from "../components/Button.tsx";
import { Sparkline } from "../components/Sparkline.tsx";
import { formatBytes, formatCount } from "../lib/format.ts";
import { useNow } from "../lib/updateClock.ts";
import { formatRoute, type Route, runRoute } from "../routes/route.ts";
import { liveRun } from "../state/runList.ts";
import { useWorkbench, useWorkbenchState } from "../state/Workbench.ts";
import { linkOf, railLinks } from "./railLinks.ts";
import "./Rail.css";

/** The live run, shown on every page: its progress, and a button that pauses or resumes it. */
function LiveRun() {
  const workbench = useWorkbench();
  const run = useWorkbenchState(({ list, leaving }) => liveRun(list, leaving));
  if (run === null) return null;
  const { id, name, state, generation, sparkline, device } = run;
  const paused = state === "paused";
  const toggle = (): Promise<boolean> =>
    workbench.attempt(() => workbench.coordinator[paused ? "resume" : "pause"](id), `hold ${id}`);
  const act = `${paused ? "Resume" : "Pause"} ${name}`;
  return (
    <section className="live-run soft rule-above" aria-label="Live run">
      <a className="live-run__name line gap-2 small medium" href={formatRoute(runRoute(id))} title={name}>
        <span className={`dot live-run__dot live-run__dot--${state}`} aria-hidden="true" />
        <span className="clip rail__text">{name}</span>
      </a>
      <IconButton label={act} icon={paused ? Play : Pause} onClick={() => void toggle()} />
      <span className="live-run__generation rail__text">gen {formatCount(generation)}</span>
      <span className="live-run__sparkline rail__text">
        <Sparkline values={sparkline} />
      </span>
      {device !== null && (
        <span className="live-run__device rail__text dim whole-row">
          <Cpu aria-hidden="true" />
          {device}
        </span>
      )}
    </section>
  );
}

/** The logo of the workbench: a lineage whose elite line continues. */
function Logo() {
  return (
    <svg className="logo rigid" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 12C9 12 9 5 14 5M4 12c5 0 5 7 10 7" className="logo__branch" />
      <path d="M4 12h8c4 0 4-3 8-3" className="logo__elite" />
      <circle cx="4" cy="12" r="2.4" />
      <circle cx="20" cy="9" r="2.4" className="logo__elite-node" />
    </svg>
  );
}

/** How much of the browser's storage quota is used; links to the Storage page. */
function StorageMeter() {
  const workbench = useWorkbench();
  const now = useNow();
  // Data sets, models and other tabs use space too, without events.
  useEffect(() => void workbench.readStorage(), [workbench, now]);
  const storage = useWorkbenchState((state) => state.storage);
  if (storage === null) return null;
  const { kind, used, quota } = storage;
  if (kind === "memory") {
    return (
      <a className="storage-meter grid gap-1 dim" href="#/storage">
        <span className="rail__text">Memory only, not saved</span>
      </a>
    );
  }
  if (used === null || quota === null || quota === 0) return null;
  return (
    <a
      className="storage-meter grid gap-1 dim"
      href="#/storage"
      aria-label={`Storage: ${formatBytes(used)} of ${formatBytes(quota)}`}
      title={`${formatBytes(used)} of ${formatBytes(quota)} used`}
    >
      <span className="share storage-meter__bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * used) / quota)}%` }} />
      </span>
      <span className="rail__text">
        {formatBytes(used)} of {formatBytes(quota)}
      </span>
    </a>
  );
}

/**
 * Navigation links, and below them the live run and the storage meter. Shows only icons in narrow windows.
 */
export function Rail({ route: shown }: { readonly route: Route }) {
  const here = linkOf(shown);
  return (
    <header className="rail fill gap-4">
      <a className="rail__name line gap-2" href="#/" aria-label="rlkit">
        <Logo />
        <span className="rail__text">rlkit</span>
      </a>
      <nav aria-label="Pages" className="rail__nav">
        {railLinks.map(({ label, icon: Icon, route }) => (
          <a
            key={label}
            className="rail__link hovers line gap-3 soft relative medium"
            href={formatRoute(route)}
            aria-current={label === here ? "page" : undefined}
          >
            <Icon aria-hidden="true" />
            <span className="rail__label">{label}</span>
          </a>
        ))}
      </nav>
      <div className="rail__foot grid gap-3 tiny">
        <LiveRun />
        <StorageMeter />
      </div>
    </header>
  );
}
