/** Queries to the GraphQL API of Weights & Biases, and the lines of its history file. */

export const VIEWER = "query Viewer { viewer { entity } }";

/** The service's record of a run; its bucket is null if the run does not exist. */
export const RESUME = `query RunResumeStatus($project: String, $entity: String, $name: String!) {
  model(name: $project, entityName: $entity) {
    bucket(name: $name, missingOk: true) { name historyLineCount }
  }
}`;

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

export const CREATE_FILES = `mutation CreateRunFiles($entity: String!, $project: String!, $run: String!, $files: [String!]!) {
  createRunFiles(input: { entityName: $entity, projectName: $project, runName: $run, files: $files }) {
    uploadHeaders
    files { name uploadUrl }
  }
}`;

/** Entries of a line as JSON text with bare NaN and Infinity, as the service's own client writes them. */
export const lineEntries = (row: Readonly<Record<string, number>>): string =>
  Object.entries(row)
    .map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
    .join(", ");
