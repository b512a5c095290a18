/** A language-model member as one file: its policy as tensors, everything else as JSON metadata. */
import { z } from "zod";
import { type LlmMember, memberFields } from "../../llm/members.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  StorageError,
  type StoredTensor,
} from "../../storage/index.ts";
import { CHECKSUM_KEY, isSealed, NO_DIGITS, seal } from "../files/agentChecksum.ts";

const FORMAT = "rlkit.language-model";

/** @param facts Additional information to store in the file. */
export function encodeMember({ policy, ...fields }: LlmMember, facts: object): Uint8Array {
  const tensors = Object.entries(policy).map(([name, data]): [string, StoredTensor] => [
    name,
    { shape: [data.length], data },
  ]);
  return seal(
    encodeSafetensors(tensors, {
      [CHECKSUM_KEY]: NO_DIGITS,
      format: FORMAT,
      member: JSON.stringify(fields),
      facts: JSON.stringify(facts),
    }),
  );
}

/** @throws StorageError naming `path` for a file of another format, or a changed file. */
export function decodeMember(bytes: Uint8Array, path: string): LlmMember {
  const { tensors, metadata } = decodeSafetensors(bytes, path);
  if (metadata.format !== FORMAT)
    throw new StorageError(
      "corrupt",
      path,
      `is not a language-model member's file (format ${metadata.format})`,
    );
  if (!isSealed(bytes, metadata[CHECKSUM_KEY] ?? ""))
    throw new StorageError("corrupt", path, "does not match its checksum; use another copy");
  const fields = memberFields.safeParse(JSON.parse(metadata.member ?? "null"));
  if (!fields.success)
    throw new StorageError("corrupt", path, `does not describe a member (${z.prettifyError(fields.error)})`);
  const policy = [...tensors].map(([name, { data }]) => [name, data as Float32Array] as const); // all are f32
  return { ...fields.data, policy: Object.fromEntries(policy) };
}

const memberFacts = z.object({ manifest: z.unknown() });

/** The manifest in a member's file; null in checkpoints, whose run has it. */
export function manifestIn(bytes: Uint8Array, path: string): unknown {
  const { metadata } = decodeSafetensors(bytes, path);
  return memberFacts.safeParse(JSON.parse(metadata.facts ?? "null")).data?.manifest ?? null;
}

/** Whether the bytes are a language-model member's file. */
export function isMemberFile(bytes: Uint8Array, path: string): boolean {
  return decodeSafetensors(bytes, path).metadata.format === FORMAT;
}
