import type { Download } from "../../workers/protocol.ts";

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
