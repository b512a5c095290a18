/** What is asked of Weights & Biases' GraphQL address, and the lines of its history file. */

export const VIEWER = "query Viewer { viewer { entity } }";

export const UPSERT = `mutation UpsertBucket(
  $name: String, $project: String, $entity: String, $groupName: String, $displayName: String, $notes: String,
  $jobType: String, $tags: [String!], $config: JSONString
) {
  upsertBucket(input: {
    name: $name, modelName: $project, entityName: $entity, groupName: $groupName, displayName: $displayName,
    notes: $notes, jobType: $jobType, tags: $tags, config: $config
  }) {
    bucket { name project { name entity { name } } }
  }
}`;

/** A row as JSON text with bare NaN and Infinity, as the service's own client writes them. */
export function historyLine(row: Readonly<Record<string, number>>): string {
  const entries = Object.entries(row).map(([key, value]) => `${JSON.stringify(key)}: ${value}`);
  return `{${entries.join(", ")}}`;
}
