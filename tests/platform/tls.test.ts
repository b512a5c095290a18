/** The platform over TLS, with a certificate that clients trust only if given its authority. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { givenTls } from "../../platform/src/commands/options.ts";
import { serve } from "../../platform/src/commands/serve.ts";
import { PrivatePostgres } from "../../platform/src/database/PrivatePostgres.ts";
import { CommandLine } from "../../src/cli/CommandLine.ts";
import { type Bundled, bundled } from "../support/compiled.ts";
import { cartPole } from "./support/cartPole.ts";

// A self-signed certificate for 127.0.0.1.
const CERTIFICATE = fileURLToPath(new URL("support/tls/certificate.pem", import.meta.url));
const KEY = fileURLToPath(new URL("support/tls/key.pem", import.meta.url));
const TLS = ["--tls-cert", CERTIFICATE, "--tls-key", KEY];

const SERVE = ["serve", "--host", "0.0.0.0", "--port", "0", "--no-worker"];

const RLKIT = "src/cli/rlkit.ts";
const PLATFORM = "platform/src/main.ts";

let parent: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "rlkit-platform-"));
  await chmod(parent, 0o755);
});

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  const left = await PrivatePostgres.open({ directory: directory(), log: () => undefined });
  await left.close();
  await rm(parent, { recursive: true, force: true });
});

const directory = (): string => path.join(parent, "data");

/** Starts a command by its source file, and collects its output. */
function run(entry: Bundled, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [bundled(entry), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { process: child, output: () => output };
}

/** Runs a command. @returns its output and exit code. */
async function ran(...call: Parameters<typeof run>) {
  const { process: child, output } = run(...call);
  const [code] = await once(child, "close");
  return { code, output: output() };
}

it("trains what a client submits over TLS, in a worker that asks the server over TLS", async () => {
  const server = run(PLATFORM, [...SERVE, "--data", directory(), ...TLS]);
  await expect.poll(server.output).toMatch(/shown only once: rk_\S+/);
  const port = /The platform is at https:\/\/localhost:(\d+)/.exec(server.output())?.[1];
  const url = `https://127.0.0.1:${port}`;
  const env = {
    RLKIT_API_KEY: /rk_\S+/.exec(server.output())?.[0] ?? "",
    RLKIT_PLATFORM_DATABASE: (await PrivatePostgres.urlOf(directory())) ?? "",
  };
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: CERTIFICATE };

  const manifest = path.join(parent, "run.json");
  const training = { ...cartPole.training, max_steps: 300 };
  await writeFile(manifest, JSON.stringify({ ...cartPole, training }));
  const submission = ["remote", "submit", manifest, "--url", url];
  const distrusting = await ran(RLKIT, submission, env);
  expect(distrusting).toMatchObject({ code: 1, output: expect.stringContaining("self-signed certificate") });

  const elsewhere = path.join(parent, "elsewhere");
  run(PLATFORM, ["worker", "--server", url, "--data", elsewhere, "--threads", "1"], trusting);
  const watched = await ran(RLKIT, [...submission, "--watch"], trusting);
  expect(watched).toMatchObject({ code: 0, output: expect.stringContaining("finished") });
});

it.each([
  ["a certificate without its key", TLS.slice(0, 2), "--tls-cert: found without its key; give --tls-key too"],
  ["a key without its certificate", TLS.slice(2), "--tls-key: found without a certificate"],
  [
    "a file that is not there",
    ["--tls-cert", "none.pem", ...TLS.slice(2)],
    "--tls-cert: none.pem cannot be read",
  ],
  ["files that do not go together", ["--tls-cert", KEY, ...TLS.slice(2)], "cannot be used together"],
])("refuses %s", async (_, args, message) => {
  await expect(givenTls(new CommandLine(serve, args, "rlkit-platform"))).rejects.toThrow(message);
});
