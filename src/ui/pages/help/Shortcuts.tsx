import { Fragment } from "react";

/** Keys and their actions, grouped by the pages where they work. */
const SHORTCUTS: readonly (readonly [where: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl K", "Commands: pages, runs, templates (Cmd K on a Mac)"],
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
      ["k", "Row before"],
      ["x", "Select the row"],
      ["c", "Compare what is selected"],
      ["e", "Export what is selected"],
    ],
  ],
  [
    "In a run",
    [
      ["[", "A generation back"],
      ["]", "A generation on"],
    ],
  ],
];

/** The keyboard shortcuts of the workbench. */
export function Shortcuts() {
  return (
    <section className="panel" aria-label="Shortcuts">
      <div className="panel__head">
        <h2>Shortcuts</h2>
        <a href="#/settings">Switch them off</a>
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
