import { formatRoute, kernelsRoute, type Route, runRoute } from "../../routes/route.ts";

/** Links to the pages of a run. */
export function RunViews({ id, page }: { readonly id: string; readonly page: Route["page"] }) {
  return (
    <nav className="run__views" aria-label="Pages of this run">
      <a href={formatRoute(runRoute(id))} aria-current={page === "run" ? "page" : undefined}>
        Training
      </a>
      <a href={formatRoute(kernelsRoute(id))} aria-current={page === "kernels" ? "page" : undefined}>
        Kernels
      </a>
    </nav>
  );
}
