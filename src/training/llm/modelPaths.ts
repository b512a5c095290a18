/** Paths of the model folders that the workbench keeps. */
import { joinPath } from "../../storage/files.ts";

/** The version of the layout is part of the path, as in paths of runs. */
const LAYOUT = "/v1";

/** Parent of the model folders, in the browser's files. */
export const MODELS_DIRECTORY = joinPath(LAYOUT, "models");

/** Path of a kept folder in manifests. On a disk, the same manifest finds the folder next to itself. */
export const modelPath = (name: string): string => joinPath("models", name);

/** Path of a base model in the browser's files, from its path in a manifest. */
export const keptDirectory = (path: string): string =>
  /^models\/[^/]+$/.test(path) ? joinPath(LAYOUT, path) : path;
