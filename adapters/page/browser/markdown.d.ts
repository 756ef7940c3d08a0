/** Markdown as HTML: build_page.mjs makes it. */
declare module "*.md" {
  const html: string;
  export default html;
}
