import { Pencil } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { DeviceInfo, RunFetch, RunSummary } from "../../../../workers/protocol.ts";
import { Button, IconButton, LinkButton } from "../../../components/Button.tsx";
import { PageHeading } from "../../../components/PageHeading.tsx";
import { FetchProgress, StateBadge, shownState } from "../../../components/runState.tsx";
import { playsGame } from "../../../games/isGame.ts";
import { runRoute } from "../../../routes/route.ts";
import type { RunViewState } from "../../../state/RunViewState.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { MoreMenu } from "./MoreMenu.tsx";
import { RunControls } from "./RunControls.tsx";

/** The run's training device; pressing it shows why it was chosen. */
function DeviceBadge({ device }: { readonly device: Pick<DeviceInfo, "label" | "reason"> }) {
  const [open, setOpen] = useState(false);
  const reason = useId();
  return (
    <>
      <button
        type="button"
        className="device-badge tiny soft"
        title={device.reason}
        aria-expanded={open}
        aria-controls={reason}
        onClick={() => setOpen(!open)}
      >
        {device.label}
      </button>
      <p id={reason} className="device-reason small" hidden={!open}>
        {device.reason}
      </p>
    </>
  );
}

/** The progress of the data set download that a run waits for. */
function RunFetchLine({ id, fetch }: { readonly id: string; readonly fetch: RunFetch }) {
  const workbench = useWorkbench();
  const label = useId();
  const { dataset, received, total } = fetch;
  return (
    <div className="row quiet run-head__fetch">
      <span id={label}>
        Downloading <strong>{dataset}</strong>
      </span>
      <FetchProgress labelledBy={label} received={received} total={total} />
      <Button
        small
        aria-describedby={label}
        title="Keeps the downloaded part; Resume continues from there"
        onClick={() => void workbench.attempt(() => workbench.coordinator.stop(id))}
      >
        Cancel
      </Button>
    </div>
  );
}

/** Maximum length of a name that can be entered. */
const MAX_LENGTH = 200;

/** The run's name, editable in place. */
function RunName({ id, name }: { readonly id: string; readonly name: string }) {
  const workbench = useWorkbench();
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const editing = draft !== null;
  useEffect(() => {
    if (editing) field.current?.select();
  }, [editing]);
  /** Returns the focus to the button that started the edit. */
  const close = (): void => {
    setDraft(null);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const next = draft?.trim() ?? "";
    close();
    if (next === "" || next === name) return;
    await workbench.attempt(async () => {
      await workbench.coordinator.rename(id, next);
      await workbench.refresh();
    });
  };
  return (
    <div className="run-name line gap-1 shrinks">
      <PageHeading title={name}>
        <span className={editing ? "visually-hidden" : "clip run-name__text block"} title={name}>
          {name}
        </span>
      </PageHeading>
      {editing ? (
        <form onSubmit={(event) => void save(event)}>
          <input
            ref={field}
            className="field"
            aria-label="Name of the run"
            maxLength={MAX_LENGTH}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            onBlur={(event) => void save(event)}
            onKeyDown={(event) => {
              if (event.key === "Escape") close();
            }}
          />
        </form>
      ) : (
        <IconButton ref={pencil} label="Rename" icon={Pencil} onClick={() => setDraft(name)} />
      )}
    </div>
  );
}

/** The run's name, state, device and actions, in one row that stays visible. */
export function RunHead({ view, summary }: { readonly view: RunViewState; readonly summary: RunSummary }) {
  const [said, say] = useState("");
  const { device: last } = summary;
  // For a run that is not training, only the name of its last device is known.
  const device =
    view.device ??
    (last === null ? null : { label: last, reason: "The device that the run last trained on." });
  return (
    <div className="row run-head rule-below">
      {summary.can.edit ? (
        <RunName id={summary.id} name={summary.name} />
      ) : (
        <PageHeading title={summary.name} />
      )}
      {summary.fetch === null ? (
        <StateBadge state={shownState(summary)} />
      ) : (
        <RunFetchLine id={summary.id} fetch={summary.fetch} />
      )}
      {device !== null && <DeviceBadge device={device} />}
      <span className="quiet" aria-live="polite">
        {said}
      </span>
      <div className="row run-head__actions push">
        {playsGame(view) && <LinkButton to={{ ...runRoute(summary.id), tab: "play" }}>Play it</LinkButton>}
        <RunControls summary={summary} manifest={view.manifest} options={view.options} />
        <MoreMenu summary={summary} manifest={view.manifest} say={say} />
      </div>
    </div>
  );
}
