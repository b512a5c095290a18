import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { connectCoordinator } from "./client/coordinatorClient.ts";
import { NoSimdPage } from "./components/NoSimdPage.tsx";
import { hasWasmSimd } from "./lib/capabilities.ts";
import { Workbench } from "./state/Workbench.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root.");

createRoot(root).render(
  <StrictMode>
    {hasWasmSimd() ? <App workbench={new Workbench(connectCoordinator())} /> : <NoSimdPage />}
  </StrictMode>,
);
