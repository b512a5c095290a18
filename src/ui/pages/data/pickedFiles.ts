/** Files of a data set that the user chooses or drops, directly or in folders. */
import type { PickedFile } from "../../../workers/protocol.ts";

export interface PickedFiles {
  /** Name of the folder, or of the file without its extension. */
  readonly name: string;
  readonly files: readonly PickedFile[];
}

/** Maximum depth of nested folders to read; Minari folders contain one named "data". */
const DEEPEST = 3;

const withoutEnding = (name: string): string => name.replace(/\.[^.]+$/, "");

const picked = (file: File): PickedFile => ({ name: file.name, content: file });

/** The files or the folder chosen in a dialog; null if none. */
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
  // Each call returns a batch of entries; an empty batch is the end.
  for (let part = await entriesOf(reader); part.length > 0; part = await entriesOf(reader))
    for (const inner of part) found.push(...(await filesIn(inner, depth + 1)));
  return found;
}

/** The dropped files; null if none. Must be called while the drop event is handled. */
export async function droppedFiles(items: DataTransferItemList): Promise<PickedFiles | null> {
  // The list is empty once the event has been handled.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const [first] = entries;
  if (first === undefined) return null;
  const files: File[] = [];
  for (const entry of entries) files.push(...(await filesIn(entry, 0)));
  return { name: isDirectory(first) ? first.name : withoutEnding(first.name), files: files.map(picked) };
}
