/** The episodes that were kept and not yet saved, by environment. They outlast the page that they were played on. */
import { create } from "zustand";
import type { RecordedEpisode } from "../../../../workers/pages.ts";

const NONE: readonly RecordedEpisode[] = [];

const useKept = create<Readonly<Record<string, readonly RecordedEpisode[]>>>(() => ({}));

export const useKeptEpisodes = (environment: string): readonly RecordedEpisode[] =>
  useKept((kept) => kept[environment] ?? NONE);

export const keepEpisode = (environment: string, episode: RecordedEpisode): void =>
  useKept.setState((kept) => ({ [environment]: [...(kept[environment] ?? NONE), episode] }));

/** @param without Default: all of them. */
export const dropEpisodes = (environment: string, without?: RecordedEpisode): void =>
  useKept.setState((kept) => ({
    [environment]: without ? (kept[environment] ?? NONE).filter((one) => one !== without) : NONE,
  }));
