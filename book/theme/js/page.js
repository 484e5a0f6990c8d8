// What does every page do? Theme, language switch, contents, ticks in the chapters, and search once it is wanted.
import { words } from "./words.js";

const page = document.documentElement;

// Theme: a button that says what it would change to.
const themeButton = document.querySelector("[data-theme-switch]");
const isDark = () =>
  page.dataset.theme ? page.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const nameTheme = () => {
  themeButton.textContent = isDark() ? words.light : words.dark;
};
themeButton.hidden = false;
nameTheme();
themeButton.addEventListener("click", () => {
  page.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("course-theme", page.dataset.theme);
  } catch {
    // Kept for this page only.
  }
  nameTheme();
});

// The language switch leads to the heading that is being read; both languages share the ids.
const headings = [...document.querySelectorAll("main h2[id], main h3[id]")];
const current = () => {
  let found = null;
  for (const heading of headings) {
    if (heading.getBoundingClientRect().top > 80) break;
    found = heading;
  }
  return found;
};
const languageSwitch = document.querySelector("[data-language-switch]");
const twin = languageSwitch.getAttribute("href");
const aim = () => {
  const heading = current();
  languageSwitch.setAttribute("href", heading ? `${twin}#${heading.id}` : twin);
};
for (const event of ["pointerdown", "focus", "pointerenter", "click"]) languageSwitch.addEventListener(event, aim);

// The contents show where one is.
const links = [...document.querySelectorAll(".side-contents a")];
if (links.length > 0) {
  const mark = () => {
    const id = current()?.id;
    for (const link of links) link.toggleAttribute("data-current", link.hash === `#${id}`);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

// On a phone the sheet closes when one goes somewhere in the page.
const menu = document.querySelector(".menu");
menu.addEventListener("click", (event) => {
  if (event.target.closest("a[href^='#']")) menu.open = false;
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Ticks in the list of chapters.
import("./store.js").then(async ({ store }) => {
  const show = async () => {
    const goals = await store.goals();
    for (const link of document.querySelectorAll("a[data-chapter]")) {
      const all = Number(link.dataset.goals);
      const done = Object.keys(goals).filter((id) => id.startsWith(`${link.dataset.chapter}/`)).length;
      if (all > 0 && done > 0) link.dataset.done = done >= all ? "✓" : `${done}/${all}`;
      else delete link.dataset.done;
      link.toggleAttribute("data-complete", all > 0 && done >= all);
    }
  };
  store.addEventListener("change", show);
  await show();
});

// Search loads when the field is first used.
const field = document.querySelector("input[type=search]");
const start = () => import("./search.js").then(({ attach }) => attach(field));
field.addEventListener("focus", start, { once: true });
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.focus();
  }
});
