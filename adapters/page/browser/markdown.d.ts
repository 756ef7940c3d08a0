/** Markdown as HTML: ../build.mjs makes it. */
declare module "*.md" {
  const html: string;
  export default html;
}
