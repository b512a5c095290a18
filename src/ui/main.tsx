import { type ReactElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { connectCoordinator, withRemoteRuns } from "./client/Connection.ts";
import { FramedPage, NoSimdPage } from "./components/MessagePage.tsx";
import { hasWasmSimd } from "./lib/capabilities.ts";
import { remoteRuns } from "./state/remotePlatform.ts";
import { Workbench } from "./state/Workbench.ts";
import { loadTypeface } from "./styles/typeface.ts";

/** Milliseconds after the page load in which the service worker does not compete for the network and the processor. */
const PATIENCE = 10_000;

/** Announces that a new version is waiting, and activates it when the user agrees. */
function offer(worker: ServiceWorker, workbench: Workbench): void {
  workbench.toasts.show({
    tone: "info",
    lasting: true,
    message:
      "A new version is available. Reloading stops any run training in this tab; you can resume it from its last checkpoint.",
    action: {
      label: "Reload",
      perform: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload(), {
          once: true,
        });
        worker.postMessage("take over");
      },
    },
  });
}

async function register(workbench: Workbench): Promise<void> {
  const registration = await navigator.serviceWorker.register("./service-worker.js");
  // The first installed version is not an update.
  const isUpdate = (): boolean => navigator.serviceWorker.controller !== null;
  if (registration.waiting !== null && isUpdate()) offer(registration.waiting, workbench);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && isUpdate()) offer(installing, workbench);
    });
  });
  // What the user starts comes before the files that are being kept.
  for (const action of ["pointerdown", "keydown"])
    window.addEventListener(action, () => registration.installing?.postMessage("yield"));
}

/** Caches the site's files for offline use, if the browser and the origin allow it. */
function keepOffline(workbench: Workbench): void {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  // The site also works without its service worker.
  setTimeout(() => void register(workbench).catch(() => undefined), PATIENCE);
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root.");

function firstPage(): ReactElement {
  if (window.top !== window.self) return <FramedPage />;
  if (!hasWasmSimd()) return <NoSimdPage />;
  const workbench = new Workbench(withRemoteRuns(connectCoordinator(), remoteRuns));
  if (import.meta.env.PROD) keepOffline(workbench);
  return <App workbench={workbench} />;
}

createRoot(root).render(<StrictMode>{firstPage()}</StrictMode>);
loadTypeface();
