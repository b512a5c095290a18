import type { RunBytes } from "../../../workers/protocol.ts";
import { EmptyView } from "../../components/ViewState.tsx";
import { formatBytes } from "../../lib/format.ts";
import { saveFile } from "../../lib/saveFile.ts";
import { editorRoute, formatRoute, runRoute } from "../../routes/route.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";

const KINDS = [
  ["checkpoints", "Checkpoints"],
  ["log", "Log"],
  ["fame", "Hall of fame"],
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
    <section className="panel" aria-label="Storage by run">
      <div className="panel__head">
        <h2>Runs</h2>
      </div>
      {rows.length === 0 ? (
        <EmptyView
          title="No runs yet"
          action={
            <a className="button" href={formatRoute(editorRoute())}>
              New run
            </a>
          }
        />
      ) : (
        // A scroll region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        <section className="table-scroll storage__runs" tabIndex={0} aria-label="Storage table">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Run</th>
                {KINDS.map(([kind, label]) => (
                  <th key={kind} scope="col" className="number">
                    {label}
                  </th>
                ))}
                <th scope="col" className="number">
                  Total
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <a href={formatRoute(runRoute(row.id))}>{nameOf(row.id)}</a>
                  </th>
                  {KINDS.map(([kind]) => (
                    <td key={kind} className="number">
                      {formatBytes(row.bytes[kind])}
                    </td>
                  ))}
                  <td className="number">{formatBytes(totalOf(row))}</td>
                  <td className="number">
                    <button
                      type="button"
                      className="button button--small"
                      aria-label={`Export ${nameOf(row.id)}`}
                      onClick={() => void save(row.id)}
                    >
                      Export
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
