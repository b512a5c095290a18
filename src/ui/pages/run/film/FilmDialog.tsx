import { useEffect, useId, useRef, useState } from "react";
import type { FilmShape } from "../../../../stage/stageProtocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Select } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { fileName, saveFile } from "../../../lib/files.ts";
import { formatBytes, formatDuration, messageOf } from "../../../lib/format.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { filmChoices } from "./filmChoices.ts";
import { type FilmedRun, makeRunFilm } from "./makeRunFilm.ts";

interface Props extends FilmedRun {
  readonly onClose: () => void;
}

type Making =
  | { readonly state: "idle" }
  /** `done`: 0 to 1; null while the agents are read. */
  | { readonly state: "making"; readonly done: number | null }
  | { readonly state: "made" | "failed"; readonly text: string };

const NO_CANVAS =
  "This browser cannot draw in workers, so it cannot make films; use a current version of Chrome, Edge, Firefox or Safari.";

/** What each kind of file shows. */
const ABOUT = {
  mp4: "Up to 30 s: all members of up to twelve generations at play, the selections between them, and the champion.",
  gif: "Up to 30 s, smaller and with fewer pictures a second than a video. It plays wherever pictures are shown.",
  poster: "One large picture of the champion at play, the run's family tree and its figures.",
} as const;

/** Sizes of videos; GIFs have two thirds of them. */
const SHAPES: readonly (readonly [FilmShape, string])[] = [
  ["wide", "Wide, 960 × 540"],
  ["square", "Square, 1080 × 1080"],
  ["tall", "Tall, 1080 × 1920"],
];

const readChoices = () => filmChoices();

/** Makes a film or a poster of a run, and saves it. Closing the dialog cancels. */
export function FilmDialog({ onClose, ...run }: Props) {
  const { value: choices } = useAnswer(readChoices);
  const [kind, setKind] = useState<string | null>(null);
  const [shape, setShape] = useState<FilmShape>("wide");
  const [making, setMaking] = useState<Making>({ state: "idle" });
  const place = useRef<HTMLDivElement>(null);
  const ending = useRef(new AbortController());
  const label = useId();
  useEffect(() => {
    const own = new AbortController();
    ending.current = own;
    return () => own.abort(new Error("The dialog was closed."));
  }, []);
  const choice = choices?.find((one) => one.kind === kind) ?? choices?.[0];
  const busy = making.state === "making";
  const make = async (): Promise<void> => {
    const { signal } = ending.current;
    if (choice === undefined || busy || place.current === null) return;
    setMaking({ state: "making", done: null });
    const start = performance.now();
    try {
      const tell = (done: number): void => setMaking({ state: "making", done });
      const bytes = await makeRunFilm(run, choice, shape, place.current, tell, signal);
      const name = `${fileName(run.summary.name, "film")}.${choice.ending}`;
      saveFile({ name, type: choice.type, bytes });
      const seconds = (performance.now() - start) / 1000;
      setMaking({
        state: "made",
        text: `Saved ${name}, ${formatBytes(bytes.length)}, made in ${formatDuration(seconds)}.`,
      });
    } catch (error) {
      if (!signal.aborted) setMaking({ state: "failed", text: messageOf(error) });
    }
  };
  return (
    <FormDialog
      title="Film this run"
      onSubmit={() => void make()}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={busy || choice === undefined} aria-busy={busy}>
          {busy ? "Making…" : "Make and save"}
        </Button>
      }
    >
      <div ref={place} className="stack">
        {choices?.length === 0 && <p role="alert">{NO_CANVAS}</p>}
        {choice !== undefined && (
          <>
            <label>
              File
              <Select
                value={choice.kind}
                disabled={busy}
                options={(choices ?? []).map((one) => [one.kind, one.label] as const)}
                onChange={setKind}
              />
            </label>
            {choice.format !== null && (
              <label>
                Shape
                <Select
                  value={shape}
                  disabled={busy}
                  options={SHAPES}
                  onChange={(next) => setShape(SHAPES.find(([one]) => one === next)?.[0] ?? "wide")}
                />
              </label>
            )}
            <p>{ABOUT[choice.kind]}</p>
          </>
        )}
        {making.state === "making" && (
          <p className="row">
            <span id={label}>{making.done === null ? "Reading the agents…" : "Drawing and encoding…"}</span>
            <progress aria-labelledby={label} {...(making.done === null ? {} : { value: making.done })} />
          </p>
        )}
        {making.state === "made" && <output>{making.text}</output>}
        {making.state === "failed" && <p role="alert">{making.text}</p>}
      </div>
    </FormDialog>
  );
}
