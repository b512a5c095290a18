/** What a language-model run needs of the Hugging Face hub: the base model and the data that its manifest names by id. */
import { fetchRepository, HubError, type HubListing, type HubOptions } from "../../hub/index.ts";
import { cachedHubRows, listHubRows } from "../../llm/environments.ts";
import { listHubModel, missingHubModel } from "../../llm/models.ts";
import { dottedPath, type SpecIssue, type TrainingManifest } from "../../manifests/index.ts";
import { SpecError } from "../../specs/checks.ts";
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../specs/sections.ts";
import { defaultStore, reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";
import { llmPlanOf, trainsLanguageModel } from "./llmPlan.ts";

/** Where a manifest names a repository. */
const MODEL = ["network", "pretrained_model_name_or_path"];
const ROWS = ["environment", "hf_dataset_id"];

/** What has to be fetched before a run, and why it cannot be. */
export interface HubNeeds {
  readonly listings: readonly HubListing[];
  readonly issues: readonly SpecIssue[];
}

const issueAt = (segments: readonly string[], error: HubError | SpecError): SpecIssue => ({
  code: "rule",
  path: dottedPath(segments),
  segments,
  message: reasonOf(error),
});

/** The environment of a manifest with rows of the hub that the cache does not have; else `null`. */
export async function missingHubRows(
  { environment }: TrainingManifest,
  store: FileStore,
): Promise<RolloutEnvSpec | DatasetEnvSpec | null> {
  const hasRows = environment.env_type === "dataset" || environment.env_type === "rollout";
  if (!hasRows || environment.hf_dataset_id === null) return null;
  return (await cachedHubRows(environment, store)) ? null : environment;
}

/**
 * Lists what a run needs of the hub and the cache does not have, with sizes and licences. Loads no weights and no rows.
 * Asks nothing if the cache has all.
 */
export async function hubNeeds(manifest: TrainingManifest, options: HubOptions = {}): Promise<HubNeeds> {
  const listings: HubListing[] = [];
  const issues: SpecIssue[] = [];
  const list = async (place: readonly string[], listing: () => Promise<HubListing | null>): Promise<void> => {
    try {
      const found = await listing();
      if (found) listings.push(found);
    } catch (error) {
      if (!(error instanceof HubError || error instanceof SpecError)) throw error;
      issues.push(issueAt(place, error));
    }
  };
  if (!trainsLanguageModel(manifest)) return { listings, issues };
  const store = options.store ?? (await defaultStore());
  const given = { ...options, store };
  const { model } = llmPlanOf(manifest);
  await list(MODEL, async () => {
    const id = model === null ? null : await missingHubModel(model, store);
    return id === null ? null : listHubModel(id, given);
  });
  await list(ROWS, async () => {
    const environment = await missingHubRows(manifest, store);
    return environment && listHubRows(environment, given);
  });
  return { listings, issues };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** A listing as one line: id, commit, size, licence. */
export const listingText = ({ id, kind, revision, bytes, files, licence, gated }: HubListing): string =>
  `${kind} ${id} of the hub: ${megabytes(bytes)} in ${files.length} files, licence ${licence ?? "not named"}${gated ? ", gated" : ""}, commit ${revision.slice(0, 12)}`;

/**
 * Fetches what a run needs of the hub into the cache.
 * @param observer Receives the downloads' progress; the first event of each names it.
 * @throws SpecError for repositories that cannot be used; HubError for downloads that fail.
 */
export async function fetchHubNeeds(
  manifest: TrainingManifest,
  options: HubOptions,
  observer?: TrainingObserver,
): Promise<void> {
  const { listings, issues } = await hubNeeds(manifest, options);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
  for (const listing of listings) {
    observer?.on({ event: "download", name: listingText(listing), received: 0, total: listing.bytes });
    await fetchRepository(listing, {
      ...options,
      onProgress: (progress) => observer?.on({ event: "download", ...progress }),
    });
  }
}
