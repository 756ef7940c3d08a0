import type { MirrorStatus } from "../mirror/mod.ts";
import type { Trouble, Watcher } from "../store/watcher.ts";

/** Watches a mirror: one that was refused, has never got an answer, or has got none for long, is what a balancer should pass by. */
export function watchMirror(status: () => MirrorStatus | undefined): Watcher {
  return {
    troubles() {
      const mirror = status();
      return mirror ? troublesOf(mirror) : [];
    },
  };
}

function troublesOf({ state, lastRefresh, overdue, rest, trouble }: MirrorStatus): readonly Trouble[] {
  if (state === "stopped") return [{ code: "mirror-stopped", message: `The mirror has stopped, as ${trouble?.message ?? "its key was refused"}` }];
  const reason = (rest ?? trouble)?.message;
  if (lastRefresh === null) return [{ code: "mirror-failing", message: `The mirror has not received any values yet${reason === undefined ? "" : `: ${reason}`}` }];
  // One whose own units of the day are spent is on time by its own plan.
  if (!overdue || state === "running") return [];
  return [{ code: "mirror-failing", message: `The mirror has received no values since ${lastRefresh}: ${reason}` }];
}
