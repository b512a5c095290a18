import { type ReactNode, useCallback, useId, useState } from "react";
import { sharesSteps } from "../../manifests/sharedSteps.ts";
import { type Template, wholeTemplate } from "../../manifests/templates.ts";
import { trainsOnText } from "../../specs/sections.ts";
import { Button } from "../components/Button.tsx";
import { EnvironmentGlyph } from "../components/EnvironmentGlyph.tsx";
import { Facts } from "../components/Facts.tsx";
import { formatCount } from "../lib/format.ts";
import { navigate } from "../routes/navigation.ts";
import { editorRoute, formatRoute, runRoute } from "../routes/route.ts";
import { useWorkbench } from "../state/Workbench.ts";
import { preloadRunPage } from "./lazyPages.tsx";
import "./TemplateCard.css";

/**
 * Starts a run from a template and opens it; ignores calls while starting. `expect` loads ahead what that needs, for when
 * it is likely.
 */
export function useStartTemplate(template: Template): {
  starting: boolean;
  start: () => Promise<void>;
  expect: () => void;
} {
  const { id, title, manifest } = template;
  const workbench = useWorkbench();
  const [starting, setStarting] = useState(false);
  const expect = useCallback((): void => {
    preloadRunPage();
    // Starting it tells what is wrong with it.
    workbench.coordinator.expectRun(manifest).catch(() => undefined);
  }, [workbench, manifest]);
  const start = async (): Promise<void> => {
    if (starting) return;
    setStarting(true);
    preloadRunPage();
    const worked = await workbench.attempt(async () => {
      const run = await workbench.coordinator.start(wholeTemplate(template), { device: "auto", name: title });
      navigate(runRoute(run));
    }, `start ${id}`);
    if (!worked) setStarting(false);
  };
  return { starting, start, expect };
}

interface StartProps {
  readonly template: Template;
  /** Id of the element that names the template, for screen readers. */
  readonly describedBy?: string;
  readonly primary?: boolean;
  readonly children: ReactNode;
}

/** Starts a template. */
export function StartButton({ template, describedBy, primary, children }: StartProps) {
  const { starting, start, expect } = useStartTemplate(template);
  return (
    <Button
      primary={primary}
      aria-describedby={describedBy}
      aria-disabled={starting}
      aria-busy={starting}
      onPointerEnter={expect}
      onFocus={expect}
      onClick={() => void start()}
    >
      {children}
    </Button>
  );
}

/** A run template, which one click starts. */
export function TemplateCard({ template }: { readonly template: Template }) {
  const heading = useId();
  const { id, title, description, manifest } = template;
  const { training } = manifest;
  return (
    <article className="card template panel__body" aria-labelledby={heading}>
      <EnvironmentGlyph environment={manifest.environment.name} text={trainsOnText(manifest)} />
      <div className="template__text">
        <h2 id={heading}>{title}</h2>
        <p className="quiet">{description}</p>
      </div>
      <Facts
        className="facts template__facts whole-row rule-above"
        rows={[
          ["Members", training?.pop_size ?? 1],
          [
            sharesSteps(manifest.algorithm.name) ? "Total steps" : "Steps per member",
            formatCount(training?.max_steps ?? 0),
          ],
          ["Target", training?.target_score ?? "none"],
        ]}
      />
      <div className="template__actions whole-row">
        <StartButton template={template} describedBy={heading}>
          Start
        </StartButton>
        <a
          className="button button--quiet"
          aria-describedby={heading}
          href={formatRoute(editorRoute({ kind: "template", id }))}
        >
          Edit
        </a>
      </div>
    </article>
  );
}
