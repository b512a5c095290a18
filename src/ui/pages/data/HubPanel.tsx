import { type FormEvent, useId, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { TextField } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { FetchProgress, fetchedBytes } from "../../components/runState.tsx";
import { cancelFetch, type Fetching, fetchDataset, forgetFetch, useKeptData } from "../../state/keptData.ts";

/** Downloads a data set from the hub by id, and shows the downloads in progress. */
export function HubPanel() {
  const fetches = useKeptData((state) => state.fetches);
  const [id, setId] = useState("");
  const [hub, setHub] = useState("");
  const hint = useId();
  const wanted = id.trim();
  const fetch = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted !== "") void fetchDataset(wanted, hub.trim() || null);
  };
  return (
    <Panel title="From the hub">
      <form className="panel-form data__hub" onSubmit={fetch}>
        <label>
          Data set ID
          <TextField
            value={id}
            placeholder="cartpole/random-v0"
            spellCheck={false}
            aria-describedby={hint}
            onChange={setId}
          />
        </label>
        <label>
          Hub address
          <TextField type="url" value={hub} placeholder="https://huggingface.co" onChange={setHub} />
        </label>
        <Button type="submit" primary aria-disabled={wanted === ""}>
          Download
        </Button>
        <p id={hint}>
          Downloads a data set from the Minari hub, an external server, and stores it in this browser.
        </p>
      </form>
      {fetches.length > 0 && (
        <ul className="data__fetches">
          {fetches.map((one) => (
            <FetchRow key={one.id} fetching={one} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function FetchRow({ fetching }: { readonly fetching: Fetching }) {
  const { id, hub, received, total, problem, cancelled } = fetching;
  const name = useId();
  return (
    <li>
      <strong id={name}>{id}</strong>
      {problem === null ? (
        <>
          <FetchProgress labelledBy={name} received={received} total={total} />
          <Button small aria-describedby={name} onClick={() => void cancelFetch(id)}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          <span
            className={cancelled ? "data__problem breaks" : "data__problem bad breaks"}
            role={cancelled ? "status" : "alert"}
          >
            {cancelled
              ? `Cancelled after ${fetchedBytes(fetching)}. Downloading again resumes from there.`
              : problem}
          </span>
          <Button small aria-describedby={name} onClick={() => void fetchDataset(id, hub)}>
            Download again
          </Button>
          <Button quiet small aria-describedby={name} onClick={() => forgetFetch(id)}>
            Dismiss
          </Button>
        </>
      )}
    </li>
  );
}
