import { useMemo } from "react";
import { FailedView } from "../../../components/ViewState.tsx";
import { messageOf } from "../../../lib/format.ts";
import {
  readSharedEnvironment,
  type SharedEnvironmentText,
} from "../../../ownEnvironment/environmentLink.ts";
import { environmentsRoute, formatRoute } from "../../../routes/route.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { LazyCodeEditor } from "../text/LazyCodeEditor.tsx";
import { keepShared } from "./keepShared.ts";

type Read = { readonly shared: SharedEnvironmentText } | { readonly problem: string };

function readLink(letters: string): Read {
  try {
    return { shared: readSharedEnvironment(letters) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Shows the code in a link, which is neither stored nor run until the user agrees. */
export function SharedEnvironment({ letters }: { readonly letters: string }) {
  const workbench = useWorkbench();
  const read = useMemo(() => readLink(letters), [letters]);
  if ("problem" in read)
    return (
      <FailedView
        title="This link contains no environment"
        action={
          <a className="button" href={formatRoute(environmentsRoute())}>
            Go to environments
          </a>
        }
      >
        {read.problem}
      </FailedView>
    );
  const { shared } = read;
  return (
    <>
      <div className="callout callout--warning">
        <p>
          Someone shared this code with you. It has not been run. Read it first: the sandbox blocks access to
          your files and the network, but the code can still use time and memory.
        </p>
        <button
          type="button"
          className="button button--primary"
          onClick={() =>
            void workbench.attempt(() => keepShared(workbench.coordinator, shared), "environment")
          }
        >
          {shared.manifest === undefined ? "Save" : "Save and open the manifest"}
        </button>
        <a className="button" href={formatRoute(environmentsRoute())}>
          Discard
        </a>
      </div>
      <section className="panel environments__code" aria-label="Shared code">
        <div className="panel__head">
          <h2>user/{shared.name}</h2>
        </div>
        <LazyCodeEditor label="Shared code" text={shared.source} />
      </section>
    </>
  );
}
