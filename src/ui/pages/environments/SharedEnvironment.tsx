import { useMemo } from "react";
import { Button, LinkButton } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { FailedView } from "../../components/ViewState.tsx";
import { messageOf } from "../../lib/format.ts";
import { readSharedEnvironment, type SharedEnvironmentText } from "../../ownEnvironment/environmentLink.ts";
import { SourceEditor } from "../../ownEnvironment/SourceEditor.tsx";
import { environmentsRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { keepEnvironment } from "./keepEnvironment.ts";

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
        action={<LinkButton to={environmentsRoute}>Go to environments</LinkButton>}
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
            void workbench.attempt(() => keepEnvironment(workbench.coordinator, shared), "environment")
          }
        >
          {shared.manifest === undefined ? "Save" : "Save and open the manifest"}
        </Button>
        <LinkButton to={environmentsRoute}>Discard</LinkButton>
      </div>
      <Panel title={`user/${shared.name}`} label="Shared code" className="fill environments__code">
        <SourceEditor label="Shared code" source={shared.source} />
      </Panel>
    </>
  );
}
