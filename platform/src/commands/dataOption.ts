/** The `--data` option: the directory of the platform's files. */
import { homedir } from "node:os";
import path from "node:path";
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";

/** For root this is not the home directory, which the user that PostgreSQL runs as cannot enter. */
const DEFAULT =
  process.getuid?.() === 0
    ? "/var/lib/rlkit-platform"
    : path.join(homedir(), ".local", "share", "rlkit-platform");

export const DATA_OPTION: Readonly<Record<string, OptionDefinition>> = {
  data: { value: "DIR", help: `Directory of the database, keys and checkpoints (default: ${DEFAULT}).` },
};

export const dataDirectory = (line: CommandLine): string => path.resolve(line.text("data") ?? DEFAULT);
