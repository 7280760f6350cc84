/** A part of the page's program, for a test without a browser. It is checked with the types of a browser, and none is here. */
export const browserPart = async (name: string) =>
  await import(new URL(`../../transports/page/browser/${name}.ts`, import.meta.url).href);
