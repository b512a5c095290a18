import { type FormEvent, useId, useRef } from "react";
import type { RemoteMachines, RemotePlatform } from "../../../workers/pages.ts";
import { Button } from "../../components/Button.tsx";
import { Select } from "../../components/controls.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { LinkNote } from "../../components/runState.tsx";
import { Table } from "../../components/Table.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { formatCount } from "../../lib/format.ts";
import { connectPlatform, disconnectPlatform, useRemotePlatform } from "../../state/remotePlatform.ts";
import { RemoteRunsPanel, useRemoteNews } from "./PlatformRuns.tsx";
import "./RemotePage.css";

/** The platform's workers, which train its runs. */
function MachinesPanel({ machines }: { readonly machines: RemoteMachines | null }) {
  return (
    <Panel title="Workers">
      {machines === null && <SkeletonView label="Loading workers…" rows={2} />}
      {machines?.workers.length === 0 && (
        <p className="empty">No active workers. Runs wait until one starts.</p>
      )}
      {machines !== null && machines.workers.length > 0 && (
        <Table
          label="Workers table"
          columns={[
            { head: "Machine", cell: ({ host }) => host },
            {
              head: "Resource",
              cell: ({ device }) => device,
              titleOf: ({ device }) =>
                machines.resources.find((one) => one.resource_id === device)?.description,
            },
            { head: "Threads", number: true, cell: ({ cores }) => formatCount(cores) },
            { head: "Version", cell: ({ version }) => version },
          ]}
          rows={machines.workers}
          keyOf={({ id }) => id}
        />
      )}
    </Panel>
  );
}

/** The connected platform: the key's owner, the platform's machines and its runs. */
export function ConnectedPlatform({ platform }: { readonly platform: RemotePlatform }) {
  const project = useRemotePlatform((state) => state.project);
  const news = useRemoteNews(project);
  const { address, user, projects } = platform;
  const label = useId();
  return (
    <>
      <LinkNote />
      <div className="panels remote__panels">
        <Panel
          title="Platform"
          head={
            <Button small onClick={() => disconnectPlatform()}>
              Disconnect
            </Button>
          }
        >
          <dl className="named remote__facts panel__body">
            <dt>Address</dt>
            <dd>{address}</dd>
            <dt>Key</dt>
            <dd>
              {user.name} ({user.scopes.join(", ")})
            </dd>
            <dt id={label}>Project</dt>
            <dd>
              {user.project ?? (
                <Select
                  aria-labelledby={label}
                  value={project}
                  options={projects}
                  onChange={(chosen) => useRemotePlatform.setState({ project: chosen })}
                />
              )}
            </dd>
          </dl>
        </Panel>
        <MachinesPanel machines={news.machines} />
      </div>
      <RemoteRunsPanel runs={news.runs} readAt={news.readAt} problem={news.problem} />
    </>
  );
}

/** A form for the platform's address and a key. The key goes only to the worker that uses it. */
function ConnectForm() {
  const { address, connecting, problem } = useRemotePlatform();
  const place = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  const hint = useId();
  const connect = (event: FormEvent): void => {
    event.preventDefault();
    if (connecting) return;
    void connectPlatform(place.current?.value.trim() ?? "", key.current?.value.trim() ?? "");
  };
  return (
    <Panel title="Connect">
      <form className="panel-form remote__connect" noValidate onSubmit={connect}>
        <label>
          Address
          <input
            ref={place}
            className="field"
            type="url"
            defaultValue={address}
            placeholder="https://platform.example"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <label>
          Key
          {/* Uncontrolled: React would write a value into the document. */}
          <input
            ref={key}
            className="field"
            type="password"
            placeholder="rk_…"
            autoComplete="off"
            aria-describedby={hint}
          />
        </label>
        <Button type="submit" primary aria-disabled={connecting}>
          {connecting ? "Connecting…" : "Connect"}
        </Button>
        {problem !== null && (
          <div className="callout callout--error" role="alert">
            <p>{problem}</p>
          </div>
        )}
        <p id={hint}>
          The key is kept only in memory, never in a file, link or export; you must enter it again after a
          reload. The platform must allow this page: start it with{" "}
          <code>--origin {window.location.origin}</code>.
        </p>
      </form>
    </Panel>
  );
}

/** A training platform on other machines: the connection, its workers and its runs. */
export function RemotePage() {
  const platform = useRemotePlatform((state) => state.platform);
  return (
    <div className="page">
      <PageHead title="Remote" text="Train on other machines through a training platform." />
      {platform === null ? <ConnectForm /> : <ConnectedPlatform platform={platform} />}
    </div>
  );
}
