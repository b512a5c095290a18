import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { RunTab } from "../../routes/route.ts";
import type { RunSession } from "../../state/RunSession.ts";

/** What every view of a run is given; its address comes from {@link useRunRoute}. */
export type TabComponent = ComponentType<{ readonly session: RunSession }>;

interface TabEntry {
  readonly label: string;
  readonly Component: LazyExoticComponent<TabComponent>;
  /** Of no use to runs of language models: their networks are files of their own. */
  readonly networksOnly?: boolean;
}

const loadOverview = () => import("./overview/OverviewTab.tsx");

/** The views of a run that there are, loaded when they are opened first. */
export const TABS: Partial<Readonly<Record<RunTab, TabEntry>>> = {
  overview: {
    label: "Overview",
    Component: lazy(async () => ({ default: (await loadOverview()).OverviewTab })),
  },
  population: {
    label: "Population",
    Component: lazy(async () => ({
      default: (await import("./population/PopulationTab.tsx")).PopulationTab,
    })),
  },
  lineage: {
    label: "Lineage",
    Component: lazy(async () => ({ default: (await import("./lineage/LineageTab.tsx")).LineageTab })),
  },
  hyperparameters: {
    label: "Hyperparameters",
    Component: lazy(async () => ({
      default: (await import("./hyperparameters/HyperparametersTab.tsx")).HyperparametersTab,
    })),
  },
  metrics: {
    label: "Metrics",
    Component: lazy(async () => ({ default: (await import("./metrics/MetricsTab.tsx")).MetricsTab })),
  },
  network: {
    label: "Network",
    networksOnly: true,
    Component: lazy(async () => ({ default: (await import("./network/NetworkTab.tsx")).NetworkTab })),
  },
  checkpoints: {
    label: "Checkpoints",
    Component: lazy(async () => ({
      default: (await import("./checkpoints/CheckpointsTab.tsx")).CheckpointsTab,
    })),
  },
  log: {
    label: "Log",
    Component: lazy(async () => ({ default: (await import("./log/LogTab.tsx")).LogTab })),
  },
  config: {
    label: "Config",
    Component: lazy(async () => ({ default: (await import("./config/ConfigTab.tsx")).ConfigTab })),
  },
  kernels: {
    label: "Kernels",
    Component: lazy(async () => ({ default: (await import("./kernels/KernelsTab.tsx")).KernelsTab })),
  },
};

/** Loads what a run shows first, ahead of its use. */
export function preloadOverview(): void {
  // A view that cannot be loaded is asked for again, and then complains, when it is shown.
  loadOverview()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
