/** Names of the folders of models that the workbench keeps. */
import { joinPath } from "../../storage/paths.ts";

/** The layout's version is part of the path, as it is of runs'. */
const LAYOUT = "/v1";

/** Of the folders, in the browser's files. */
export const MODELS_DIRECTORY = joinPath(LAYOUT, "models");

/** What manifests call a folder that is kept: on a disk the same manifest finds it beside itself. */
export const modelPath = (name: string): string => joinPath("models", name);

/** Where a base model lies in the browser's files, by what a manifest calls it. */
export const keptDirectory = (path: string): string =>
  /^models\/[^/]+$/.test(path) ? joinPath(LAYOUT, path) : path;
