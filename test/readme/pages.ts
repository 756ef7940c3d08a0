import { readFileSync } from "node:fs";

/** The documents of the project, by path. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "core/DECISIONS.md",
  "adapters/cli/import/README.md",
  "adapters/client/README.md",
  "adapters/mirror/README.md",
  "adapters/operations/README.md",
  "adapters/postgres/README.md",
  "adapters/redis/README.md",
  "fixtures/deploy/README.md",
  "fixtures/deploy/UPGRADE.md",
  "fixtures/examples/README.md",
  "fixtures/examples/cluster/README.md",
  "test/bench/README.md",
  "test/faults/README.md",
] as const;

/** The text of a document. */
export function pageText(path: (typeof PAGES)[number]): string {
  return readFileSync(path, "utf8");
}
