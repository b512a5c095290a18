import { useState } from "react";
import { useStore } from "zustand";
import type { Notice } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { SearchField, Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { HOLDS, willTrain } from "../runTexts.ts";
import { steeringWords, useSteering } from "../steering/steering.ts";

/** Maximum length of a note. */
const MAX_LENGTH = 4000;

/** The user's note on a run, stored with the run. */
function NoteField({ id, note }: { readonly id: string; readonly note: string }) {
  const workbench = useWorkbench();
  const [draft, setDraft] = useState(note);
  const [saved, setSaved] = useState(note);
  const save = async (): Promise<void> => {
    const done = await workbench.attempt(() => workbench.coordinator.setNote(id, draft));
    if (done) setSaved(draft);
  };
  const same = draft === saved;
  return (
    <Panel
      title="Note"
      className="note"
      head={
        <Button small aria-disabled={same} onClick={() => void save()}>
          {same && draft !== "" ? "Saved" : "Save"}
        </Button>
      }
    >
      <textarea
        className="field note__field block"
        aria-label="Note on this run"
        placeholder="Purpose and results of this run"
        rows={3}
        maxLength={MAX_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
    </Panel>
  );
}

/** The user's steering actions on the run, newest first. Renders nothing if there are none. */
function SteeringLog({ session }: { readonly session: RunView }) {
  const { actions, problem } = useSteering(session);
  if (actions.length === 0 && problem === null) return null;
  return (
    <Panel title="Steering">
      {problem !== null && (
        <p className="empty" role="alert">
          {problem}
        </p>
      )}
      <ul className="messages small">
        {actions.toReversed().map((one, position) => (
          <li key={actions.length - position}>
            <span>gen {formatCount(one.generation)}</span>
            <strong>steered</strong>
            <span>{steeringWords(one.action)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const LEVELS = { all: "All", info: "Info", warning: "Warnings", error: "Errors" } as const;
type Level = keyof typeof LEVELS;

const timeOf = (moment: number): string => new Date(moment).toLocaleTimeString("en", { hour12: false });

/** Messages of a level that contain the search text, newest first. */
export function filteredNotices(notices: readonly Notice[], level: Level, words: string): Notice[] {
  const wanted = words.trim().toLowerCase();
  return notices
    .filter((notice) => level === "all" || notice.level === level)
    .filter(({ message }) => message.toLowerCase().includes(wanted))
    .toReversed();
}

/** The run's log, the user's steering actions, and the user's note. */
export function LogTab({ session }: { readonly session: RunView }) {
  const { notices, summary } = useStore(session.view);
  const [level, setLevel] = useState<Level>("all");
  const [words, setWords] = useState("");
  const shown = filteredNotices(notices, level, words);
  return (
    <>
      {summary?.can.edit && <NoteField key={summary.id} id={summary.id} note={summary.note} />}
      {summary?.can.steer && <SteeringLog session={session} />}
      <Panel
        title="Log"
        head={
          <>
            <SearchField
              label="Filter the log"
              placeholder="Filter"
              width="min(16rem, 100%)"
              value={words}
              onChange={setWords}
            />
            <Segments label="Level" options={LEVELS} value={level} onChange={setLevel} />
          </>
        }
      >
        {shown.length === 0 ? (
          <p className="empty">
            {notices.length > 0
              ? "No messages match the filter."
              : summary === null || willTrain(summary) || summary.state === "paused"
                ? `No messages yet. ${HOLDS.log}`
                : "This run has no messages."}
          </p>
        ) : (
          <ul className="messages small" aria-label="Messages">
            {shown.map((notice, position) => (
              <li key={`${notice.at} ${shown.length - position}`} className={`messages__${notice.level}`}>
                <time className="dim" dateTime={new Date(notice.at).toISOString()}>
                  {timeOf(notice.at)}
                </time>
                <strong>{notice.level}</strong>
                <span>{notice.message}</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}
