import type { Command } from "../../../../src/cli/CommandLine.ts";
import type { KeyRecord } from "../../keys/KeyStore.ts";
import { DATABASE_OPTION } from "../databaseOption.ts";
import { DATA_OPTION } from "../dataOption.ts";
import { withKeys } from "./withKeys.ts";

export const list: Command = {
  name: "key list",
  summary: "Lists the keys with their scopes, project and last use.",
  operands: [],
  options: { ...DATA_OPTION, ...DATABASE_OPTION },
  run: (line, io) =>
    withKeys(line, io, async ({ keys }) => {
      for (const key of await keys.list()) io.stdout.write(`${textOf(key)}\n`);
    }),
};

function textOf({ id, name, scopes, project, revoked_at, expires_at, used_at }: KeyRecord): string {
  const ends = expires_at ? `until ${expires_at.toISOString()}` : "valid";
  const used = used_at ? `used ${used_at.toISOString()}` : "never used";
  const state = revoked_at ? "revoked" : ends;
  return [id, scopes.join(","), project ?? "all projects", state, used, name].join("  ");
}
