/** The page's frame for sandboxes, and its workers for robots. */
import type { LentPorts } from "../browser.ts";
import type { SandboxPort } from "../SandboxPort.ts";

export interface LentSandbox {
  readonly ports: LentPorts;
  /** Ends the sandbox, whichever thread holds its ports. */
  readonly end: () => void;
}

let frame: Promise<HTMLIFrameElement> | null = null;

/**
 * Opens the frame that holds all sandboxes. It has an opaque origin, and so no storage; its
 * policy allows no connections.
 * @throws Error if its page could not be loaded: browsers then load an error page
 *   without reporting a failure.
 */
function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.hidden = true;
  element.title = "Sandbox of environments";
  element.src = new URL("sandbox.html", document.baseURI).href;
  return new Promise((resolve, reject) => {
    const loaded = (): void => {
      // The frame that the script of sandbox.html adds.
      if (element.contentWindow?.length === 1) return resolve(element);
      element.remove();
      reject(
        new Error(
          `the sandbox's page could not be loaded; user-written environments need ${element.src}, which is not available offline: check the connection to the site's server, and try again`,
        ),
      );
    };
    element.addEventListener("load", loaded, { once: true });
    document.body.append(element);
  });
}

/**
 * Starts a new sandbox. If its worker never answers, the user's time limit detects it.
 * @throws Error if the sandbox page cannot be loaded; the next call tries again.
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
    throw new Error("The sandbox frame was removed from the page; reload the page.");
  }
  const [calls, control, owner, page] = [
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
  ];
  const inside = [calls, control, owner, page].map(({ port1 }) => port1);
  // A frame with an opaque origin can only be addressed by "*".
  contentWindow.postMessage(null, "*", inside);
  return {
    ports: { calls: calls.port2, control: control.port2, owner: owner.port2 },
    end: () => page.port2.postMessage(null),
  };
}

/** Starts a worker that answers for a robot as a sandbox does for a module. */
export function openRobotWorker(): SandboxPort {
  const worker = new Worker(new URL("./robot.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit robot",
  });
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer] as Transferable[]),
    listen: (onMessage, onEnd) => {
      worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => onMessage(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        onEnd(event.message || "its worker could not start");
      });
    },
    end: () => worker.terminate(),
  };
}
