import { environmentsRoute, formatRoute } from "../../routes/route.ts";
import { useKeptEnvironments } from "../../state/kept.ts";
import { useDrafts } from "./drafts.ts";

/** Links to the stored environments and to a new one. */
export function EnvironmentNames({ shown }: { readonly shown: string | null }) {
  const kept = useKeptEnvironments((state) => state.environments) ?? [];
  const drafts = useDrafts((state) => state.drafts);
  const changed = (name: string): boolean => {
    const draft = drafts[name];
    return draft !== undefined && draft.text !== draft.original;
  };
  return (
    <nav aria-label="Saved environments">
      <ul className="environments__names">
        <li>
          <a
            className="button"
            href={formatRoute(environmentsRoute())}
            aria-current={shown === null ? "page" : undefined}
          >
            New
          </a>
        </li>
        {kept.map(({ name, id }) => (
          <li key={name}>
            <a
              className="button"
              href={formatRoute(environmentsRoute(name))}
              aria-current={shown === name ? "page" : undefined}
            >
              {id}
              {changed(name) && <span title="Unsaved changes">*</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
