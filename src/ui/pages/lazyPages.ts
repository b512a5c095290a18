import { lazy } from "react";

const loadRunPage = () => import("./run/RunPage.tsx");

export const EditorPage = lazy(async () => ({
  default: (await import("./editor/EditorPage.tsx")).EditorPage,
}));
export const KernelsPage = lazy(async () => ({
  default: (await import("./kernels/KernelsPage.tsx")).KernelsPage,
}));
export const RunPage = lazy(async () => ({ default: (await loadRunPage()).RunPage }));

/** Loads the run's page ahead of its use, when a start is likely. */
export function preloadRunPage(): void {
  // A page that cannot be loaded is asked for again, and then complains, when it is shown.
  loadRunPage()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
