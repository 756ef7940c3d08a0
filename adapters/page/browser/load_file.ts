/**
 * Loads a file of the page when it is wanted: `loadFile(() => import("./coins/view.tsx"))`. May be called again after a failure,
 * which `explain` knows: a server that is away, or one of another version, which has files of other names.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw Object.assign(new Error(String(cause), { cause }), { code: "FILE_NOT_LOADED" });
  }
}

let styled: Promise<void> | undefined;

/** Loads the style of the views that are not the first one. */
export function loadStyle(): Promise<void> {
  return (styled ??= new Promise<void>((done, fail) => {
    const link = document.createElement("link");
    link.addEventListener("load", () => done());
    link.addEventListener("error", () => {
      styled = undefined;
      link.remove();
      fail(new Error(`Cannot load ${link.href}`));
    });
    Object.assign(link, { rel: "stylesheet", href: document.body.dataset["style"] });
    document.head.append(link);
  }));
}
