import type { RunBytes } from "../../../workers/protocol.ts";
import { Button, LinkButton } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { EmptyView } from "../../components/ViewState.tsx";
import { saveFile } from "../../lib/files.ts";
import { formatBytes } from "../../lib/format.ts";
import { editorRoute, formatRoute, runRoute } from "../../routes/route.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";

const KINDS = [
  ["checkpoints", "Checkpoints"],
  ["log", "Log"],
  ["elites", "Elites"],
  ["populations", "Populations"],
  ["manifest", "Manifest"],
] as const satisfies readonly (readonly [keyof RunBytes["bytes"], string])[];

const totalOf = ({ bytes }: RunBytes): number => KINDS.reduce((sum, [kind]) => sum + bytes[kind], 0);

/** Bytes of each run by kind, largest run first. */
export function RunBytesTable({ bytes }: { readonly bytes: readonly RunBytes[] }) {
  const workbench = useWorkbench();
  const runs = useWorkbenchState(({ list }) => list.runs);
  const leaving = useWorkbenchState((state) => state.leaving);
  const nameOf = (id: string): string => runs?.find((run) => run.id === id)?.name ?? id;
  const rows = bytes.filter(({ id }) => !leaving.has(id)).sort((a, b) => totalOf(b) - totalOf(a));
  const save = (id: string): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await workbench.coordinator.exportRun(id)), `export ${id}`);
  return (
    <Panel title="Runs" label="Storage by run">
      {rows.length === 0 ? (
        <EmptyView
          title="No runs yet"
          action={<LinkButton to={editorRoute()}>New run</LinkButton>}
          guide={["hosting.html#what-is-stored-where", "What is stored where"]}
        >
          What each run takes of this browser's storage, and a button that exports it.
        </EmptyView>
      ) : (
        <Table
          label="Storage table"
          region="storage__runs"
          columns={[
            { head: "Run", cell: ({ id }) => <a href={formatRoute(runRoute(id))}>{nameOf(id)}</a> },
            ...KINDS.map(
              ([kind, head]): Column<RunBytes> => ({
                head,
                number: true,
                cell: (run) => formatBytes(run.bytes[kind]),
              }),
            ),
            { head: "Total", number: true, cell: (run) => formatBytes(totalOf(run)) },
            {
              head: "Actions",
              hidden: true,
              classOf: () => "number",
              cell: ({ id }) => (
                <Button small aria-label={`Export ${nameOf(id)}`} onClick={() => void save(id)}>
                  Export
                </Button>
              ),
            },
          ]}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </Panel>
  );
}
