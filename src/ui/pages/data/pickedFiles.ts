/** Files of a data set that a person chooses or drops: themselves, or in folders. */
import type { PickedFile } from "../../../workers/protocol.ts";

export interface PickedFiles {
  /** Of the folder, or of the file without its ending. */
  readonly name: string;
  readonly files: readonly PickedFile[];
}

/** Folders in a folder that are looked into: Minari's have one of the name "data". */
const DEEPEST = 3;

const withoutEnding = (name: string): string => name.replace(/\.[^.]+$/, "");

const picked = (file: File): PickedFile => ({ name: file.name, content: file });

/** What a dialog gave, files or a folder; null for nothing. */
export function chosenFiles(files: Iterable<File>): PickedFiles | null {
  const all = [...files];
  const [first] = all;
  if (first === undefined) return null;
  const folder = first.webkitRelativePath.split("/")[0];
  return { name: folder || withoutEnding(first.name), files: all.map(picked) };
}

const entriesOf = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

async function filesIn(entry: FileSystemEntry, depth: number): Promise<File[]> {
  if (isFile(entry)) return [await fileOf(entry)];
  if (!isDirectory(entry) || depth > DEEPEST) return [];
  const reader = entry.createReader();
  const found: File[] = [];
  // A reader gives a part of the entries at a time, and in the end none.
  for (let part = await entriesOf(reader); part.length > 0; part = await entriesOf(reader))
    for (const inner of part) found.push(...(await filesIn(inner, depth + 1)));
  return found;
}

/** What was dropped; null for nothing. To be called while its event is handled. */
export async function droppedFiles(items: DataTransferItemList): Promise<PickedFiles | null> {
  // The list is empty once the event has been handled.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const [first] = entries;
  if (first === undefined) return null;
  const files: File[] = [];
  for (const entry of entries) files.push(...(await filesIn(entry, 0)));
  return { name: isDirectory(first) ? first.name : withoutEnding(first.name), files: files.map(picked) };
}
