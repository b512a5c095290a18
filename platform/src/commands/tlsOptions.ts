/** The TLS options: the server's certificate and its key. */
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { usageError } from "../../../src/cli/CliError.ts";
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";
import { reasonOf } from "../../../src/storage/files.ts";

/** A certificate with its chain, and its private key, both as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export const TLS_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  "tls-cert": {
    value: "FILE",
    help: "TLS certificate as PEM, with its intermediate certificates.",
  },
  "tls-key": { value: "FILE", help: "Key of that certificate (PEM, without a password)." },
};

/**
 * The contents of the files that the options name, or null if neither is given.
 * @throws CliError if only one is given, or if the certificate and the key do not match.
 */
export async function givenTls(line: CommandLine): Promise<TlsFiles | null> {
  const [certFile, keyFile] = [line.text("tls-cert"), line.text("tls-key")];
  if (certFile === null && keyFile === null) return null;
  if (certFile === null) throw usageError("--tls-key: found without a certificate; give --tls-cert too");
  if (keyFile === null) throw usageError("--tls-cert: found without its key; give --tls-key too");
  const tls = { cert: await read("--tls-cert", certFile), key: await read("--tls-key", keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw usageError(
      `--tls-cert: ${certFile} and ${keyFile} cannot be used together (${reasonOf(error)}); give a certificate and its key as PEM`,
    );
  }
  return tls;
}

async function read(option: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw usageError(`${option}: ${file} cannot be read (${reasonOf(error)})`);
  });
}
