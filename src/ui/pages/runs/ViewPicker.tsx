import { Bookmark, X } from "lucide-react";
import { useState } from "react";
import { PopoverButton } from "../../components/PopoverButton.tsx";
import { replaceRoute } from "../../routes/navigation.ts";
import { formatRoute, type RunsRoute, runsRoute } from "../../routes/route.ts";
import { NameForm } from "./NameForm.tsx";
import { deleteView, readViews, saveView, viewRoute } from "./savedViews.ts";

/** Saved views of the list by name; each is a link that can be shared. */
export function ViewPicker({ route }: { readonly route: RunsRoute }) {
  const [views, setViews] = useState(readViews);
  const save = (name: string): void => {
    setViews(saveView(name, route));
    replaceRoute({ ...route, view: name });
  };
  return (
    <PopoverButton icon={Bookmark} label={route.view ?? "Views"}>
      <div className="view-picker">
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
                <button
                  type="button"
                  className="button button--quiet button--small button--icon"
                  aria-label={`Delete the view ${view.name}`}
                  title="Delete"
                  onClick={() => setViews(deleteView(view.name))}
                >
                  <X aria-hidden="true" />
                </button>
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
