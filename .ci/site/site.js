// The search of the site: what it looks through is loaded when somebody first goes to the field. And the list of pages,
// which is open where there is room for it.
const { up } = document.currentScript.dataset;
const field = document.getElementById("site-search");
const results = document.getElementById("site-results");
const list = document.querySelector("nav details");
const MOST = 12;

const isWide = matchMedia("(min-width: 52.01rem)");
const opened = () => {
  list.open = isWide.matches;
};
isWide.addEventListener("change", opened);
opened();

const loaded = (name) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${up}/${name}`;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
let engine;
const search = () => {
  engine ??= Promise.all(["minisearch.js", "search-index.js"].map(loaded)).then(() => {
    const index = new globalThis.MiniSearch({
      fields: ["heading", "text", "page"],
      storeFields: ["heading", "text", "page"],
    });
    index.addAll(globalThis.troupeSections);
    return index;
  });
  return engine;
};
const element = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);

async function show() {
  const asked = field.value.trim();
  const index = await search();
  if (asked !== field.value.trim()) return;
  const found =
    asked === ""
      ? []
      : index.search(asked, { prefix: true, fuzzy: 0.15, boost: { heading: 3, page: 2 } }).slice(0, MOST);
  const items = found.map(({ id, heading, page, text }) => {
    const link = element("a", heading, { href: `${up}/${id}` });
    link.append(element("small", `${page === heading ? "" : `${page}: `}${text.slice(0, 120)}`));
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  const shown = document.createElement("ol");
  shown.append(...items);
  results.replaceChildren(...(items.length > 0 ? [shown] : asked === "" ? [] : [element("p", "Nothing was found.")]));
}
field.addEventListener("focus", () => void search(), { once: true });
field.addEventListener("input", () => void show());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") results.replaceChildren();
  if (event.key === "/" && document.activeElement === document.body) {
    event.preventDefault();
    field.focus();
  }
});
