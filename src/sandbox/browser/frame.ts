/**
 * Script of sandbox.html, which the page shows in a frame of no origin: it starts a worker for each sandbox and ends it
 * when told. A worker is from a blob, so the frame's policy is its own too: it reaches neither files nor network.
 */

/** The program of a sandbox's worker, as a classic script; the build puts it in (scripts/lib/sandboxPage.mjs). */
declare const SANDBOX_WORKER: string;

/** The frame has its script; from here on nothing is loaded from the site either, by whatever address. */
const tighter = document.createElement("meta");
tighter.httpEquiv = "Content-Security-Policy";
tighter.content = "script-src blob: 'wasm-unsafe-eval'";
document.head.append(tighter);

const address = URL.createObjectURL(new Blob([SANDBOX_WORKER], { type: "text/javascript" }));

/**
 * @param calls What the sandbox answers on.
 * @param control A message on it ends the sandbox; it says why one ended.
 * @param owner A message on it ends the sandbox too: of the page, which may have ended the thread that has the other.
 */
function start(calls: MessagePort, control: MessagePort, owner: MessagePort): void {
  const worker = new Worker(address, { name: "rlkit sandbox" });
  const end = (reason: string): void => {
    worker.terminate();
    control.postMessage(reason);
    control.close();
    owner.close();
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(event.message || "its worker could not be started");
  });
  for (const port of [control, owner]) {
    port.addEventListener("message", () => end("it was ended"));
    port.start();
  }
  worker.postMessage(null, [calls]);
}

window.addEventListener("message", ({ source, ports: [calls, control, owner] }: MessageEvent) => {
  if (source === window.parent && calls && control && owner) start(calls, control, owner);
});

// An empty frame says that this script listens: the one thing of a page without an origin that the page around it can see
// at once. Where this page could not be loaded, the browser's own stands in its place and has none.
document.body.append(document.createElement("iframe"));
