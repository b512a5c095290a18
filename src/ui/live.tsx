/**
 * The page that trains the runs of its link and stores nothing: `live.html#/live?spec=...`. Pages of the same site frame it
 * and with that start the runs; anywhere else it waits for a click.
 */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/primitives.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { LiveSession } from "./live/LiveSession.ts";
import { isFramedByOwnSite, readLiveLink } from "./live/liveLink.ts";
import { missingForTraining } from "./live/missingForTraining.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("live.html has no element with the id root.");

const { runs, theme } = readLiveLink(window.location.hash);
if (theme !== null) document.documentElement.dataset.theme = theme;
const missing = missingForTraining();
const sessions = missing === null ? runs.map((run) => new LiveSession(run)) : [];
// The engine starts before the page's own code is loaded.
if (isFramedByOwnSite()) for (const session of sessions) void session.start();
const { LivePage } = await import("./live/LivePage.tsx");

createRoot(root).render(
  <StrictMode>
    <LivePage sessions={sessions} missing={missing} />
  </StrictMode>,
);
