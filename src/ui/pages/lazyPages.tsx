import type { ComponentType } from "react";
import { type Loadable, loadable } from "../lib/loadable.tsx";

/** A page whose code is loaded when the page is first opened. */
const page = <P extends object>(load: () => Promise<ComponentType<P>>): Loadable<P> =>
  loadable(load, <p className="page loading dim">Loading…</p>);

const loadRunPage = () => import("./run/RunPage.tsx");

export const ChatPage = page(async () => (await import("./chat/ChatPage.tsx")).ChatPage);
export const ComparePage = page(async () => (await import("./compare/ComparePage.tsx")).ComparePage);
export const DataPage = page(async () => (await import("./data/DataPage.tsx")).DataPage);
export const DatasetPage = page(async () => (await import("./data/DatasetPage.tsx")).DatasetPage);
export const EditorPage = page(async () => (await import("./editor/EditorPage.tsx")).EditorPage);
export const EnvironmentsPage = page(
  async () => (await import("./environments/EnvironmentsPage.tsx")).EnvironmentsPage,
);
export const PlayPage = page(async () => (await import("./play/PlayPage.tsx")).PlayPage);
export const RemotePage = page(async () => (await import("./remote/RemotePage.tsx")).RemotePage);
export const RunPage = page(async () => (await loadRunPage()).RunPage);
export const StoragePage = page(async () => (await import("./storage/StoragePage.tsx")).StoragePage);
export const SettingsPage = page(async () => (await import("./settings/SettingsPage.tsx")).SettingsPage);
export const HelpPage = page(async () => (await import("./help/HelpPage.tsx")).HelpPage);

/** Preloads the run page, for when starting a run is likely. */
export function preloadRunPage(): void {
  RunPage.preload();
  // A failure is ignored; showing the page loads it again and reports a failure.
  loadRunPage()
    .then(({ preloadParts }) => preloadParts())
    .catch(() => undefined);
}
