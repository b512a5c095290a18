/**
 * Script of sandbox.html, which the page loads in a frame with an opaque origin. It starts a worker for each
 * sandbox and ends it on request. The worker comes from a blob, so it inherits the frame's policy: it has no
 * access to files or the network.
 */

/**
 * The program of a sandbox's worker as a classic script, inserted by the build (scripts/lib/sandboxPage.mjs).
 */
declare const SANDBOX_WORKER: string;

/** The frame has loaded its script; from here on it loads nothing from the site, by any address. */
const tighter = document.createElement("meta");
tighter.httpEquiv = "Content-Security-Policy";
tighter.content = "script-src blob: 'wasm-unsafe-eval'";
document.head.append(tighter);

const address = URL.createObjectURL(new Blob([SANDBOX_WORKER], { type: "text/javascript" }));

/**
 * @param calls Carries calls and replies.
 * @param controls A message on any of them ends the sandbox; each reports why the
 *   sandbox ended. Several holders can
 * have one: a terminated thread cannot end its sandbox, but the code that terminated the thread can.
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
    end(event.message || "its worker could not start");
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

// An empty frame signals that this script listens. It is the only thing in a page with an opaque origin
// that the embedding page can see immediately. If this page could not be loaded, the browser shows an
// error page, which has no frames.
document.body.append(document.createElement("iframe"));
