/** Where the platform keeps its files. */
import { homedir } from "node:os";
import path from "node:path";
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";

/** Root's own directory is closed to the user that PostgreSQL runs as. */
const DEFAULT =
  process.getuid?.() === 0
    ? "/var/lib/rlkit-platform"
    : path.join(homedir(), ".local", "share", "rlkit-platform");

export const DATA_OPTION: Readonly<Record<string, OptionDefinition>> = {
  data: { value: "DIR", help: `Directory of the database, keys and checkpoints; ${DEFAULT} unless given.` },
};

export const dataDirectory = (line: CommandLine): string => path.resolve(line.text("data") ?? DEFAULT);
