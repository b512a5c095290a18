import { useCallback, useEffect, useMemo, useState } from "react";
import { builtInTemplate, type Template } from "../../../manifests/templates.ts";
import { LinkButton } from "../../components/Button.tsx";
import { DocumentationLink } from "../../components/DocumentationLink.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { loadable } from "../../lib/loadable.tsx";
import { readStored, writeStored } from "../../lib/stored.ts";
import { editorRoute, formatRoute, type RunsRoute } from "../../routes/route.ts";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
import { ImportManifestButton } from "../editor/ImportManifestButton.tsx";
import { preloadRunPage } from "../lazyPages.tsx";
import { StartButton, TemplateCard } from "../TemplateCard.tsx";
import "./RunsPage.css";

/** One template per kind of task, quick ones first. */
const SHOWN = [
  "dqn-cartpole",
  "ppo-pendulum",
  "ppo-lunarlander",
  "ppo-breakout",
  "ippo-tag",
  "grpo-next-digit",
] as const;

/** Milliseconds of a moving picture before the page's runs are compiled ahead: that takes seconds of a slow processor. */
const QUIET = 5000;

const ppoCheetah = builtInTemplate("ppo-halfcheetah");
const ppoCartPole = builtInTemplate("ppo-cartpole");

/**
 * The template with fewer lanes and members and as many steps per rollout and lane, so that two cores show the first
 * selection within seconds.
 */
const cheetahs: Template = {
  ...ppoCheetah,
  manifest: {
    ...ppoCheetah.manifest,
    algorithm: { ...ppoCheetah.manifest.algorithm, learn_step: 1024 },
    environment: { ...ppoCheetah.manifest.environment, num_envs: 8 },
    training: { ...ppoCheetah.manifest.training, pop_size: 10, evo_steps: 8192 },
  },
};

/** A quick template with a population large enough to watch evolution. */
const eight: Template = {
  ...ppoCartPole,
  manifest: { ...ppoCartPole.manifest, training: { ...ppoCartPole.manifest.training, pop_size: 8 } },
};

const loadTheatre = () => import("../../theatre/RecordedTheatre.tsx");

const RecordedTheatre = loadable(
  async () => (await loadTheatre()).RecordedTheatre,
  <div className="first-visit__stage" />,
);

/** Stored once runs were listed: until then, the theatre is loaded before the list says that there are none. */
const VISITED = "rlkit.visited";

function preloadTheatre(): void {
  RecordedTheatre.preload();
  // A failure is ignored; showing the theatre loads it again and reports a failure.
  loadTheatre()
    .then(({ preloadShow }) => preloadShow())
    .catch(() => undefined);
}

/** Shown before the first run: a recorded run at play with a button that starts the visitor's own, and a few templates. */
function FirstVisit() {
  const { coordinator } = useWorkbench();
  const [moving, setMoving] = useState(false);
  const showMoving = useCallback(() => setMoving(true), []);
  useEffect(() => {
    if (!moving) return undefined;
    // The picture came first.
    preloadRunPage();
    // Starting a run tells what is wrong.
    const expect = (manifest?: unknown): void => void coordinator.expectRun(manifest).catch(() => undefined);
    expect();
    const timer = setTimeout(() => {
      // The smaller one first, which compiles a part of the other.
      for (const { manifest } of [eight, cheetahs]) expect(manifest);
    }, QUIET);
    return () => clearTimeout(timer);
  }, [coordinator, moving]);
  return (
    <>
      <section className="card first-visit grid gap-3 panel__body" aria-label="First run">
        <div className="first-visit__head row">
          <p>
            Evolution teaches cheetahs to run: the slowest fall away, and mutated copies of the fastest take
            their places.
          </p>
          <StartButton primary template={cheetahs}>
            {cheetahs.title}
          </StartButton>
        </div>
        <RecordedTheatre onMoving={showMoving} />
      </section>
      <div className="row first-visit__others">
        <h2>Other tasks</h2>
        <StartButton template={eight}>Watch 8 agents learn</StartButton>
        <a href={formatRoute(editorRoute())}>All templates and the editor</a>
        <DocumentationLink page="">Documentation</DocumentationLink>
      </div>
      <section className="templates grid gap-4" aria-label="Templates">
        {SHOWN.map((id) => (
          <TemplateCard key={id} template={builtInTemplate(id)} />
        ))}
      </section>
    </>
  );
}

/** Notices about storage: a warning if runs are not stored, and what was repaired at startup. */
function StorageRemarks() {
  const storage = useWorkbenchState((state) => state.storage);
  return (
    <>
      {storage?.kind === "memory" && (
        <div className="callout callout--warning">
          <p>
            This browser provides no private file storage for this page, so runs are lost when the tab closes.
            Download what you want to keep, or leave private browsing.
          </p>
        </div>
      )}
      {storage !== null && storage.report.length > 0 && (
        <div className="callout">
          <p>{storage.report.join("\n")}</p>
        </div>
      )}
    </>
  );
}

const RunsPanel = loadable(
  async () => (await import("./RunsPanel.tsx")).RunsPanel,
  <SkeletonView label="Loading the list…" />,
);

const PlatformRuns = loadable(async () => (await import("../remote/PlatformRuns.tsx")).PlatformRuns);

/** The runs in this browser, or starting points before the first; below them those of the connected platform. */
export function RunsPage({ route }: { readonly route: RunsRoute }) {
  const workbench = useWorkbench();
  const { runs, problem } = useWorkbenchState((state) => state.list);
  const leaving = useWorkbenchState((state) => state.leaving);
  const platform = useRemotePlatform((state) => state.platform);
  const shown = useMemo(() => runs?.filter(({ id }) => !leaving.has(id)) ?? null, [runs, leaving]);
  const isFirst = shown?.length === 0;
  const isListed = shown !== null && !isFirst;
  useEffect(() => {
    if (isListed) writeStored(VISITED, "yes");
    else if (readStored(VISITED) === null) preloadTheatre();
  }, [isListed]);
  return (
    <div className="page page--wide runs">
      <PageHead title="Runs">
        <ImportManifestButton />
        <LinkButton primary={!isFirst} to={editorRoute()}>
          New run
        </LinkButton>
      </PageHead>
      <StorageRemarks />
      {problem !== null && (
        <FailedView title="The runs could not be read" onRetry={() => void workbench.refresh()}>
          {problem}
        </FailedView>
      )}
      {shown === null && problem === null && <SkeletonView label="Loading runs…" />}
      {isFirst && <FirstVisit />}
      {isListed && <RunsPanel runs={shown} route={route} />}
      {platform !== null && <PlatformRuns platform={platform} />}
    </div>
  );
}
