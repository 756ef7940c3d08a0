// Lets Node run the TypeScript of this project, with source maps: coverage and stack traces tell the lines of the sources.
import { register } from "node:module";

process.setSourceMapsEnabled(true);
register("./typescript_hook.mjs", import.meta.url);
