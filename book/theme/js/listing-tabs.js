// One listing in several languages: a tab each. Without this script they stand one below the other.
import { element } from "./dom.js";
import { words } from "./words.js";

const NAMES = { rust: "Rust", javascript: "JavaScript", python: "Python", java: "Java", swift: "Swift" };
const KEY = "course-code";
const chosen = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const all = [...document.querySelectorAll("[data-tabs]")].map((figure, number) => tabs(figure, number));
/** A choice holds for every listing that has the language, here and on the pages to come. */
function choose(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Kept for this page only.
  }
  for (const show of all) show(language);
}

function tabs(figure, number) {
  const panels = [...figure.querySelectorAll(":scope > [data-code]")];
  const buttons = panels.map((panel, place) => {
    const { code } = panel.dataset;
    panel.id = `listing-${number}-${code}`;
    panel.setAttribute("role", "tabpanel");
    const button = element("button", { type: "button", role: "tab", id: `${panel.id}-tab`, "aria-controls": panel.id, onclick: () => choose(code) }, NAMES[code] ?? code);
    panel.setAttribute("aria-labelledby", button.id);
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = buttons.at((place + step) % buttons.length);
      next.click();
      next.focus();
    });
    return button;
  });
  figure.prepend(element("div", { className: "listing-tabs", role: "tablist", "aria-label": words.codeLanguage }, ...buttons));
  const show = (language) => {
    if (!panels.some((panel) => panel.dataset.code === language)) return;
    panels.forEach((panel, place) => {
      const here = panel.dataset.code === language;
      panel.hidden = !here;
      buttons[place].setAttribute("aria-selected", String(here));
      buttons[place].tabIndex = here ? 0 : -1;
    });
  };
  show(panels[0].dataset.code);
  show(chosen());
  return show;
}
