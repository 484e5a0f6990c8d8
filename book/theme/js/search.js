// How does a reader find a word? Pagefind's index is loaded piece by piece, from this site alone.
import { element, root } from "./dom.js";
import { lang, words } from "./words.js";

let engine = null;
const load = async () => {
  if (!engine) {
    engine = await import(new URL("pagefind/pagefind.js", root));
    await engine.options({ baseUrl: root.pathname, excerptLength: 24 });
    await engine.init();
  }
  return engine;
};

/**
 * Chinese is written without blanks: what a reader types may be two words of the index, or part of one. Pages that have
 * it as it was typed come first, then those that have its words, then, where there are none, those that have its parts.
 */
async function find(pagefind, query) {
  const search = async (text) => (await pagefind.search(text)).results;
  if (lang !== "zh" || !/\p{Script=Han}{2,}/u.test(query)) return search(query);
  const exact = await search(`"${query.replaceAll('"', "")}"`);
  const known = new Set(exact.map((result) => result.id));
  const found = [...exact, ...(await search(query)).filter((result) => !known.has(result.id))];
  if (found.length > 0) return found;
  const cut = new Intl.Segmenter("zh", { granularity: "word" });
  const pieces = [...cut.segment(query)].filter((piece) => piece.isWordLike).map((piece) => piece.segment);
  const inPieces = await search(pieces.join(" "));
  return inPieces.length > 0 ? inPieces : search([...query].join(" "));
}

/** An excerpt is text with <mark> in it; anything else in it is text. */
function excerpt(html) {
  const parts = html.split(/(<mark>.*?<\/mark>)/g).map((part) => {
    const match = /^<mark>(.*)<\/mark>$/.exec(part);
    return match ? element("mark", {}, plain(match[1])) : plain(part);
  });
  return element("span", {}, ...parts);
}
const plain = (text) =>
  text.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

export function attach(field) {
  const status = element("p", { className: "search-status", role: "status" });
  const list = element("ul");
  const box = element("div", { className: "search-results", hidden: true, role: "region", "aria-label": words.results }, status, list);
  field.closest("search, .site-search").append(box);
  let latest = 0;

  const run = async () => {
    const query = field.value.trim();
    const turn = ++latest;
    if (query === "") {
      box.hidden = true;
      return;
    }
    box.hidden = false;
    status.textContent = words.searching;
    let found;
    try {
      const results = await find(await load(), query);
      found = await Promise.all(results.slice(0, 8).map((result) => result.data()));
      if (turn !== latest) return;
      status.textContent = results.length === 0 ? words.noMatches : words.matches(results.length);
    } catch {
      if (turn === latest) status.textContent = words.searchBroken;
      return;
    }
    list.replaceChildren(...found.map((page) => {
      // The best place in the page: the section with the most hits, or the page itself.
      const best = [...(page.sub_results ?? [])].sort((a, b) => b.locations.length - a.locations.length)[0] ?? page;
      return element("li", { data: { result: "" } },
        element("a", { href: best.url }, element("strong", {}, page.meta.title ?? page.url), excerpt(best.excerpt ?? page.excerpt)));
    }));
  };

  let timer;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(run, 120);
  });
  const links = () => [...list.querySelectorAll("a")];
  box.parentElement.addEventListener("keydown", (event) => {
    const all = links();
    const place = all.indexOf(document.activeElement);
    if (event.key === "Escape") {
      box.hidden = true;
      field.focus();
    } else if (event.key === "ArrowDown" && all.length > 0) {
      event.preventDefault();
      all[Math.min(place + 1, all.length - 1)].focus();
    } else if (event.key === "ArrowUp" && place >= 0) {
      event.preventDefault();
      (all[place - 1] ?? field).focus();
    }
  });
  addEventListener("pointerdown", (event) => {
    if (!box.parentElement.contains(event.target)) box.hidden = true;
  });
  if (field.value.trim() !== "") run();
}
