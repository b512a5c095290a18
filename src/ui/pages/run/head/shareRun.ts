import { playsEpisodes } from "../../../../specs/sections.ts";
import { messageOf } from "../../../lib/format.ts";
import type { Workbench } from "../../../state/Workbench.ts";

/**
 * Copies a text to the clipboard and says so.
 * @throws Error with the text if the browser does not allow it
 */
export async function copyText({ toasts }: Workbench, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show({ tone: "info", message: `${what} copied.` });
  } catch (error) {
    throw new Error(`${what} could not be copied (${messageOf(error)}): ${text}`, { cause: error });
  }
}

/** Copies a link of this site. @param hash the part from "#" on, or a whole address */
export const copyLink = (workbench: Workbench, hash: string, what: string): Promise<void> =>
  copyText(workbench, new URL(hash, window.location.href).href, `Link to ${what}`);

/** The link that plays a run's best agent. @throws Error if its policy is too large for a link */
export async function eliteLink({ coordinator }: Workbench, run: string): Promise<string> {
  const { playLink } = await import("../../play/playLink.ts");
  return playLink(await coordinator.agent(run, { kind: "elite" }));
}

/** Copies the link that plays a run's best agent, or else the link to the shown view. */
export async function shareRun(workbench: Workbench, run: string, manifest: unknown): Promise<void> {
  // A policy may be too large for a link, and language models and bandits play no episodes.
  const link = playsEpisodes(manifest) ? await eliteLink(workbench, run).catch(() => null) : null;
  if (link === null) await copyLink(workbench, window.location.hash, "this view, for this browser,");
  else await copyLink(workbench, link, "the playing elite");
}
