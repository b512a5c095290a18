import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Segments } from "../../components/controls.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { messageOf } from "../../lib/format.ts";
import { loadable } from "../../lib/loadable.tsx";
import { whenIdle } from "../../lib/whenIdle.ts";
import { navigate, replaceRoute } from "../../routes/navigation.ts";
import { type EditorRoute, type EditorSource, type ManifestFormat, runRoute } from "../../routes/route.ts";
import { readKeptEnvironments } from "../../state/kept.ts";
import { tellRepeats } from "../../state/tellRepeats.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { preloadRunPage } from "../lazyPages.tsx";
import { ExportManifestButton, RemoteStart, ShareButton } from "./EditorActions.tsx";
import { addIssues, changeFormat, editText, type Remark, recheckText, useEditor } from "./editorStore.ts";
import { ManifestForm } from "./form/ManifestForm.tsx";
import { NewRunGallery } from "./gallery/NewRunGallery.tsx";
import { ImportManifestButton } from "./ImportManifestButton.tsx";
import { FIRST_CHOICES, RunOptions } from "./RunOptions.tsx";
import { StartEstimate } from "./StartEstimate.tsx";
import { openSource, sourceOf, writeDraft } from "./sources.ts";
import { defaultRunName, repeatsOf, startRun } from "./startRun.ts";
import type { TextEditorHandle } from "./text/ManifestTextEditor.tsx";
import { useModelCard } from "./useModelCard.ts";
import "./EditorPage.css";

/** The errors and warnings in the text, each with its line. */
function ProblemList({ onGo }: { readonly onGo: (line: number) => void }) {
  const remarks = useEditor((state) => state.remarks);
  if (remarks.length === 0)
    return (
      <p className="problems problems--none small rigid sunken rule-below scrolls">
        No problems. Ready to train.
      </p>
    );
  return (
    <ul className="problems small rigid sunken rule-below scrolls" aria-label="Problems">
      {remarks.map((remark: Remark) => (
        <li key={`${remark.path} ${remark.line} ${remark.message}`} className={`problems__${remark.level}`}>
          <button type="button" onClick={() => onGo(remark.line)}>
            Line {remark.line}
          </button>
          <span>
            {remark.path !== "" && <code>{remark.path}</code>} {remark.message}
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Milliseconds without a change before the text is checked, so that typing does not trigger a check per
 * keystroke.
 */
const PAUSE_MS = 250;

/** Lets the coordinator check a text against its environment, which only the coordinator knows. */
function useRunCheck(): void {
  const { coordinator } = useWorkbench();
  const text = useEditor((state) => state.text);
  const readable = useEditor((state) => state.brokenLine === null);
  useEffect(() => {
    if (!readable) return undefined;
    const timer = setTimeout(() => {
      // A lost coordinator is reported elsewhere, and Start reports the same issues.
      coordinator.check(text).then(
        (issues) => addIssues(text, issues),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [coordinator, text, readable]);
}

const ManifestTextEditor = loadable(
  async () => (await import("./text/ManifestTextEditor.tsx")).ManifestTextEditor,
  <p className="loading editor__loading dim">Loading the text editor…</p>,
);

/** Both are loaded only for manifests that train language models. */
const LanguagePanel = loadable(async () => (await import("./LanguagePanel.tsx")).LanguagePanel);
const RowsPanel = loadable(async () => (await import("../../languageModels/RowsPanel.tsx")).RowsPanel);

/** Key of the error message of a failed start. */
const START = "start";

const SweepDialog = loadable(async () => (await import("./SweepDialog.tsx")).SweepDialog);

const FORMATS: Readonly<Record<ManifestFormat, string>> = { yaml: "YAML", json: "JSON" };

/** Loads the text for the route's source. Returns true once loading has ended, also after a failure. */
function useSource(source: EditorSource, format: ManifestFormat): boolean {
  const workbench = useWorkbench();
  const [ready, setReady] = useState<string | null>(null);
  const wanted = sourceOf(source);
  useEffect(() => {
    let shown = true;
    const open = async (): Promise<void> => {
      try {
        await readKeptEnvironments(workbench.coordinator);
        await openSource(source, format, workbench.coordinator);
        recheckText();
      } catch (error) {
        workbench.alert(messageOf(error));
      }
      if (shown) setReady(wanted);
    };
    void open();
    return () => {
      shown = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- a change of format is handled by useFormat.
  }, [workbench, wanted]);
  return ready === wanted;
}

/**
 * Applies the route's text format; if the text cannot be converted, resets the route to the current format.
 */
function useFormat(route: EditorRoute, ready: boolean): void {
  const workbench = useWorkbench();
  useEffect(() => {
    if (!ready) return;
    try {
      changeFormat(route.format);
    } catch (error) {
      workbench.alert(messageOf(error));
      replaceRoute({ ...route, format: useEditor.getState().format });
    }
  }, [workbench, route, ready]);
}

/** The page for new runs: the gallery of starting points, or the editor if the route names one. */
export function EditorPage({ route }: { readonly route: EditorRoute }) {
  const { source } = route;
  return source === null ? <NewRunGallery /> : <ManifestEditor route={route} source={source} />;
}

interface EditorProps {
  readonly route: EditorRoute;
  readonly source: EditorSource;
}

/** A manifest as a form and as text, side by side; both edit the same document. */
function ManifestEditor({ route, source }: EditorProps) {
  const workbench = useWorkbench();
  const ready = useSource(source, route.format);
  useFormat(route, ready);
  useRunCheck();
  useEffect(() => useEditor.subscribe(writeDraft), []);
  useEffect(() => (ready ? whenIdle(preloadRunPage) : undefined), [ready]);
  const [choices, setChoices] = useState(FIRST_CHOICES);
  const name = useEditor(({ shown }) => defaultRunName(shown.values));
  const changed = useEditor(({ text, original }) => text !== original);
  const [starting, setStarting] = useState(false);
  const model = useModelCard();
  const [showsData, setShowsData] = useState(false);
  const [sweeping, setSweeping] = useState(false);
  const text = useRef<TextEditorHandle>(null);

  const start = async (): Promise<void> => {
    if (starting) return;
    setStarting(true);
    await workbench.attempt(async () => {
      const repeats = repeatsOf(choices);
      const id = await startRun(workbench.coordinator, choices);
      navigate(runRoute(id));
      if (repeats > 1) tellRepeats(workbench, await workbench.coordinator.repeat(id, repeats));
    }, START);
    setStarting(false);
  };

  const valid = useEditor((state) => state.valid);
  useEffect(() => {
    if (valid) workbench.toasts.resolve(START);
  }, [workbench, valid]);

  if (!ready) return <p className="page loading dim">Opening the manifest…</p>;
  return (
    <div className="page editor">
      <PageHead title="New run" text="Edit every field of the manifest, as a form or as text.">
        <RunOptions choices={choices} defaultName={name} onChange={setChoices} />
        <ShareButton />
        <ExportManifestButton name={name} manifest={() => useEditor.getState().text} />
        <ImportManifestButton />
      </PageHead>
      {showsData && model.text !== "" && <RowsPanel manifest={model.text} />}
      <div className="columns editor__columns">
        <ManifestForm />
        <div className="editor__side fill gap-4 shrinks">
          {model.text !== "" && (
            <LanguagePanel {...model} showsData={showsData} onData={() => setShowsData(!showsData)} />
          )}
          <Panel
            title="Manifest"
            className="fill editor__text"
            head={
              <>
                {changed && (
                  <Button quiet small onClick={() => editText(useEditor.getState().original)}>
                    Discard changes
                  </Button>
                )}
                <Segments
                  label="Text format"
                  options={FORMATS}
                  value={route.format}
                  onChange={(format) => replaceRoute({ ...route, format })}
                />
              </>
            }
          >
            <ProblemList onGo={(line) => text.current?.goToLine(line)} />
            <ManifestTextEditor handle={text} />
          </Panel>
        </div>
      </div>
      <div className="start-bar rule-above line">
        <Button primary aria-disabled={starting} onClick={() => void start()}>
          Start
        </Button>
        <Button aria-haspopup="dialog" onClick={() => setSweeping(true)}>
          Sweep…
        </Button>
        {sweeping && <SweepDialog choices={choices} onClose={() => setSweeping(false)} />}
        <RemoteStart choices={choices} />
        <StartEstimate card={model.card} />
      </div>
    </div>
  );
}
