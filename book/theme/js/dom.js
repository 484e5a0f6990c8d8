// Makes an element: tag, properties, children. Text stays text; nothing here reads HTML.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(made.dataset, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
/** The folder of the site, seen from this page. */
export const root = new URL(document.documentElement.dataset.root || "./", document.baseURI);
