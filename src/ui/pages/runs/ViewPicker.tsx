import { Bookmark, X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../components/Button.tsx";
import { parseStored, readStored, writeStored } from "../../lib/stored.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import { formatRoute, parseRoute, type RunsRoute, runsRoute } from "../../routes/route.ts";
import { NameForm, PopoverButton } from "./PopoverForm.tsx";

/** A saved view of the list: a name and the URL hash of its query. */
interface SavedView {
  readonly name: string;
  readonly query: string;
}

const KEY = "rlkit.views";
const LIMIT = 50;

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, query }: Partial<Record<keyof SavedView, unknown>> = value;
  return typeof name === "string" && name !== "" && typeof query === "string";
}

/** The views stored in this browser, in the order in which they were saved. */
const readViews = (): readonly SavedView[] =>
  parseStored(
    readStored(KEY),
    (stored) => (Array.isArray(stored) ? stored.filter(isView).slice(0, LIMIT) : []),
    [],
  );

const write = (views: readonly SavedView[]): void => writeStored(KEY, JSON.stringify(views));

/** Saves the current view of the list under a name, replacing an earlier view of that name. */
function saveView(name: string, route: RunsRoute): readonly SavedView[] {
  const query = formatRoute({ ...route, view: null });
  const views = [...readViews().filter((view) => view.name !== name), { name, query }].slice(-LIMIT);
  write(views);
  return views;
}

function deleteView(name: string): readonly SavedView[] {
  const views = readViews().filter((view) => view.name !== name);
  write(views);
  return views;
}

/** The route of a saved view; null if its query is not valid. */
function viewRoute({ name, query }: SavedView): RunsRoute | null {
  const route = parseRoute(query);
  return route.page === "runs" ? { ...route, view: name } : null;
}

/** Saved views of the list by name; each is a link that can be shared. */
export function ViewPicker({ route }: { readonly route: RunsRoute }) {
  const [views, setViews] = useState(readViews);
  const save = (name: string): void => {
    setViews(saveView(name, route));
    replaceRoute({ ...route, view: name });
  };
  return (
    <PopoverButton icon={Bookmark} label={route.view ?? "Views"}>
      <div className="stack view-picker">
        {views.length > 0 && (
          <ul>
            {views.map((view) => (
              <li key={view.name}>
                <a
                  href={formatRoute(viewRoute(view) ?? runsRoute)}
                  aria-current={view.name === route.view ? "true" : undefined}
                >
                  {view.name}
                </a>
                <IconButton
                  label={`Delete the view ${view.name}`}
                  title="Delete"
                  icon={X}
                  onClick={() => setViews(deleteView(view.name))}
                />
              </li>
            ))}
          </ul>
        )}
        <NameForm
          label="Name of the view"
          placeholder="Name of this view"
          maxLength={80}
          action="Save"
          onName={save}
        />
        <a href={formatRoute(runsRoute)}>All runs, newest first</a>
      </div>
    </PopoverButton>
  );
}
