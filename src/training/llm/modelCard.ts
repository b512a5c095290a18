/** What is known of a manifest's base model before anything of it is loaded. */
import { hubIdOf } from "../../hub/index.ts";
import { type AgentPlan, policyShapeOf } from "../../llm/members.ts";
import { type ModelConfig, weightsOf } from "../../llm/models.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { LICENCE_FILES } from "./agentPlanOf.ts";
import { type LanguageEstimate, languageNeeds } from "./languageNeeds.ts";
import { llmPlanOf } from "./llmPlan.ts";
import { modelFoldersOf } from "./modelFolders.ts";

export interface ModelCard {
  /** As the manifest names it; null if it names none. */
  readonly id: string | null;
  /** The architecture; null if the model cannot be read. */
  readonly model: {
    readonly config: ModelConfig;
    /** Number of weights of the base. */
    readonly parameters: number;
    readonly built_in: boolean;
    readonly chat_template: boolean;
    /** Rank of the adapters; null for a model that is trained whole. */
    readonly lora_r: number | null;
  } | null;
  /** "apache-2.0" and the like; null if unknown. */
  readonly licence: string | null;
  /** Whether it looks like the id of a model of the hub that has not been downloaded. */
  readonly may_be_on_hub: boolean;
  /** The files of its folder; empty for a built-in model. */
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** Needs of the run in one thread; null if they are unknown. */
  readonly estimate: LanguageEstimate | null;
  /** What prevents a run, each with its place. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The licence that a model card's front matter names, or the title of a licence's text. */
export function licenceIn(name: (typeof LICENCE_FILES)[number], text: string): string | null {
  if (name === "LICENSE") return text.trim().split("\n")[0]?.trim() || null;
  const [, front = ""] = /^\s*---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  const named = (key: string): string | null =>
    new RegExp(`^${key}:[ \\t]*["']?([^"'#\\r\\n]+?)["']?[ \\t]*$`, "m").exec(front)?.[1] ?? null;
  const licence = named("license");
  return licence === "other" ? (named("license_name") ?? licence) : licence;
}

/** The folder's files, and the licence that they name. */
async function folderFacts(id: string, store: FileStore): Promise<Pick<ModelCard, "files" | "licence">> {
  const folder = await modelFoldersOf(store)(id);
  const files = (await store.list(folder.path)).filter(({ kind }) => kind === "file");
  for (const name of LICENCE_FILES) {
    const bytes = await folder.readFile(name);
    const licence = bytes && licenceIn(name, new TextDecoder().decode(bytes));
    if (licence) return { files, licence };
  }
  return { files, licence: null };
}

function rankOf(plan: AgentPlan): number | null {
  const { tuning } = policyShapeOf(plan);
  return tuning.kind === "adapter" ? tuning.adapter.rank : null;
}

const hasTemplate = ({ parts }: AgentPlan): boolean => {
  try {
    return parts.tokenizer.has_chat_template;
  } catch {
    // Its files are missing, which the problems say.
    return false;
  }
};

/** Reads the headers of the model's files and the data, as `rlkit validate` does. */
export async function modelCard(manifest: TrainingManifest, store: FileStore): Promise<ModelCard> {
  const id = llmPlanOf(manifest).model;
  const { plan, estimate, issues, warnings } = await languageNeeds(manifest, store);
  const isFolder = id !== null && plan?.parts.built_in !== true;
  return {
    id,
    model: plan && {
      config: plan.parts.config,
      parameters: weightsOf(plan.parts.config).reduce(
        (sum, { shape }) => sum + shape.reduce((a, b) => a * b),
        0,
      ),
      built_in: plan.parts.built_in,
      chat_template: hasTemplate(plan),
      lora_r: rankOf(plan),
    },
    may_be_on_hub: isFolder && plan === null && hubIdOf(id) !== null,
    ...(isFolder ? await folderFacts(id, store) : { files: [], licence: null }),
    estimate,
    problems: issues.map(({ path, message }) => `${path}: ${message}`),
    warnings,
  };
}
