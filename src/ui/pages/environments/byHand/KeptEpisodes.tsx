import { type FormEvent, useId, useState } from "react";
import { isDatasetId, returnOf } from "../../../../datasets/view.ts";
import type { KeptDataset, RecordedEpisode } from "../../../../workers/pages.ts";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/controls.tsx";
import { formatCount, formatScore, formatThings } from "../../../lib/format.ts";
import { dataRoute, formatRoute } from "../../../routes/route.ts";
import { keepPlayed } from "../../../state/keptData.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { LearnButton } from "../../data/LearnButton.tsx";
import { dropEpisodes } from "./keptEpisodes.ts";

interface Props {
  /** Of the environment. */
  readonly id: string;
  readonly episodes: readonly RecordedEpisode[];
}

/** The first name that is offered, such as cartpole/by-hand-v0. */
const nameFor = (id: string): string => {
  const [short = id] = id
    .toLowerCase()
    .replace(/^.*\//, "")
    .split(/-v\d+$/);
  return `${short}/by-hand-v0`;
};

/** The kept episodes with their returns, and what to do with them. */
export function KeptEpisodes({ id, episodes }: Props) {
  const workbench = useWorkbench();
  const [name, setName] = useState(() => nameFor(id));
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState<KeptDataset | null>(null);
  const hint = useId();
  const steps = episodes.reduce((sum, { rewards }) => sum + rewards.length, 0);
  const mean = episodes.reduce((sum, episode) => sum + returnOf(episode), 0) / episodes.length;
  const canSave = episodes.length > 0 && isDatasetId(name) && !saving;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!canSave) return;
    setSaving(true);
    await workbench.attempt(async () => {
      const numbered = episodes.map((episode, at) => ({ ...episode, id: at }));
      setSaved(await keepPlayed({ name, environment: id, episodes: numbered }));
      dropEpisodes(id);
    }, `keep episodes of ${id}`);
    setSaving(false);
  };
  return (
    <section className="stack rule-above by-hand__kept" aria-label="Kept episodes">
      <output>
        {episodes.length === 0
          ? "No episodes kept yet."
          : `${formatThings(episodes.length, "episode")} kept, ${formatThings(steps, "step")}, mean return ${formatScore(mean)}.`}
      </output>
      {episodes.length > 0 && (
        <>
          <ol className="row by-hand__episodes small">
            {episodes.map((episode, at) => (
              <li key={episode.id} className="chip">
                <span>
                  {formatScore(returnOf(episode))}{" "}
                  <span className="quiet">in {formatCount(episode.rewards.length)}</span>
                </span>
                <Button
                  quiet
                  small
                  aria-label={`Throw episode ${at + 1} away`}
                  onClick={() => dropEpisodes(id, episode)}
                >
                  ×
                </Button>
              </li>
            ))}
          </ol>
          <form className="row" onSubmit={(event) => void save(event)}>
            <label className="beside">
              Name
              <TextField
                value={name}
                spellCheck={false}
                aria-invalid={!isDatasetId(name)}
                aria-describedby={hint}
                onChange={setName}
              />
            </label>
            <Button type="submit" primary aria-disabled={!canSave} aria-busy={saving}>
              Save as a data set
            </Button>
            <p id={hint} className="quiet small">
              The name must end with a version, such as -v0. The data set stays in this browser.
            </p>
          </form>
        </>
      )}
      {saved !== null && (
        <div className="row">
          <output>
            Saved as <a href={formatRoute(dataRoute(saved.sha256))}>{saved.name}</a>.
          </output>
          <LearnButton dataset={saved} primary />
        </div>
      )}
    </section>
  );
}
