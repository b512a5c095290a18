import { Fragment } from "react";

/** Keys and their actions, grouped by the pages where they work. */
const SHORTCUTS: readonly (readonly [where: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl K", "Command palette: pages, runs, templates (Cmd K on a Mac)"],
      ["g r", "Runs"],
      ["g n", "New run"],
      ["t", "Next theme"],
      ["?", "This page"],
    ],
  ],
  [
    "In the list of runs",
    [
      ["/", "Filter"],
      ["j", "Next row"],
      ["k", "Previous row"],
      ["x", "Select the row"],
      ["c", "Compare the selected runs"],
      ["e", "Export the selected runs"],
    ],
  ],
  [
    "In a run",
    [
      ["Space", "Pause or resume"],
      ["e", "Export the manifest"],
      ["[", "Previous generation"],
      ["]", "Next generation"],
    ],
  ],
];

/** The keyboard shortcuts of the workbench. */
export function Shortcuts() {
  return (
    <section className="panel" aria-label="Shortcuts">
      <div className="panel__head">
        <h2>Shortcuts</h2>
        <a href="#/settings">Turn off</a>
      </div>
      <div className="panel__body shortcuts">
        {SHORTCUTS.map(([where, keys]) => (
          <div key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(([key, act]) => (
                <Fragment key={key}>
                  <dt>
                    {key.split(" ").map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{act}</dd>
                </Fragment>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </section>
  );
}
