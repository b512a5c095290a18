/** Notifications of the system, for runs that end or have a problem while the workbench is not looked at. */
import type { RunEvent } from "../../workers/protocol.ts";
import { readStored, writeStored } from "../lib/stored.ts";
import { formatRoute, runRoute } from "../routes/route.ts";

const KEY = "rlkit.notifications";

/** Whether this browser can show notifications of a page. */
export const canNotify = (): boolean => "Notification" in window;

/** Whether the user wants notifications and the browser allows them. */
export const notifies = (): boolean =>
  canNotify() && Notification.permission === "granted" && readStored(KEY) === "on";

/** Turns notifications on, for which the browser may ask the user, or off. @returns whether they are on. */
export async function setNotifies(on: boolean): Promise<boolean> {
  const allowed = on && canNotify() && (await Notification.requestPermission()) === "granted";
  writeStored(KEY, allowed ? "on" : null);
  return allowed;
}

/** What to tell of an event; null for nothing. */
export function noticeOf(event: RunEvent): string | null {
  if (event.kind === "notice") return event.notice.level === "error" ? event.notice.message : null;
  if (event.kind !== "state" || event.end === null) return null;
  if (event.state === "failed") return `Failed: ${event.failure ?? "the reason is not known"}`;
  if (event.state !== "finished") return null;
  return event.end.reason === "target" ? "Reached its target." : "Finished.";
}

/** Shows a notification of an event of a run, if there is something to tell and nobody looks at the page. */
export function notifyOf(event: RunEvent, name: string): void {
  const words = noticeOf(event);
  if (words === null || !document.hidden || !notifies()) return;
  const shown = new Notification(name, { body: words, tag: `rlkit ${event.run}` });
  shown.onclick = () => {
    window.focus();
    window.location.hash = formatRoute(runRoute(event.run));
  };
}
