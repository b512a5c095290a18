import type { RemotePlatform } from "../../../workers/pages.ts";
import { LinkNote } from "../../components/runState.tsx";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { RemoteRunsPanel } from "./RemoteRunsPanel.tsx";
import { useRemoteNews } from "./useRemoteNews.ts";
import "./RemotePage.css";

/** The runs of the connected platform's chosen project, for the page of runs. */
export function PlatformRuns({ platform: { address } }: { readonly platform: RemotePlatform }) {
  const project = useRemotePlatform((state) => state.project);
  const { runs, readAt, problem } = useRemoteNews(project);
  return (
    <>
      <LinkNote />
      <RemoteRunsPanel
        title={`Project ${project} on ${address}`}
        runs={runs}
        readAt={readAt}
        problem={problem}
      />
    </>
  );
}
