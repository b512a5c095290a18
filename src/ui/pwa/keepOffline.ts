import type { Workbench } from "../state/Workbench.ts";

/** Milliseconds after the start in which the page has the network for itself. */
const PATIENCE = 3000;

/** Tells that a new version waits, and lets it take over when the person wants it. */
function offer(worker: ServiceWorker, workbench: Workbench): void {
  workbench.toasts.show({
    tone: "info",
    lasting: true,
    message:
      "A new version is here. Reloading ends what trains in this tab; it can be resumed from its last checkpoint.",
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
  // The first version has nobody to ask.
  const isUpdate = (): boolean => navigator.serviceWorker.controller !== null;
  if (registration.waiting !== null && isUpdate()) offer(registration.waiting, workbench);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && isUpdate()) offer(installing, workbench);
    });
  });
}

/** Keeps the site's files for use without a network, where the browser and its address allow. */
export function keepOffline(workbench: Workbench): void {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  // A site that cannot be kept works all the same.
  setTimeout(() => void register(workbench).catch(() => undefined), PATIENCE);
}
