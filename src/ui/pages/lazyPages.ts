import { lazy } from "react";

const loadRunPage = () => import("./run/RunPage.tsx");

export const ComparePage = lazy(async () => ({
  default: (await import("./compare/ComparePage.tsx")).ComparePage,
}));
export const DataPage = lazy(async () => ({ default: (await import("./data/DataPage.tsx")).DataPage }));
export const DatasetPage = lazy(async () => ({
  default: (await import("./data/DatasetPage.tsx")).DatasetPage,
}));
export const EditorPage = lazy(async () => ({
  default: (await import("./editor/EditorPage.tsx")).EditorPage,
}));
export const EnvironmentsPage = lazy(async () => ({
  default: (await import("./environments/EnvironmentsPage.tsx")).EnvironmentsPage,
}));
export const PlayPage = lazy(async () => ({ default: (await import("./play/PlayPage.tsx")).PlayPage }));
export const RunPage = lazy(async () => ({ default: (await loadRunPage()).RunPage }));
export const StoragePage = lazy(async () => ({
  default: (await import("./storage/StoragePage.tsx")).StoragePage,
}));
export const SettingsPage = lazy(async () => ({
  default: (await import("./settings/SettingsPage.tsx")).SettingsPage,
}));
export const HelpPage = lazy(async () => ({ default: (await import("./help/HelpPage.tsx")).HelpPage }));

/** Loads the run's page ahead of its use, when a start is likely. */
export function preloadRunPage(): void {
  // A page that cannot be loaded is asked for again, and then complains, when it is shown.
  loadRunPage()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
