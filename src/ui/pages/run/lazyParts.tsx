import { loadable } from "../../lib/loadable.tsx";

const loadWall = () => import("./wall/WallPanel.tsx");

/** The population at play. */
export const WallPanel = loadable(
  async () => (await loadWall()).WallPanel,
  <section className="panel" aria-label="Population playing" />,
);

/** Ratings in a game, and who beat whom. */
export const LeaguePanel = loadable(async () => (await import("./league/LeaguePanel.tsx")).LeaguePanel);

/** What language models learn from, iteration by iteration. */
export const TrainingPanel = loadable(
  async () => (await import("./fitness/TrainingPanel.tsx")).TrainingPanel,
);

/** What language models wrote for the same prompts at first and of late. */
export const BeforeAfterPanel = loadable(
  async () => (await import("./completions/BeforeAfterPanel.tsx")).BeforeAfterPanel,
);

/** Preloads the page's large parts. */
export function preloadParts(): void {
  WallPanel.preload();
  // A failure is ignored; showing the part loads it again and reports a failure.
  loadWall()
    .then(({ preloadNextStage }) => preloadNextStage())
    .catch(() => undefined);
}

/** The dialog that records a data set, loaded lazily because few users record one. */
export const LazyRecordDialog = loadable(
  async () => (await import("./agents/RecordDialog.tsx")).RecordDialog,
);

/** The dialog that shares a run's best agent, loaded when it is opened. */
export const LazyShareDialog = loadable(async () => (await import("./head/ShareDialog.tsx")).ShareDialog);

/** The dialog that makes films of a run, loaded when it is opened. */
export const LazyFilmDialog = loadable(async () => (await import("./film/FilmDialog.tsx")).FilmDialog);
