// Lets Node run this project's TypeScript. Source maps let coverage and stack traces show source lines.
import { register } from "node:module";

process.setSourceMapsEnabled(true);
register("./typescript_hook.mjs", import.meta.url);
