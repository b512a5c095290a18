import { useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { loadable } from "../../../lib/loadable.tsx";
import { KeptEpisodes } from "./KeptEpisodes.tsx";
import { useKeptEpisodes } from "./keptEpisodes.ts";

/** Environments load only when one is played. */
const LazyDemonstrator = loadable(
  async () => (await import("./Demonstrator.tsx")).Demonstrator,
  <p className="loading dim">Loading…</p>,
);

/** Where a person shows a task: plays episodes, keeps the good ones, and saves them as a data set. */
export function ByHandPanel({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const kept = useKeptEpisodes(id);
  return (
    <Panel
      title="Show it yourself"
      head={
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Close" : "Begin"}
        </Button>
      }
    >
      <div className="panel__body stack by-hand">
        {isOpen ? (
          <LazyDemonstrator id={id} />
        ) : (
          <p className="soft">
            Play episodes by hand, keep the good ones, and save them as a data set. Agents then learn from
            what you did.
          </p>
        )}
        {(isOpen || kept.length > 0) && <KeptEpisodes id={id} episodes={kept} />}
      </div>
    </Panel>
  );
}
