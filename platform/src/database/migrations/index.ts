/** The schema migrations, oldest first. A released migration is never changed. */
import { first } from "./0001-first.ts";
import { queues } from "./0002-queues.ts";
import { nodes } from "./0003-nodes.ts";
import { rewards } from "./0004-rewards.ts";
import { datasets } from "./0005-datasets.ts";

export const MIGRATIONS: readonly string[] = [first, queues, nodes, rewards, datasets];
