import { PageHeading } from "../../components/PageHeading.tsx";
import type { PlayRoute } from "../../routes/route.ts";
import { LinkedPlayer } from "./LinkedPlayer.tsx";
import "./PlayPage.css";

/** Plays the agent in a link, starting immediately. */
export function PlayPage({ route: { agent } }: { readonly route: PlayRoute }) {
  return (
    <div className="page play-page">
      <PageHeading title="An agent at play" />
      {agent === null ? (
        <p role="alert">This link holds no agent. Ask for the link again.</p>
      ) : (
        <LinkedPlayer text={agent} />
      )}
    </div>
  );
}
