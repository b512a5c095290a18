/** The page's frame for sandboxes. */
import type { SandboxPorts } from "./SandboxPorts.ts";

let frame: Promise<HTMLIFrameElement> | null = null;

/** One frame for all sandboxes. It has no origin of its own, and so no storage; its policy lets it connect to nothing. */
function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.hidden = true;
  element.title = "Sandbox of environments";
  element.src = new URL("sandbox.html", document.baseURI).href;
  return new Promise((resolve) => {
    element.addEventListener("load", () => resolve(element), { once: true });
    document.body.append(element);
  });
}

/** Starts a sandbox of its own. One that cannot start gives no answer, which its user's time limit finds out. */
export async function openSandboxPorts(): Promise<SandboxPorts> {
  frame ??= openFrame();
  const { contentWindow } = await frame;
  if (contentWindow === null) {
    frame = null;
    throw new Error("The page's sandbox was taken out of the page; load the page again.");
  }
  const [calls, control] = [new MessageChannel(), new MessageChannel()];
  // A frame without an origin can be named by no other.
  contentWindow.postMessage(null, "*", [calls.port1, control.port1]);
  return { calls: calls.port2, control: control.port2 };
}
