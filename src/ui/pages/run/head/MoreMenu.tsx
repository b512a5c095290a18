import { Ellipsis } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { playsEpisodes, trainsOnText } from "../../../../specs/sections.ts";
import { type Download, type RunSummary } from "../../../../workers/protocol.ts";
import { Menu } from "../../../components/Menu.tsx";
import { saveFile } from "../../../lib/files.ts";
import { manifestNumber, manifestValue } from "../../../lib/manifestValues.ts";
import { useShortcut } from "../../../lib/shortcuts.ts";
import { navigate } from "../../../routes/navigation.ts";
import { editorRoute } from "../../../routes/route.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { goToDraft } from "../../editor/goToDraft.ts";
import { LazyRecordDialog, LazyShareDialog } from "../lazyParts.tsx";
import { evolves } from "../runTexts.ts";
import { ExtendDialog } from "./ExtendDialog.tsx";
import { RepeatDialog } from "./RepeatDialog.tsx";
import { copyLink } from "./shareRun.ts";

interface Props {
  readonly summary: RunSummary;
  readonly manifest: unknown;
  /** Shows a message beside the buttons. */
  readonly say: (text: string) => void;
}

interface Item {
  readonly label: string;
  readonly hint: string;
  readonly act: () => Promise<void> | void;
  /** Whether it is disabled until the first generation has ended. */
  readonly later?: boolean;
}

/** Whether its agents learn from a data set, and there is an environment that they can act in. */
const isOffline = (manifest: unknown): boolean =>
  manifestValue(manifest, "environment.env_type") === "offline" && playsEpisodes(manifest);

/** The menu of a run's downloads, links and further actions. */
export function MoreMenu({ summary, manifest, say }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const { id, name, algorithm, environment, generation, can } = summary;
  const [extending, setExtending] = useState(false);
  const [recording, setRecording] = useState(false);
  const [repeating, setRepeating] = useState(false);
  const [sharing, setSharing] = useState(false);
  const exportAs = async (format: "yaml" | "json"): Promise<void> => {
    // Loads the YAML writer only when it is needed.
    const { saveManifest } = await import("../../editor/exportManifest.ts");
    const warnings = saveManifest(name, manifest, format);
    say(warnings.length > 0 ? `Exported with warnings: ${warnings.join("; ")}.` : "");
  };
  const download = (label: string, hint: string, read: (run: string) => Promise<Download>): Item => ({
    label,
    hint,
    act: async () => saveFile(await read(id)),
    later: true,
  });
  const downloads: readonly Item[] = [
    download(
      "Download elite",
      "The best agent, with everything needed to continue training",
      coordinator.downloadElite,
    ),
    // Language models have no ONNX export.
    ...(trainsOnText(manifest)
      ? []
      : [
          download(
            "Download ONNX",
            "The best agent's policy, for other runtimes",
            coordinator.downloadPolicy,
          ),
        ]),
    download(
      "Download CSV",
      "The metrics of all generations, one row per generation",
      coordinator.downloadMetrics,
    ),
    download("Download events", "The same metrics as a TensorBoard event file", coordinator.downloadEvents),
    { label: "Export manifest", hint: "The run's manifest as YAML", act: () => exportAs("yaml") },
    { label: "Export manifest as JSON", hint: "The run's manifest as JSON", act: () => exportAs("json") },
  ];
  useShortcut("e", () => void workbench.attempt(() => exportAs("yaml")));
  const shareManifest = async (): Promise<void> => {
    const { manifestLink } = await import("../../editor/sharedManifest.ts");
    await copyLink(workbench, manifestLink(manifest), "the manifest");
  };
  const goOn = async (): Promise<void> => {
    const { goOnManifest } = await import("./goOnManifest.ts");
    const draft = goOnManifest(id, manifest);
    if (draft) await goToDraft(draft);
  };
  const others: Item[] = [
    ...(can.restart && isOffline(manifest)
      ? [
          {
            label: "Go on in the environment",
            hint: "Opens a manifest whose agents begin with the best one of this run, and act",
            act: goOn,
            later: true,
          },
        ]
      : []),
    {
      label: "Copy link",
      hint: "A link to this view that works only in this browser",
      act: () => copyLink(workbench, window.location.hash, "this view"),
    },
    {
      label: "Share manifest",
      hint: "A link that contains the manifest itself and works for anyone",
      act: shareManifest,
    },
    // Language models, bandits and agents of data alone play no episodes.
    ...(!playsEpisodes(manifest)
      ? []
      : [
          {
            label: "Share champion…",
            hint: "A link, a frame or a file that plays the best agent, for anyone",
            act: () => setSharing(true),
            later: true,
          },
          {
            label: "Record data set…",
            hint: "Records an agent's episodes as a data set for offline training",
            act: () => setRecording(true),
            later: true,
          },
        ]),
    ...(can.export
      ? [
          {
            label: "Export run",
            hint: "The whole run in one file, which can be imported in another browser",
            act: async () => saveFile(await coordinator.exportRun(id)),
          },
        ]
      : []),
    {
      label: "Edit a copy",
      hint: "Opens a copy of the manifest in the editor",
      act: () => navigate(editorRoute({ kind: "run", id })),
    },
  ];
  if (can.restart)
    others.push({
      label: "Repeat over seeds…",
      hint: "Queues the same run with other seeds, as one group with a mean and an interval",
      act: () => setRepeating(true),
    });
  if (can.restart && evolves(manifest))
    others.push({
      label: "Compare with no evolution",
      hint: "Queues the same run without selection and mutation, for as many steps, and shows both",
      act: async () => {
        await coordinator.compare(id);
        workbench.toasts.show({
          tone: "info",
          message: "Queued without evolution. Insight shows both.",
        });
      },
    });
  const ended = summary.state === "finished" || summary.state === "stopped";
  if (ended && generation > 0)
    others.push({
      label: "Train longer…",
      hint: "Continues the run beyond its step limit",
      act: () => setExtending(true),
    });
  const itemOf = ({ label, hint, act, later = false }: Item) => {
    const disabled = later && generation === 0;
    return (
      <DropdownMenu.Item
        key={label}
        className="menu__item"
        disabled={disabled}
        title={disabled ? "Available after the first generation" : hint}
        onSelect={() => void workbench.attempt(async () => act())}
      >
        {label}
      </DropdownMenu.Item>
    );
  };
  return (
    <>
      <Menu
        button={
          <>
            More <Ellipsis aria-hidden="true" />
          </>
        }
      >
        {downloads.map(itemOf)}
        <DropdownMenu.Separator className="menu__line" />
        {others.map(itemOf)}
      </Menu>
      {recording && (
        <LazyRecordDialog run={id} agent={{ kind: "elite" }} onClose={() => setRecording(false)} />
      )}
      {repeating && <RepeatDialog id={id} onClose={() => setRepeating(false)} />}
      {sharing && (
        <LazyShareDialog
          run={id}
          title={`${algorithm} playing ${environment}`}
          onClose={() => setSharing(false)}
        />
      )}
      {extending && (
        <ExtendDialog
          id={id}
          max_steps={manifestNumber(manifest, "training.max_steps")}
          onClose={() => setExtending(false)}
        />
      )}
    </>
  );
}
