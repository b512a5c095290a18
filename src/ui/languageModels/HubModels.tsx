import { type FormEvent, useId, useState } from "react";
import type { HubModelListing, FetchProgress as Progress } from "../../workers/pages.ts";
import { Button } from "../components/Button.tsx";
import { TextField } from "../components/controls.tsx";
import { Facts } from "../components/Facts.tsx";
import { Panel } from "../components/Panel.tsx";
import { FetchProgress } from "../components/runState.tsx";
import { formatBytes, formatCount, messageOf } from "../lib/format.ts";
import { readKeptModels } from "../state/kept.ts";
import { dataCalls } from "../state/keptData.ts";
import { useWorkbench } from "../state/Workbench.ts";
import "./languageModels.css";

/** What is being done about the model that the form names. */
type Step =
  | { readonly kind: "idle"; readonly problem: string | null }
  | { readonly kind: "listing" }
  | { readonly kind: "listed"; readonly listing: HubModelListing }
  | { readonly kind: "fetching"; readonly listing: HubModelListing; readonly progress: Progress };

const IDLE: Step = { kind: "idle", problem: null };

/**
 * Shows what a model of the Hugging Face hub has, and downloads it into this browser.
 * @param id What its form begins with.
 */
export function HubModels({ id: first = "" }: { readonly id?: string }) {
  const { coordinator } = useWorkbench();
  const [id, setId] = useState(first);
  // Neither the address nor the token is stored.
  const [hub, setHub] = useState("");
  const [token, setToken] = useState("");
  const [step, setStep] = useState<Step>(IDLE);
  const hint = useId();
  const wanted = id.trim();
  const access = { hub: hub.trim() || null, token: token.trim() || null };
  const failed = (error: unknown): void => setStep({ kind: "idle", problem: messageOf(error) });

  const list = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted === "" || step.kind === "listing" || step.kind === "fetching") return;
    setStep({ kind: "listing" });
    dataCalls
      .listHubModel(wanted, access)
      .then((listing) => setStep({ kind: "listed", listing }))
      .catch(failed);
  };
  const download = async (listing: HubModelListing): Promise<void> => {
    const show = (progress: Progress): void => setStep({ kind: "fetching", listing, progress });
    show({ received: 0, total: listing.bytes });
    try {
      await dataCalls.fetchHubModel(listing, access, show);
      setStep(IDLE);
    } catch (error) {
      failed(error);
    }
    await readKeptModels(coordinator);
  };

  return (
    <Panel title="Models of the Hugging Face hub">
      <form className="panel-form" onSubmit={list}>
        <label>
          Model ID
          <TextField
            value={id}
            placeholder="HuggingFaceTB/SmolLM2-135M-Instruct"
            spellCheck={false}
            aria-describedby={hint}
            onChange={setId}
          />
        </label>
        <label>
          Token
          <TextField
            type="password"
            value={token}
            placeholder="for private and gated models"
            autoComplete="off"
            onChange={setToken}
          />
        </label>
        <label>
          Hub address
          <TextField type="url" value={hub} placeholder="https://huggingface.co" onChange={setHub} />
        </label>
        <Button type="submit" primary aria-disabled={wanted === ""}>
          Show
        </Button>
        <p id={hint}>
          Shows size and licence first, and loads nothing. The token is sent to that hub only and not stored.
        </p>
      </form>
      {step.kind === "listing" && <p className="empty loading dim">Asking the hub…</p>}
      {step.kind === "idle" && step.problem !== null && (
        <p className="callout callout--warning model-card__note breaks" role="alert">
          {step.problem}
        </p>
      )}
      {(step.kind === "listed" || step.kind === "fetching") && (
        <HubModel
          listing={step.listing}
          progress={step.kind === "fetching" ? step.progress : null}
          onDownload={() => void download(step.listing)}
        />
      )}
    </Panel>
  );
}

interface HubModelProps {
  readonly listing: HubModelListing;
  /** Null before the download. */
  readonly progress: Progress | null;
  readonly onDownload: () => void;
}

function HubModel({ listing, progress, onDownload }: HubModelProps) {
  const { id, config, weights, bytes, files, licence, gated, revision } = listing;
  const name = useId();
  return (
    <div className="panel-form models__hub">
      <strong id={name}>{id}</strong>
      <Facts
        className="facts facts--grid"
        label="Model"
        rows={[
          ["Download", `${formatBytes(bytes)}, ${files.length} files`],
          ["Licence", `${licence ?? "not named"}${gated ? ", gated" : ""}`],
          ["Kind", config.family],
          ["Weights", formatCount(weights)],
          ["Base in memory", formatBytes(4 * weights)],
          ["Commit", revision.slice(0, 12)],
        ]}
      />
      {progress === null ? (
        <Button primary aria-describedby={name} onClick={onDownload}>
          Download
        </Button>
      ) : (
        <>
          <FetchProgress labelledBy={name} {...progress} />
          <Button small aria-describedby={name} onClick={() => void dataCalls.cancel(id)}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}
