import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/sbin", "/bin"];

/** Whether a program is installed. */
export function hasCommand(name: string): boolean {
  return FOLDERS.some((folder) => existsSync(join(folder, name)));
}
