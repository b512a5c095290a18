import { type ReactElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { connectCoordinator, withRemoteRuns } from "./client/Connection.ts";
import { FramedPage, NoSimdPage } from "./components/MessagePage.tsx";
import { hasWasmSimd } from "./lib/capabilities.ts";
import { keepOffline } from "./pwa/keepOffline.ts";
import { remoteRuns } from "./state/remotePlatform.ts";
import { Workbench } from "./state/Workbench.ts";

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
