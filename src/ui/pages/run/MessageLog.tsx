import type { Notice } from "../../../workers/protocol.ts";

const timeOf = (moment: number): string => new Date(moment).toLocaleTimeString("en", { hour12: false });

/** What the run had to say, newest first; nothing when it had nothing. */
export function MessageLog({ notices }: { readonly notices: readonly Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <section className="panel" aria-label="Messages">
      <div className="panel__head">
        <h2>Messages</h2>
      </div>
      <ul className="messages">
        {notices.toReversed().map((notice, position) => (
          <li key={`${notice.at} ${notices.length - position}`} className={`messages__${notice.level}`}>
            <time dateTime={new Date(notice.at).toISOString()}>{timeOf(notice.at)}</time>
            <strong>{notice.level}</strong>
            <span>{notice.message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
