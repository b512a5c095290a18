/** Tables as JSON artifacts of a run of MLflow, in the layout of its own `log_table`. */

export interface MlflowTable {
  /** Its path among the run's artifacts, as a URL has it. */
  readonly file: string;
  readonly text: string;
}

/** @throws TypeError for a cell that JSON cannot have. */
export const mlflowTable = (
  name: string,
  step: number,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): MlflowTable => ({
  file: `tables/${encodeURIComponent(name.replaceAll("/", "-"))}_${step}.json`,
  text: JSON.stringify({ columns, data: rows }),
});

/** The path at which a server takes artifacts of a run for its store; null for a store that it does not stand before. */
export function artifactsPath(artifact_uri: string): string | null {
  const [, path] = /^mlflow-artifacts:\/([^/].*)$/.exec(artifact_uri) ?? [];
  return path === undefined ? null : `/api/2.0/mlflow-artifacts/artifacts/${path}`;
}
