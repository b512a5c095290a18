import { useId } from "react";
import type { RemotePlatform } from "../../../workers/pages.ts";
import { LinkNote } from "../../components/runState.tsx";
import { disconnectPlatform, useRemotePlatform } from "../../state/remotePlatform.ts";
import { MachinesPanel } from "./MachinesPanel.tsx";
import { RemoteRunsPanel } from "./RemoteRunsPanel.tsx";
import { useRemoteNews } from "./useRemoteNews.ts";

/** The connected platform: the key's owner, the platform's machines and its runs. */
export function ConnectedPlatform({ platform }: { readonly platform: RemotePlatform }) {
  const project = useRemotePlatform((state) => state.project);
  const news = useRemoteNews(project);
  const { address, user, projects } = platform;
  const label = useId();
  return (
    <>
      <LinkNote />
      <div className="remote__panels">
        <section className="panel" aria-label="Platform">
          <div className="panel__head">
            <h2>Platform</h2>
            <button type="button" className="button button--small" onClick={() => disconnectPlatform()}>
              Disconnect
            </button>
          </div>
          <dl className="panel__body remote__facts">
            <dt>Address</dt>
            <dd>{address}</dd>
            <dt>Key</dt>
            <dd>
              {user.name} ({user.scopes.join(", ")})
            </dd>
            <dt id={label}>Project</dt>
            <dd>
              {user.project ?? (
                <select
                  className="field"
                  aria-labelledby={label}
                  value={project}
                  onChange={(event) => useRemotePlatform.setState({ project: event.currentTarget.value })}
                >
                  {projects.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              )}
            </dd>
          </dl>
        </section>
        <MachinesPanel machines={news.machines} />
      </div>
      <RemoteRunsPanel runs={news.runs} readAt={news.readAt} problem={news.problem} />
    </>
  );
}
