/** Files that the user downloads, and files and folders that the user chooses in a dialog or drops on the page. */

import { type RefObject, useEffect, useState } from "react";
import type { Download, PickedFile } from "../../workers/protocol.ts";

/** Saves a file through the browser's downloads. */
export function saveFile({ name, type, bytes }: Download): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By the next task, the download holds its own reference.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Saves a text file through the browser's downloads. */
export function saveText(name: string, type: string, text: string): void {
  saveFile({ name, type, bytes: new TextEncoder().encode(text) });
}

/** A name as the name of a file, without an extension. @param otherwise for a name without letters and digits */
export const fileName = (name: string, otherwise: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "") || otherwise;

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

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const next = (): Promise<readonly FileSystemEntry[]> =>
    new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  const found: FileSystemEntry[] = [];
  // Each call returns a batch of entries; an empty batch is the end.
  for (let part = await next(); part.length > 0; part = await next()) found.push(...part);
  return found;
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

async function filesIn(entry: FileSystemEntry, depth: number): Promise<File[]> {
  if (isFile(entry)) return [await fileOf(entry)];
  if (!isDirectory(entry) || depth > DEEPEST) return [];
  const found: File[] = [];
  for (const inner of await entriesOf(entry)) found.push(...(await filesIn(inner, depth + 1)));
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

/** The folder chosen in a dialog, with the files directly in it; null if none was chosen or it is empty. */
export function chosenFolder(files: Iterable<File>): PickedFiles | null {
  const paths = [...files].map((file) => ({ file, parts: file.webkitRelativePath.split("/") }));
  const name = paths[0]?.parts[0];
  if (name === undefined) return null;
  return {
    name,
    files: paths.filter(({ parts }) => parts.length === 2).map(({ file }) => picked(file)),
  };
}

/**
 * The dropped folder with the files directly in it. Must be called while the drop event is handled.
 * @throws Error unless exactly one folder was dropped.
 */
export async function droppedFolder(items: DataTransferItemList): Promise<PickedFiles> {
  const [entry, ...more] = [...items].map((item) => item.webkitGetAsEntry());
  if (!entry || !isDirectory(entry) || more.length > 0)
    throw new Error(
      "The model was not added: drop exactly one folder that contains config.json, weights and tokenizer files.",
    );
  const files = (await entriesOf(entry)).filter(isFile).map(fileOf);
  return { name: entry.name, files: (await Promise.all(files)).map(picked) };
}

/** Whether something is dragged over an element. Calls `onDrop` with the items dropped on it. */
export function useFolderDrop(
  target: RefObject<HTMLElement | null>,
  onDrop: (items: DataTransferItemList) => void,
): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent): void => {
      // Without this, the browser opens the dropped item.
      event.preventDefault();
      setIsOver(event.type === "dragover");
    };
    element.addEventListener("dragover", over, { signal });
    element.addEventListener("dragleave", over, { signal });
    element.addEventListener(
      "drop",
      (event) => {
        over(event);
        if (event.dataTransfer !== null) onDrop(event.dataTransfer.items);
      },
      { signal },
    );
    return () => ending.abort();
  }, [target, onDrop]);
  return isOver;
}
