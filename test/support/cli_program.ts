export { mazaneh as program } from "./cli.ts";
