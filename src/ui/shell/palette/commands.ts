import { templates } from "../../../manifests/templates.ts";
import { editorRoute, type Route, runRoute } from "../../routes/route.ts";
import { liveRun, type RunList } from "../../state/runList.ts";
import { nextTheme } from "../../state/theme.ts";
import type { Workbench } from "../../state/Workbench.ts";
import { railLinks } from "../railLinks.ts";

interface Command {
  readonly id: string;
  readonly label: string;
  /** The keyboard shortcut of the command. */
  readonly hint?: string;
  readonly perform: () => void;
}

interface Group {
  readonly heading: string;
  readonly commands: readonly Command[];
}

interface Means {
  readonly list: RunList;
  readonly leaving: ReadonlySet<string>;
  readonly workbench: Workbench;
  readonly navigate: (route: Route) => void;
}

/** Maximum number of runs in the palette; the list of runs has the others. */
const MOST_RUNS = 200;

const HINTS: Readonly<Record<string, string>> = { Runs: "g r", "New run": "g n", Help: "?" };

function actions({ list, leaving, workbench }: Means): readonly Command[] {
  const run = liveRun(list, leaving);
  const theme: Command = { id: "action theme", label: "Next theme", hint: "t", perform: nextTheme };
  if (run === null) return [theme];
  const paused = run.state === "paused";
  const hold: Command = {
    id: "action hold",
    label: `${paused ? "Resume" : "Pause"} ${run.name}`,
    perform: () =>
      void workbench.attempt(
        () => workbench.coordinator[paused ? "resume" : "pause"](run.id),
        `hold ${run.id}`,
      ),
  };
  return [hold, theme];
}

/** Characters between words. */
const BETWEEN = /[\s\-_/().·]+/;

/**
 * How well a command matches what was typed, from 0 (not at all) to 1. Every typed word must begin a word of the label
 * or of the group's heading, or be part of the label; words of the label count for more.
 */
export function rankCommand(label: string, heading: string, typed: string): number {
  const [words, headings] = [label, heading].map((text) => text.toLowerCase().split(BETWEEN));
  const ranks = typed
    .toLowerCase()
    .split(BETWEEN)
    .filter((word) => word !== "")
    .map((word): number => {
      if (words?.[0]?.startsWith(word)) return 1;
      if (words?.some((other) => other.startsWith(word))) return 0.9;
      if (label.toLowerCase().includes(word)) return 0.5;
      return headings?.some((other) => other.startsWith(word)) ? 0.2 : 0;
    });
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length);
}

/** All commands currently available, in groups. */
export function commandsOf(means: Means): readonly Group[] {
  const { list, leaving, navigate } = means;
  const runs = (list.runs ?? [])
    .filter(({ id }) => !leaving.has(id))
    .sort((a, b) => b.created_at - a.created_at)
    .slice(0, MOST_RUNS);
  const groups: readonly Group[] = [
    {
      heading: "Pages",
      commands: railLinks.map(({ label, route }) => ({
        id: `page ${label}`,
        label,
        ...(HINTS[label] === undefined ? {} : { hint: HINTS[label] }),
        perform: () => navigate(route),
      })),
    },
    { heading: "Actions", commands: actions(means) },
    {
      heading: "Runs",
      commands: runs.map(({ id, name }) => ({
        id: `run ${id}`,
        label: name,
        perform: () => navigate(runRoute(id)),
      })),
    },
    {
      heading: "New run from a template",
      commands: templates.map(({ id, title }) => ({
        id: `template ${id}`,
        label: title,
        perform: () => navigate(editorRoute({ kind: "template", id })),
      })),
    },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}
