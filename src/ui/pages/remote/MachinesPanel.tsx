import type { RemoteMachines } from "../../../workers/pages.ts";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { formatCount } from "../../lib/format.ts";

/** The platform's workers, which train its runs. */
export function MachinesPanel({ machines }: { readonly machines: RemoteMachines | null }) {
  return (
    <section className="panel" aria-label="Workers">
      <div className="panel__head">
        <h2>Workers</h2>
      </div>
      {machines === null && <SkeletonView label="Loading workers…" rows={2} />}
      {machines?.workers.length === 0 && (
        <p className="empty">No active workers. Runs wait until one starts.</p>
      )}
      {machines !== null && machines.workers.length > 0 && (
        <ScrollRegion label="Workers table">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Machine</th>
                <th scope="col">Resource</th>
                <th scope="col" className="number">
                  Threads
                </th>
                <th scope="col">Version</th>
              </tr>
            </thead>
            <tbody>
              {machines.workers.map(({ id, host, cores, device, version }) => (
                <tr key={id}>
                  <th scope="row">{host}</th>
                  <td title={machines.resources.find((one) => one.resource_id === device)?.description}>
                    {device}
                  </td>
                  <td className="number">{formatCount(cores)}</td>
                  <td>{version}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
