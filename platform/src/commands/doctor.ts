import { access, constants, statfs } from "node:fs/promises";
import path from "node:path";
import {
  type CliIo,
  type Command,
  type CommandLine,
  EXIT,
  reasonOf,
  VERSION,
} from "../../../src/hosting/index.ts";
import { Database } from "../database/Database.ts";
import { requireMigrated } from "../database/migrate.ts";
import { PrivatePostgres } from "../database/PrivatePostgres.ts";
import { postgresBinaries } from "../database/postgresBinaries.ts";
import { describeRedis } from "../jobs/RedisQueues.ts";
import { RunTable } from "../runs/RunTable.ts";
import { WorkerTable } from "../worker/WorkerTable.ts";
import {
  DATA_OPTION,
  DATABASE_OPTION,
  dataDirectory,
  givenDatabase,
  givenQueue,
  QUEUE_OPTION,
} from "./options.ts";

/** Free bytes below which the disk may soon be too full for checkpoints. */
const LITTLE_ROOM = 1024 ** 3;

export const doctor: Command = {
  name: "doctor",
  summary: "Checks which parts of the platform work on this machine.",
  operands: [],
  options: { ...DATA_OPTION, ...DATABASE_OPTION, ...QUEUE_OPTION },
  run: runDoctor,
};

/** One check: it resolves to a description of the state, or throws an error that says what to do. */
interface Check {
  readonly name: string;
  readonly look: () => Promise<string>;
}

async function runDoctor(line: CommandLine, io: CliIo): Promise<number> {
  const directory = dataDirectory(line);
  const given = givenDatabase(line);
  const url = given ?? (await PrivatePostgres.urlOf(directory));
  const database = url === null ? null : new Database({ url, log: () => undefined, connections: 1 });
  let failed = 0;
  const queue_url = givenQueue(line);
  const checks = [
    ...ofMachine(directory, given !== null),
    ...(queue_url === null ? [] : [{ name: "queue", look: () => describeRedis(queue_url) }]),
    ...(database ? ofDatabase(database) : []),
  ];
  for (const { name, look } of checks) {
    try {
      io.stdout.write(`ok    ${name}: ${await look()}\n`);
    } catch (error) {
      failed += 1;
      io.stdout.write(`wrong ${name}: ${reasonOf(error)}\n`);
    }
  }
  await database?.close();
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

const ofMachine = (directory: string, isGiven: boolean): readonly Check[] => [
  { name: "rlkit", look: async () => `${VERSION}, Node ${process.versions.node}` },
  {
    name: "data directory",
    look: async () => {
      await access(directory, constants.W_OK);
      const { bavail, bsize } = await statfs(directory);
      const room = `${(Number(bavail) * bsize) / 1024 ** 3}`.replace(/(\.\d).*/, "$1");
      if (bavail * bsize < LITTLE_ROOM)
        throw new Error(`${directory} has ${room} GiB free; free some disk space`);
      return `${directory}, ${room} GiB free`;
    },
  },
  ...(isGiven
    ? []
    : [{ name: "PostgreSQL", look: () => postgresBinaries(path.join(directory, "postgres")) }]),
];

const ofDatabase = (database: Database): readonly Check[] => [
  {
    name: "database",
    look: async () => {
      await database.query("SELECT 1");
      await requireMigrated(database);
      return "answers, and its tables have this version";
    },
  },
  {
    name: "workers",
    look: async () => {
      const workers = await new WorkerTable(database).list();
      if (workers.length === 0) throw new Error("none is running; start rlkit-platform worker");
      return workers
        .map(({ host, pid, cores, version }) => `${host} ${pid} (${cores} threads, ${version})`)
        .join("; ");
    },
  },
  {
    name: "runs",
    look: async () => {
      const waiting = await new RunTable(database).unended();
      return waiting.length === 0 ? "none is queued or training" : `${waiting.length} queued or training`;
    },
  },
];
