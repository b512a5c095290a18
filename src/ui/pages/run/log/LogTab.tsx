import { useState } from "react";
import { useStore } from "zustand";
import type { Notice } from "../../../../workers/protocol.ts";
import { Segments } from "../../../components/buttons.tsx";
import type { RunSession } from "../../../state/RunSession.ts";
import { willTrain } from "../waitingText.ts";
import { NoteField } from "./NoteField.tsx";
import { SteeringLog } from "./SteeringLog.tsx";
import "./LogTab.css";

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
export function LogTab({ session }: { readonly session: RunSession }) {
  const { notices, summary } = useStore(session.view);
  const [level, setLevel] = useState<Level>("all");
  const [words, setWords] = useState("");
  const shown = filteredNotices(notices, level, words);
  return (
    <>
      {summary?.can.edit && <NoteField key={summary.id} id={summary.id} note={summary.note} />}
      {summary?.can.steer && <SteeringLog session={session} />}
      <section className="panel" aria-label="Log">
        <div className="panel__head">
          <h2>Log</h2>
          <input
            type="search"
            className="field log__filter"
            aria-label="Filter the log"
            placeholder="Filter"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Segments label="Level" options={LEVELS} value={level} onChange={setLevel} />
        </div>
        {shown.length === 0 ? (
          <p className="empty">
            {notices.length > 0
              ? "No messages match the filter."
              : summary === null || willTrain(summary) || summary.state === "paused"
                ? "No messages yet."
                : "This run has no messages."}
          </p>
        ) : (
          <ul className="messages" aria-label="Messages">
            {shown.map((notice, position) => (
              <li key={`${notice.at} ${shown.length - position}`} className={`messages__${notice.level}`}>
                <time dateTime={new Date(notice.at).toISOString()}>{timeOf(notice.at)}</time>
                <strong>{notice.level}</strong>
                <span>{notice.message}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
