import type { ComponentType } from "react";
import type { RunAbilities } from "../../../workers/runAbilities.ts";
import { type Loadable, loadable } from "../../lib/loadable.tsx";
import type { RunTab } from "../../routes/route.ts";
import type { RunSession } from "../../state/RunSession.ts";

/** What every view of a run is given; its address comes from {@link useRunRoute}. */
export interface TabProps {
  readonly session: RunSession;
}

interface TabEntry {
  readonly label: string;
  readonly Component: Loadable<TabProps>;
  /** Of no use to runs of language models: their networks are files of their own. */
  readonly networksOnly?: boolean;
  /** What must be possible with a run that has it. */
  readonly needs?: keyof RunAbilities;
}

const tab = (load: () => Promise<ComponentType<TabProps>>): Loadable<TabProps> =>
  loadable(load, <p className="loading">Loading …</p>);

const loadOverview = () => import("./overview/OverviewTab.tsx");

/** The views of a run that there are, loaded when they are opened first. */
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

/** Loads what a run shows first, ahead of its use. */
export function preloadOverview(): void {
  TABS.overview?.Component.preload();
  // A view that cannot be loaded is asked for again, and then complains, when it is shown.
  loadOverview()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
