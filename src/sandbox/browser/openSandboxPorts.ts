/** The page's frame for sandboxes. */
import type { LentPorts } from "./SandboxPorts.ts";

export interface LentSandbox {
  readonly ports: LentPorts;
  /** Ends it, whoever has its ports. */
  readonly end: () => void;
}

let frame: Promise<HTMLIFrameElement> | null = null;

/**
 * One frame for all sandboxes. It has no origin of its own, and so no storage; its policy lets it connect to nothing.
 * @throws Error where its page could not be loaded: browsers load an error's page then, and say nothing of it.
 */
function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.hidden = true;
  element.title = "Sandbox of environments";
  element.src = new URL("sandbox.html", document.baseURI).href;
  return new Promise((resolve, reject) => {
    const loaded = (): void => {
      // The frame that the page's script puts into it.
      if (element.contentWindow?.length === 1) return resolve(element);
      element.remove();
      reject(
        new Error(
          `the sandbox's page could not be loaded; environments of one's own need ${element.src}, which no browser keeps for use offline: see that the site's server can be reached, and try again`,
        ),
      );
    };
    element.addEventListener("load", loaded, { once: true });
    document.body.append(element);
  });
}

/**
 * Starts a sandbox of its own. One whose worker gives no answer is found out by its user's time limit.
 * @throws Error where the page of the sandboxes cannot be loaded; the next call tries again.
 */
export async function openSandboxPorts(): Promise<LentSandbox> {
  frame ??= openFrame();
  const opening = frame;
  const { contentWindow } = await opening.catch((error: unknown) => {
    if (frame === opening) frame = null;
    throw error;
  });
  if (contentWindow === null) {
    frame = null;
    throw new Error("The page's sandbox was taken out of the page; load the page again.");
  }
  const [calls, control, owner, page] = [
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
  ];
  const inside = [calls, control, owner, page].map(({ port1 }) => port1);
  // A frame without an origin can be named by no other.
  contentWindow.postMessage(null, "*", inside);
  return {
    ports: { calls: calls.port2, control: control.port2, owner: owner.port2 },
    end: () => page.port2.postMessage(null),
  };
}
