// How does an input schema become a form? One field a property; what a form cannot say is written as JSON.
import { element } from "./dom.js";
import { words } from "./words.js";

/** Builds the fields of a tool into `box`, filled with `values`; gives a function that reads the arguments as JSON text. */
export function buildForm(box, tool, values) {
  const schema = tool.inputSchema ?? {};
  const required = new Set(schema.required ?? []);
  const readers = [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { control, read } = field(name, property, values[name]);
    control.required = required.has(name);
    readers.push([name, read]);
    const hint = property.description ? element("small", {}, property.description) : null;
    return element("label", {}, element("span", {}, name + (required.has(name) ? " *" : "")), control, hint);
  });
  box.replaceChildren(...fields);
  return () => {
    const read = readers.map(([name, value]) => [name, value()]).filter(([, value]) => value !== undefined);
    return JSON.stringify(Object.fromEntries(read));
  };
}

function field(name, property, value) {
  if (Array.isArray(property.enum)) {
    const control = element("select", { name }, ...property.enum.map((option) => element("option", { value: JSON.stringify(option) }, String(option))));
    return { control, read: () => JSON.parse(control.value) };
  }
  switch (property.type) {
    case "boolean": {
      const control = element("input", { name, type: "checkbox", checked: value === true });
      return { control, read: () => control.checked };
    }
    case "integer":
    case "number": {
      const control = element("input", { name, type: "number", step: property.type === "integer" ? "1" : "any", value: value ?? "" });
      if (property.minimum !== undefined) control.min = property.minimum;
      if (property.maximum !== undefined) control.max = property.maximum;
      return { control, read: () => (control.value === "" ? undefined : Number(control.value)) };
    }
    case "string": {
      // The pattern is shown and not enforced: what the server says to a bad value is the lesson.
      const control = element("input", { name, type: "text", value: value ?? "", spellcheck: false, autocomplete: "off" });
      if (property.pattern) control.title = property.pattern;
      return { control, read: () => (control.value === "" ? undefined : control.value) };
    }
    default: {
      const control = element("textarea", { name, rows: 3, value: value === undefined ? "" : JSON.stringify(value), "aria-description": words.argumentsJson });
      return { control, read: () => (control.value.trim() === "" ? undefined : JSON.parse(control.value)) };
    }
  }
}
