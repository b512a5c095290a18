/** Folders that a person chooses or drops, as the files in them. What lies in folders of theirs is left out. */
import type { PickedFile } from "../../../workers/protocol.ts";

export interface PickedFolder {
  readonly name: string;
  readonly files: readonly PickedFile[];
}

/** The folder of a dialog; null where none was chosen, or an empty one. */
export function chosenFolder(files: Iterable<File>): PickedFolder | null {
  const paths = [...files].map((file) => ({ file, parts: file.webkitRelativePath.split("/") }));
  const name = paths[0]?.parts[0];
  if (name === undefined) return null;
  return {
    name,
    files: paths
      .filter(({ parts }) => parts.length === 2)
      .map(({ file }) => ({ name: file.name, content: file })),
  };
}

const entriesOf = (reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const isDirectory = (entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry =>
  entry?.isDirectory === true;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/**
 * The folder of a drop, to be called while its event is handled.
 * @throws Error for what is not one folder.
 */
export async function droppedFolder(items: DataTransferItemList): Promise<PickedFolder> {
  const [entry = null, ...more] = [...items].map((item) => item.webkitGetAsEntry());
  if (!isDirectory(entry) || more.length > 0)
    throw new Error("A model was not added: drop one folder, with config.json, weights and tokenizer files.");
  const reader = entry.createReader();
  const files: PickedFile[] = [];
  // A reader gives a part of the entries at a time, and in the end none.
  for (let part = await entriesOf(reader); part.length > 0; part = await entriesOf(reader))
    for (const found of part.filter(isFile)) {
      const content = await fileOf(found);
      files.push({ name: content.name, content });
    }
  return { name: entry.name, files };
}
