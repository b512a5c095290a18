import { useMemo } from "react";
import type { Connection } from "../../client/Connection.ts";
import { Button, LinkButton } from "../../components/Button.tsx";
import { LazyCodeEditor } from "../../components/LazyCodeEditor.tsx";
import { Panel } from "../../components/Panel.tsx";
import { FailedView } from "../../components/ViewState.tsx";
import { messageOf } from "../../lib/format.ts";
import { readSharedEnvironment, type SharedEnvironmentText } from "../../ownEnvironment/environmentLink.ts";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute, environmentsRoute } from "../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Returns a name that no other environment has. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 58)}-${n}`;
    if (!taken.has(name)) return name;
  }
}

/** Saves a shared environment under a free name, and opens its manifest if it has one, or else its code. */
async function keepShared(
  coordinator: Connection["coordinator"],
  { name: wanted, source, manifest }: SharedEnvironmentText,
): Promise<void> {
  await readKeptEnvironments(coordinator);
  const { environments } = useKeptEnvironments.getState();
  const name = freeName(wanted, new Set(environments?.map((kept) => kept.name)));
  await coordinator.saveEnvironment(name, source);
  await readKeptEnvironments(coordinator);
  if (manifest === undefined) return navigate(environmentsRoute(name));
  const { openText } = await import("../editor/openInEditor.ts");
  const format = openText(manifest.replaceAll(`user/${wanted}`, `user/${name}`));
  navigate(editorRoute({ kind: "draft" }, format));
}

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
        action={<LinkButton to={environmentsRoute()}>Go to environments</LinkButton>}
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
        <Button
          primary
          onClick={() =>
            void workbench.attempt(() => keepShared(workbench.coordinator, shared), "environment")
          }
        >
          {shared.manifest === undefined ? "Save" : "Save and open the manifest"}
        </Button>
        <LinkButton to={environmentsRoute()}>Discard</LinkButton>
      </div>
      <Panel title={`user/${shared.name}`} label="Shared code" className="fill environments__code">
        <LazyCodeEditor label="Shared code" text={shared.source} />
      </Panel>
    </>
  );
}
