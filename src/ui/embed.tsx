/** The page that shows only the agent in its link: `embed.html#agent=...`. Other sites may frame it. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/primitives.css";
import { StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { NoSimdPage } from "./components/MessagePage.tsx";
import { hasWasmSimd } from "./lib/capabilities.ts";
import { LinkedPlayer } from "./pages/play/PlayPage.tsx";
import { parseRoute } from "./routes/route.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("embed.html has no element with the id root.");

function followHash(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

function Embedded() {
  const hash = useSyncExternalStore(followHash, () => window.location.hash);
  const route = parseRoute(hash);
  // Older links have the agent alone in their hash.
  const text = route.page === "play" ? route.agent : new URLSearchParams(hash.slice(1)).get("agent");
  return (
    <main className="embed">
      <h1 className="visually-hidden">Agent playing</h1>
      {text === null ? (
        <p role="alert">This link contains no agent. Ask for a new link.</p>
      ) : (
        <LinkedPlayer key={text} text={text} framed />
      )}
    </main>
  );
}

createRoot(root).render(<StrictMode>{hasWasmSimd() ? <Embedded /> : <NoSimdPage />}</StrictMode>);
