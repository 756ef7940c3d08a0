import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { interruptible } from "./interruptible_source.ts";
import { STANDARD_INPUT } from "./open_source.ts";

/**
 * Runs `use` with the paths of files, in which standard input and pipes are copies of what came: an import reads everything
 * twice. The copies are removed after it.
 */
export async function withCopies<Value>(
  names: readonly string[],
  { input, stop }: { readonly input: AsyncIterable<Uint8Array>; readonly stop: AbortSignal },
  use: (paths: readonly string[]) => Promise<Value>,
): Promise<Value> {
  let directory: string | undefined;
  try {
    const paths: string[] = [];
    for (const [i, name] of names.entries()) {
      if (name !== STANDARD_INPUT && !(await isReadOnce(name))) paths.push(name);
      else {
        directory ??= await mkdtemp(join(tmpdir(), "mazaneh-import-"));
        const copy = join(directory, String(i));
        await pipeline(
          interruptible(name === STANDARD_INPUT ? input : createReadStream(name), stop),
          createWriteStream(copy, { mode: 0o600 }),
        );
        paths.push(copy);
      }
    }
    return await use(paths);
  } finally {
    if (directory !== undefined) await rm(directory, { recursive: true });
  }
}

/** Whether what a name stands for is neither a file nor, as a reader will say, missing or a directory. */
async function isReadOnce(name: string): Promise<boolean> {
  return stat(name).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
}
