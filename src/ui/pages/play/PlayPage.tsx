import { PageHeading } from "../../components/PageHeading.tsx";
import type { PlayRoute } from "../../routes/route.ts";
import { LinkedPlayer } from "./LinkedPlayer.tsx";
import "./PlayPage.css";

/** An agent that came in a link, at play at once. */
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
