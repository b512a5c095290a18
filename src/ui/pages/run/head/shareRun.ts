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
