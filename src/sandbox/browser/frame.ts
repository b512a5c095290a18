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
 * @param controls A message on one of them ends the sandbox; they say why one ended. Several may hold one: a thread that
 *   was ended can end no sandbox, and whoever ended it can.
 */
function start(calls: MessagePort, controls: readonly MessagePort[]): void {
  const worker = new Worker(address, { name: "rlkit sandbox" });
  const end = (reason: string): void => {
    worker.terminate();
    for (const control of controls) {
      control.postMessage(reason);
      control.close();
    }
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(event.message || "its worker could not be started");
  });
  for (const control of controls) {
    control.addEventListener("message", () => end("it was ended"));
    control.start();
  }
  worker.postMessage(null, [calls]);
}

window.addEventListener("message", ({ source, ports: [calls, ...controls] }: MessageEvent) => {
  if (source === window.parent && calls && controls.length > 0) start(calls, controls);
});

// An empty frame says that this script listens: the one thing of a page without an origin that the page around it can see
// at once. Where this page could not be loaded, the browser's own stands in its place and has none.
document.body.append(document.createElement("iframe"));
