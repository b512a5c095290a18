export const datasets = `
CREATE TABLE datasets (
  project text NOT NULL REFERENCES projects ON DELETE CASCADE,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project, sha256)
);
`;
