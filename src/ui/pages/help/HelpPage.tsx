import { Fragment } from "react";
import { adapterName, isSoftwareAdapter } from "../../../kernels/webgpu.ts";
import { Facts } from "../../components/Facts.tsx";
import { PageHeading } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { trainingCores, webgpuAdapter } from "../../lib/capabilities.ts";
import { formatBytes, formatThings } from "../../lib/format.ts";
import { useAnswer } from "../../state/useAnswer.ts";
import { type StorageInfo, useWorkbenchState } from "../../state/Workbench.ts";
import { Concepts } from "./Concepts.tsx";
import { Documentation } from "./Documentation.tsx";
import "./HelpPage.css";

function adapterText(adapter: GPUAdapterInfo | null | undefined): string {
  if (adapter === undefined) return "checking…";
  if (adapter === null) return "no adapter found; not required";
  return `${adapterName(adapter)}: ${adviceOn(adapter)}`;
}

function storageText(storage: StorageInfo | null): string {
  if (storage === null) return "checking…";
  return storage.kind === "memory" ? "memory only" : `in this browser${usageOf(storage)}`;
}

function usageOf(storage: StorageInfo): string {
  const used = storage.used === null ? "" : `, ${formatBytes(storage.used)} used`;
  return storage.quota === null ? used : `${used} of ${formatBytes(storage.quota)}`;
}

const adviceOn = (adapter: GPUAdapterInfo): string =>
  isSoftwareAdapter(adapter)
    ? "software adapter, slower than WebAssembly, for testing only"
    : "new runs try it first and keep it if it is faster; you can also select it under Device";

/** What this browser supports: the training devices, and where runs are stored. */
function Capabilities() {
  const { value: adapter } = useAnswer(webgpuAdapter);
  const storage = useWorkbenchState((state) => state.storage);
  const cores = trainingCores();
  return (
    <Facts
      className="facts capabilities"
      rows={[
        ["Device", `WebAssembly SIMD on ${formatThings(cores, "core")}, which suits small networks best`],
        ["WebGPU", adapterText(adapter)],
        ["Storage", storageText(storage)],
      ]}
    />
  );
}

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
  [
    "In a chart",
    [
      ["← →", "Move the crosshair; with Shift by ten, with Ctrl pan"],
      ["+", "Zoom in (or drag; with Shift, values too; Ctrl and the wheel)"],
      ["-", "Zoom out"],
      ["0", "Show all (or double click)"],
      ["l", "Logarithmic values"],
      ["y", "Zoom values too"],
      ["f", "Full screen"],
    ],
  ],
];

/** The keyboard shortcuts of the workbench. */
export function Shortcuts() {
  return (
    <Panel title="Shortcuts" head={<a href="#/settings">Turn off</a>}>
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
    </Panel>
  );
}

/** The words of evolution, keyboard shortcuts, and what this browser supports. */
export function HelpPage() {
  return (
    <div className="page">
      <PageHeading title="Help" />
      <Documentation />
      <Concepts />
      <Shortcuts />
      <Panel title="This browser">
        <div className="panel__body">
          <Capabilities />
        </div>
      </Panel>
    </div>
  );
}
