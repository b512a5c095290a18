/** `npx tsx scripts/docs/writeTemplates.ts`: writes the module of the templates from the files of examples/manifests. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { root } from "../lib/environment.mjs";

/** A file of examples/manifests. */
export interface TemplateFile {
  readonly id: string;
  readonly text: string;
}

/** The files of examples/manifests, by name. */
export function templateFiles(): TemplateFile[] {
  const folder = path.join(root, "examples/manifests");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => ({
      id: name.slice(0, -".yaml".length),
      text: readFileSync(path.join(folder, name), "utf8"),
    }));
}

/** What the comments above a template's sections say of it. @throws Error if one of them is missing */
function headerOf({ id, text }: TemplateFile): { title: string; description: string; place: number } {
  const line = (key: string): string => {
    const value = new RegExp(`^# ${key}: (.+)$`, "m").exec(text)?.[1];
    if (value === undefined)
      throw new Error(
        `examples/manifests/${id}.yaml: found no line "# ${key}: ..."; a template begins with its title, description and place`,
      );
    return value;
  };
  const place = Number(line("place"));
  if (!Number.isFinite(place)) throw new Error(`examples/manifests/${id}.yaml: place must be a number`);
  return { title: line("title"), description: line("description"), place };
}

/**
 * The module that the library and the workbench load.
 *
 * @param files The files of examples/manifests
 * @throws Error if a file has no title, description or place
 */
export function templatesModule(files: readonly TemplateFile[]): string {
  const sorted = files
    .map((file) => ({ ...headerOf(file), ...file }))
    .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1));
  const ids = sorted.map(({ id }) => `  | ${JSON.stringify(id)}\n`).join("");
  const entries = sorted.map(({ id, title, description, text }) => {
    const { stages, ...manifest } = parse(text) as Readonly<Record<string, unknown>>;
    const template = JSON.stringify({ title, description, manifest, stages });
    return `  ${JSON.stringify(id)}: ${template},\n`;
  });
  return `/** Written by \`npx tsx scripts/docs/writeTemplates.ts\` from examples/manifests. */
import type { TrainingManifestInput } from "./TrainingManifest.ts";

/** A run that is ready to start. */
export interface Template {
  /** Stable name, suitable for a URL. */
  id: string;
  title: string;
  /** One line: what is learnt and what can be seen. */
  description: string;
  manifest: TrainingManifestInput & { environment: { name: string } };
  /** Of a chain of stages, of which \`manifest\` is the first as a run of its own. */
  stages?: readonly TemplateStage[];
}

/** What a stage has in place of the sections of the manifest. */
export interface TemplateStage {
  [section: string]: object | undefined;
  algorithm?: { name: string; [field: string]: unknown };
}

export type TemplateId =
${ids.trimEnd()};

const BY_ID: Readonly<Record<TemplateId, Omit<Template, "id">>> = {
${entries.join("")}};

/** Ready-made runs, in display order. */
export const templates: readonly Template[] = Object.entries(BY_ID).map(([id, template]) => ({ id, ...template }));

export const builtInTemplate = (id: TemplateId): Template => ({ id, ...BY_ID[id] });

/** All that a template trains, with its stages if it has some. */
export const wholeTemplate = ({ manifest, stages }: Template): object =>
  stages === undefined ? manifest : { ...manifest, stages };
`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(path.join(root, "src/manifests/templates.ts"), templatesModule(templateFiles()));
