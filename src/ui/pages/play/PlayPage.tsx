import { PageHeading } from "../../components/PageHeading.tsx";
import type { PlayRoute } from "../../routes/route.ts";
import { LinkedPlayer } from "./LinkedPlayer.tsx";
import "./LinkedPlayer.css";

/** Plays the agent in a link, starting immediately. */
export function PlayPage({ route: { agent } }: { readonly route: PlayRoute }) {
  return (
    <div className="page play-page">
      <PageHeading title="Agent playing" />
      {agent === null ? (
        <p role="alert">This link contains no agent. Ask for a new link.</p>
      ) : (
        <LinkedPlayer key={agent} text={agent} />
      )}
    </div>
  );
}
