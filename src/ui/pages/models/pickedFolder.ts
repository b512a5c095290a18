/** A folder that the user chooses or drops, with the files directly in it. Nested folders are left out. */
import type { PickedFile } from "../../../workers/protocol.ts";

export interface PickedFolder {
  readonly name: string;
  readonly files: readonly PickedFile[];
}

/** The folder chosen in a dialog; null if none was chosen or it is empty. */
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
 * The dropped folder. Must be called while the drop event is handled.
 * @throws Error unless exactly one folder was dropped.
 */
export async function droppedFolder(items: DataTransferItemList): Promise<PickedFolder> {
  const [entry = null, ...more] = [...items].map((item) => item.webkitGetAsEntry());
  if (!isDirectory(entry) || more.length > 0)
    throw new Error(
      "The model was not added: drop exactly one folder that contains config.json, weights and tokenizer files.",
    );
  const reader = entry.createReader();
  const files: PickedFile[] = [];
  // Each call returns a batch of entries; an empty batch is the end.
  for (let part = await entriesOf(reader); part.length > 0; part = await entriesOf(reader))
    for (const found of part.filter(isFile)) {
      const content = await fileOf(found);
      files.push({ name: content.name, content });
    }
  return { name: entry.name, files };
}
