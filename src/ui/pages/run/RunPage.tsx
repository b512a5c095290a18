import { type ComponentType, useEffect, useRef, useState } from "react";
import { trainsOnText } from "../../../specs/sections.ts";
import type { RunAbilities } from "../../../workers/pages.ts";
import { ErrorBoundary } from "../../components/ErrorBoundary.tsx";
import { FitnessWordContext, fitnessWord } from "../../games/fitnessWord.tsx";
import { isGame } from "../../games/isGame.ts";
import { readsRows } from "../../languageModels/modelChoices.ts";
import { formatScore } from "../../lib/format.ts";
import { type Loadable, loadable } from "../../lib/loadable.tsx";
import { formatRoute, RUN_TABS, type RunRoute, type RunTab } from "../../routes/route.ts";
import { highlightMember } from "../../state/highlight.ts";
import type { RunView } from "../../state/RunView.ts";
import type { RunViewState } from "../../state/RunViewState.ts";
import { GenerationScrubber } from "./GenerationScrubber.tsx";
import { RunShell } from "./RunShell.tsx";
import { RunRouteContext } from "./shownGeneration.tsx";

/** Props of every view of a run; its route comes from {@link useRunRoute}. */
interface TabProps {
  readonly session: RunView;
}

interface TabEntry {
  readonly label: string;
  readonly Component: Loadable<TabProps>;
  /** Whether a run has the view, by its manifest. Defaults to all. */
  readonly isOf?: (manifest: unknown) => boolean;
  /** The ability that a run must have to show the view. */
  readonly needs?: keyof RunAbilities;
}

const tab = (load: () => Promise<ComponentType<TabProps>>): Loadable<TabProps> =>
  loadable(load, <p className="loading dim">Loading…</p>);

const loadOverview = () => import("./overview/OverviewTab.tsx");

/** The views of a run, each loaded when it is first opened. */
const TABS: Partial<Readonly<Record<RunTab, TabEntry>>> = {
  overview: {
    label: "Overview",
    Component: tab(async () => (await loadOverview()).OverviewTab),
  },
  play: {
    label: "Play",
    isOf: isGame,
    Component: tab(async () => (await import("./play/PlayTab.tsx")).PlayTab),
  },
  completions: {
    label: "Completions",
    isOf: trainsOnText,
    needs: "texts",
    Component: tab(async () => (await import("./completions/CompletionsTab.tsx")).CompletionsTab),
  },
  chat: {
    label: "Chat",
    isOf: trainsOnText,
    needs: "texts",
    Component: tab(async () => (await import("./chat/ChatTab.tsx")).ChatTab),
  },
  data: {
    label: "Data",
    isOf: readsRows,
    needs: "texts",
    Component: tab(async () => (await import("./data/DataTab.tsx")).DataTab),
  },
  population: {
    label: "Population",
    Component: tab(async () => (await import("./population/PopulationTab.tsx")).PopulationTab),
  },
  lineage: {
    label: "Lineage",
    Component: tab(async () => (await import("./lineage/LineageTab.tsx")).LineageTab),
  },
  hyperparameters: {
    label: "Hyperparameters",
    Component: tab(async () => (await import("./hyperparameters/HyperparametersTab.tsx")).HyperparametersTab),
  },
  insight: {
    label: "Insight",
    Component: tab(async () => (await import("./insight/InsightTab.tsx")).InsightTab),
  },
  metrics: {
    label: "Metrics",
    Component: tab(async () => (await import("./metrics/MetricsTab.tsx")).MetricsTab),
  },
  network: {
    label: "Network",
    isOf: (manifest) => !trainsOnText(manifest),
    Component: tab(async () => (await import("./network/NetworkTab.tsx")).NetworkTab),
  },
  checkpoints: {
    label: "Checkpoints",
    Component: tab(async () => (await import("./checkpoints/CheckpointsTab.tsx")).CheckpointsTab),
  },
  log: {
    label: "Log",
    Component: tab(async () => (await import("./log/LogTab.tsx")).LogTab),
  },
  config: {
    label: "Config",
    Component: tab(async () => (await import("./config/ConfigTab.tsx")).ConfigTab),
  },
  kernels: {
    label: "Kernels",
    needs: "kernels",
    Component: tab(async () => (await import("./kernels/KernelsTab.tsx")).KernelsTab),
  },
};

/** Whether a run has a view. */
const canShow = ({ needs, isOf }: TabEntry, can: RunAbilities, manifest: unknown): boolean =>
  (needs === undefined || can[needs]) && isOf?.(manifest) !== false;

/** Preloads the view that a run shows first. */
function preloadOverview(): void {
  TABS.overview?.Component.preload();
  // A failure is ignored; showing the view loads it again and reports a failure.
  loadOverview()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}

/** Milliseconds between two announcements to screen readers. */
const INTERVAL = 10_000;

/** Announces the run's progress to screen readers, at a rate that is comfortable to listen to. */
function GenerationAnnouncer({ view }: { readonly view: RunViewState }) {
  const { latest } = view;
  const best = Math.max(...(latest?.fitnesses.filter(Number.isFinite) ?? []));
  // Not every generation of language models is evaluated.
  const found = best === Number.NEGATIVE_INFINITY ? "" : ` best ${fitnessWord(view)} ${formatScore(best)},`;
  const text =
    latest === null ? "" : `Generation ${latest.generation},${found} status: ${view.summary?.state}`;
  const [said, say] = useState("");
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        say(text);
      },
      Math.max(0, last.current + INTERVAL - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}

interface RunTabsProps {
  readonly route: RunRoute;
  readonly manifest: unknown;
  /** The operations that the run supports. */
  readonly can: RunAbilities;
}

/** Links to the views of a run. The rest of the route, such as the generation, stays the same. */
function RunTabs({ route, manifest, can }: RunTabsProps) {
  return (
    <nav className="run-tabs" aria-label="Views of this run">
      {RUN_TABS.map((tab) => {
        const entry = TABS[tab];
        return (
          entry !== undefined &&
          canShow(entry, can, manifest) && (
            <a
              key={tab}
              href={formatRoute({ ...route, tab })}
              aria-current={route.tab === tab ? "page" : undefined}
            >
              {entry.label}
            </a>
          )
        );
      })}
    </nav>
  );
}

export { preloadOverview as preloadParts };

interface TabViewProps {
  readonly tab: RunRoute["tab"];
  readonly manifest: unknown;
  /** The operations that the run supports. */
  readonly can: RunAbilities;
  readonly session: RunView;
}

/** The view of a tab, or the overview if the run does not have that view. */
function TabView({ tab, manifest, can, session }: TabViewProps) {
  const wanted = TABS[tab];
  const entry = wanted !== undefined && canShow(wanted, can, manifest) ? wanted : TABS.overview;
  return entry && <entry.Component session={session} />;
}

/** One run, live: shows the view and the generation that the route names. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  // No leave event fires when the element under the pointer is removed.
  useEffect(() => () => highlightMember(null), [route.tab]);
  return (
    <RunRouteContext value={route}>
      <RunShell route={route}>
        {({ session, view, summary: { can, generation, state } }) => (
          <FitnessWordContext value={fitnessWord(view)}>
            <GenerationScrubber
              route={route}
              columns={session.columns}
              generation={generation}
              training={state === "running"}
            />
            <RunTabs route={route} manifest={view.manifest} can={can} />
            <ErrorBoundary place={route.tab}>
              <TabView tab={route.tab} manifest={view.manifest} can={can} session={session} />
            </ErrorBoundary>
            <GenerationAnnouncer view={view} />
          </FitnessWordContext>
        )}
      </RunShell>
    </RunRouteContext>
  );
}
