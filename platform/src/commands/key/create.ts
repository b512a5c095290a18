import { CliError, usageError } from "../../../../src/cli/CliError.ts";
import { EXIT } from "../../../../src/cli/CliIo.ts";
import type { Command } from "../../../../src/cli/CommandLine.ts";
import { type Scope, scopeSchema } from "../../keys/apiKey.ts";
import { DATABASE_OPTION } from "../databaseOption.ts";
import { DATA_OPTION } from "../dataOption.ts";
import { withKeys } from "./withKeys.ts";

const DAY_MS = 24 * 3600 * 1000;

export const create: Command = {
  name: "key create",
  summary: "Creates an API key, and prints it only once.",
  operands: [],
  options: {
    name: { value: "TEXT", help: "Description, shown in lists." },
    scopes: {
      value: "LIST",
      help: `Scopes, of ${scopeSchema.options.join(", ")} (default: read,submit).`,
    },
    project: { value: "NAME", help: "The only project that the key may access (default: all)." },
    days: { value: "N", help: "Days until it expires (default: never)." },
    ...DATA_OPTION,
    ...DATABASE_OPTION,
  },
  run: (line, io) =>
    withKeys(line, io, async ({ keys, projects }) => {
      const scopes = scopesOf(line.text("scopes") ?? "read,submit");
      const project = line.text("project");
      const days = line.integer("days", 1);
      if (project !== null && !(await projects.has(project)))
        throw new CliError(`--project: there is no project "${project}"`, EXIT.usage);
      const expires_at = days === null ? null : new Date(Date.now() + days * DAY_MS);
      const key = await keys.create({ name: line.text("name") ?? "", scopes, project, expires_at });
      io.stdout.write(`${key}\n`);
    }),
};

function scopesOf(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = scopeSchema.safeParse(name.trim());
    if (scope.success) return scope.data;
    throw usageError(`--scopes: found "${name}", allowed ${scopeSchema.options.join(", ")}`);
  });
}
