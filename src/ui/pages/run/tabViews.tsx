import type { ComponentType } from "react";
import type { RunAbilities } from "../../../workers/pages.ts";
import { type Loadable, loadable } from "../../lib/loadable.tsx";
import type { RunTab } from "../../routes/route.ts";
import type { RunView } from "../../state/RunView.ts";

/** Props of every view of a run; its route comes from {@link useRunRoute}. */
interface TabProps {
  readonly session: RunView;
}

interface TabEntry {
  readonly label: string;
  readonly Component: Loadable<TabProps>;
  /** Whether the link to the view is hidden for runs of language models. */
  readonly networksOnly?: boolean;
  /** The ability that a run must have to show the view. */
  readonly needs?: keyof RunAbilities;
}

const tab = (load: () => Promise<ComponentType<TabProps>>): Loadable<TabProps> =>
  loadable(load, <p className="loading">Loading…</p>);

const loadOverview = () => import("./overview/OverviewTab.tsx");

/** The views of a run, each loaded when it is first opened. */
export const TABS: Partial<Readonly<Record<RunTab, TabEntry>>> = {
  overview: {
    label: "Overview",
    Component: tab(async () => (await loadOverview()).OverviewTab),
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
  metrics: {
    label: "Metrics",
    Component: tab(async () => (await import("./metrics/MetricsTab.tsx")).MetricsTab),
  },
  network: {
    label: "Network",
    networksOnly: true,
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
export const canShow = ({ needs }: TabEntry, can: RunAbilities): boolean => needs === undefined || can[needs];

/** Preloads the view that a run shows first. */
export function preloadOverview(): void {
  TABS.overview?.Component.preload();
  // A failure is ignored; showing the view loads it again and reports a failure.
  loadOverview()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
