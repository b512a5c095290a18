/**
 * Property tests draw the same cases in every run, so that what passes here passes in CI. To look for others:
 * RLKIT_PROPERTY_SEED=$RANDOM npx vitest run --project 'unit*'
 */
import fc from "fast-check";

const given = typeof process === "undefined" ? undefined : process.env.RLKIT_PROPERTY_SEED;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given ?? 20_261_121) });
